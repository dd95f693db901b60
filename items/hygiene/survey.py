"""The shared items of a project in one query: their structure, and marks on each.

What a rule can ask of a single row is asked there, as a bit of one number, so that a
further check costs no further query. Archived and locked items are not in it, nor is
anything private: whoever may read the project gets the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from conderis.common.prepared import Prepared
from items.expiry import Aging, aging_types, expired_since
from items.hygiene.clock import Clock
from items.hygiene.mentions import MOST_ITEMS, Mentions, read_mentions
from items.hygiene.rows import shared_rows
from items.kinds.memory import MEMORY
from items.kinds.page import PAGE
from items.kinds.registry import all_kinds
from items.kinds.task import CLOSED as CLOSED_STATUSES
from items.models import Item
from projects.models import Project

EXPIRED, CLOSED, CRITICAL = 1, 2, 4
FIRST_MARK = 8
PK, NUMBER, KIND, PARENT, BITS = 0, 1, 2, 3, 5  # places in a row


class Row(NamedTuple):
    """What is loaded of an item. `bits` are the marks that are true of it."""

    pk: int
    number: int
    kind: str
    parent: int | None
    rank: int
    bits: int


@dataclass(frozen=True)
class Survey:
    """The live items of a project, and beside them those that have expired.

    `numbers` are those of all live ones; `rows` are those that have a mark, a parent or
    children, and the pages, by number.
    """

    project: Project
    clock: Clock
    rows: Sequence[Row]
    expired: Sequence[Row]
    marks: Mapping[str, int]
    by_pk: Mapping[int, Row] = field(default_factory=dict)
    children: Mapping[int, Sequence[Row]] = field(default_factory=dict)
    numbers: frozenset[int] = frozenset()
    memories: int = 0
    pages: int = 0
    active_tasks: int = 0

    @property
    def live(self) -> int:
        """Memories, pages and active tasks together."""
        return self.memories + self.pages + self.active_tasks

    @cached_property
    def mentions(self) -> Mentions:
        """Which numbers the live items name; read when first asked for."""
        whole = len(self.numbers) + len(self.expired) <= MOST_ITEMS
        return read_mentions(self.project.pk, self.numbers, whole=whole)

    def marked(self, check: str) -> list[Row]:
        """The live rows of which the check's mark is true."""
        bit = self.marks[check]
        return [row for row in self.rows if row.bits & bit]


def survey(project: Project, clock: Clock, marks: Iterable[tuple[str, Any]]) -> Survey:
    """Read the project; `marks` are the conditions of the checks by name."""
    named = tuple(marks)
    found = _read(_survey(named, aging_types()), project, clock)
    live = [each for each in found if not each[BITS] & EXPIRED]
    parents = {each[PARENT] for each in live}
    page, make = PAGE.name, Row._make
    # Most items are only counted: a row is made of what a check may have to look at.
    rows = [
        make(each)
        for each in live
        if each[BITS] or each[PARENT] is not None or each[PK] in parents or each[KIND] == page
    ]
    children: dict[int, list[Row]] = {}
    for row in rows:
        if row.parent is not None:
            children.setdefault(row.parent, []).append(row)
    counts = Counter(each[KIND] for each in live if not each[BITS] & CLOSED)
    memories, pages = counts.pop(MEMORY.name, 0), counts.pop(PAGE.name, 0)
    return Survey(
        project=project,
        clock=clock,
        rows=rows,
        expired=[Row._make(each) for each in found if each[BITS] & EXPIRED],
        marks={name: FIRST_MARK << place for place, (name, _) in enumerate(named)},
        by_pk={row.pk: row for row in rows},
        children=children,
        numbers=frozenset(each[NUMBER] for each in live),
        memories=memories,
        pages=pages,
        active_tasks=sum(counts.values()),
    )


def _read(
    prepared: Prepared[tuple[Any, ...]], project: Project, clock: Clock
) -> list[tuple[Any, ...]]:
    """The rows as the database gives them: numbers and words, of which none is converted."""
    statement, parameters = prepared.statement(project=project.pk, **clock.as_values())
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


@cache
def _survey(marks: tuple[tuple[str, Any], ...], aging: Aging) -> Prepared[tuple[Any, ...]]:
    def build(project: int, **moments: Any) -> QuerySet[Item, tuple[Any, ...]]:
        clock = Clock(**moments)
        bits: Any = _bit(expired_since(clock.now, clock.aged, aging), EXPIRED)
        bits = bits + _bit(Q(status__in=sorted(CLOSED_STATUSES)), CLOSED)
        bits = bits + _bit(Q(weight="critical"), CRITICAL)
        for place, (_, mark) in enumerate(marks):
            bits = bits + _bit(mark(clock), FIRST_MARK << place)
        kinds = [kind.name for kind in all_kinds() if kind.numbered]
        return (
            shared_rows(project)
            .filter(kind__in=kinds, number__isnull=False)
            .order_by("number")
            .annotate(bits=bits)
            .values_list("pk", "number", "kind", "parent_id", "rank", "bits")
        )

    names = Clock.__dataclass_fields__
    return Prepared(build, project=int, **dict.fromkeys(names, datetime))


def _bit(condition: Q, bit: int) -> Case:
    return Case(When(condition, then=Value(bit)), default=Value(0), output_field=IntegerField())
