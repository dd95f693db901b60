"""What lists of the browser show beside an entry: its children, what waits for it, its lateness.

Agents ask for these one by one (`item_get`), people see them at once.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.prepared import Prepared, Value
from items.access import items_of_project, place_of, readable_q
from items.expiry import Aging, aging_types, can_expire, expired_since, oldest_of
from items.kinds.base import Kind
from items.kinds.registry import active_statuses, kind_named
from items.kinds.relations import BLOCKS
from items.models import Item, Relation
from items.overdue import is_overdue
from items.tree import has_places
from projects.capabilities import Use
from projects.models import Project

MOST_INSIDE: Final = 10  # children that are named
MOST_BLOCKED: Final = 10  # numbers of what waits


@dataclass(frozen=True, slots=True)
class Inside:
    """A child of an entry: its number and title."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside an entry of a list.

    `inside` names the first of its `children` where they form no tree of their own; of kinds
    with statuses `closed` counts those of them that are no work any more, and `blocks` names
    the unfinished tasks that wait for this one. `overdue`: it is work to do, and its day has
    ended in the reader's zone.
    """

    children: int = 0
    closed: int = 0
    inside: tuple[Inside, ...] = ()
    blocks: tuple[int, ...] = ()
    overdue: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the children that are named."""
        return tuple(each.number for each in self.inside)


def beside_entries(
    caller: Caller, *, project_id: str, kind: str, numbers: Collection[int]
) -> Mapping[int, Beside]:
    """What stands beside the entries with these numbers; those that have nothing are left out.

    Four queries at most beside that of the door, however many entries there are.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
        Invalid: there is no such kind.
    """
    place = place_of(caller, project_id, use=Use.READ)
    row = kind_named(kind)
    if not numbers or place.project is None:
        return {}
    rows = _LISTED.rows(
        project=place.project.pk, person=caller.person_id, numbers=sorted(set(numbers))
    )
    listed = {each[0]: _Listed(*each) for each in rows if each[2] == kind}
    if not listed:
        return {}
    found: dict[int, dict[str, Any]] = {}
    if row.max_depth > 1:
        _add_children(found, row, _Family.of(caller, place.project, row), sorted(listed))
    if row.statuses:
        _add_work(found, caller, listed.values())
    return {listed[pk].number: Beside(**values) for pk, values in found.items()}


def holds_items(caller: Caller, *, project_id: str) -> bool:
    """Whether anything is kept in the project that the caller may read, closed or not.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
    """
    readable = place_of(caller, project_id, use=Use.READ).items()
    return readable.filter(locked_at__isnull=True, number__isnull=False).exists()


class _Listed(NamedTuple):
    """What is loaded of an entry."""

    pk: int
    number: int
    kind: str
    status: str
    due: date | None


def _listed(project: int, person: int, numbers: list[int]) -> QuerySet[Item, tuple[Any, ...]]:
    rows = items_of_project(project, person).filter(number__in=numbers).order_by()
    return rows.values_list(*_Listed._fields)


_LISTED: Final = Prepared[tuple[Any, ...]](_listed, project=int, person=int, numbers=list)


@dataclass(frozen=True, slots=True)
class _Family:
    """The children that a person may read, of a kind: those that stand.

    Without `values` it is what prepared statements are kept by.
    """

    kind: Kind
    aging: Aging
    values: Mapping[str, Value] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, caller: Caller, project: Project, kind: Kind) -> "_Family":
        now = timezone.now()
        values: dict[str, Value] = {"person": caller.person_id}
        if not can_expire(kind):
            return cls(kind, (), values)
        values |= {"now": now, "oldest": oldest_of(now, project.session_days)}
        return cls(kind, aging_types(), values)

    @property
    def parameters(self) -> dict[str, type]:
        moments = {"now": datetime, "oldest": datetime} if self.aging else {}
        return {"person": int, "parents": list, **moments}

    def rows(
        self,
        person: int,
        parents: list[int],
        now: datetime | None = None,
        oldest: datetime | None = None,
    ) -> QuerySet[Item]:
        # Not by project: the parents are of one, and their index is the one to take.
        rows = Item.objects.filter(
            readable_q(person),
            parent__in=parents,
            locked_at__isnull=True,
            archived_at__isnull=True,
        )
        if now is None:
            return rows
        return rows.filter(~expired_since(now, oldest or now, self.aging))


def _add_children(
    found: dict[int, dict[str, Any]], kind: Kind, family: _Family, parents: list[int]
) -> None:
    for parent, many, over in _counted(family).rows(**family.values, parents=parents):
        found.setdefault(parent, {}).update(children=many, closed=over)
    if kind.statuses or has_places(kind) or not found:
        return
    named = _named(family).rows(**family.values, parents=sorted(found))
    for parent, rows in _grouped(named).items():
        found[parent]["inside"] = tuple(Inside(number, title) for number, title in rows)


@cache
def _counted(family: _Family) -> Prepared[tuple[Any, ...]]:
    kind = family.kind
    closed = ~Q(status__in=kind.active_statuses) if kind.statuses else Q(pk__isnull=True)

    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        counts = family.rows(**values).order_by().values_list("parent")
        return counts.annotate(many=Count("pk"), over=Count("pk", filter=closed))

    return Prepared(build, **family.parameters)


@cache
def _named(family: _Family) -> Prepared[tuple[Any, ...]]:
    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        within = Window(RowNumber(), partition_by=F("parent"), order_by=(F("rank"), F("number")))
        placed = family.rows(**values).annotate(place=within).filter(place__lte=MOST_INSIDE)
        return placed.order_by("place").values_list("parent", "number", "title")

    return Prepared(build, **family.parameters)


def _add_work(found: dict[int, dict[str, Any]], caller: Caller, listed: Iterable[_Listed]) -> None:
    active, work = active_statuses(), list[int]()
    for each in listed:
        if each.status in active:
            work.append(each.pk)
        if is_overdue(caller, due=each.due, status=each.status):
            found.setdefault(each.pk, {})["overdue"] = True
    if not work:
        return
    waiting = _waiting(active).rows(sources=sorted(work))
    for source, rows in _grouped(waiting).items():
        numbers = tuple(number for (number,) in rows[:MOST_BLOCKED])
        found.setdefault(source, {})["blocks"] = numbers


@cache
def _waiting(active: tuple[str, ...]) -> Prepared[tuple[Any, ...]]:
    def build(sources: list[int]) -> QuerySet[Relation, tuple[Any, ...]]:
        rows = Relation.objects.filter(
            source__in=sources,
            relation=BLOCKS,
            target__status__in=active,
            target__locked_at__isnull=True,
        )
        return rows.order_by("target__number").values_list("source", "target__number")

    return Prepared(build, sources=list)


def _grouped(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """The rest of each row by what it begins with."""
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for first, *rest in rows:
        groups.setdefault(first, []).append(tuple(rest))
    return groups
