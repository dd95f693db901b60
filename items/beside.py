"""What lists of the browser show beside an entry: its children, what waits for it, its lateness.

Agents ask for these one by one (`item_get`), people see them at once.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from conderis.common.caller import Caller
from items.access import place_of
from items.expiry import can_expire, expired_q
from items.kinds.base import Kind
from items.kinds.registry import active_statuses, kind_named
from items.kinds.relations import BLOCKS
from items.models import Item, Relation
from items.overdue import overdue_q
from items.tree import has_places
from projects.capabilities import Use

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
    listed = place.items().filter(number__in=numbers, kind=kind)
    children = place.items().filter(
        parent__in=listed.order_by().values("pk"), locked_at__isnull=True, archived_at__isnull=True
    )
    if can_expire(row):
        children = children.filter(~expired_q(timezone.now(), place.project.session_days))
    found: dict[int, dict[str, Any]] = {}
    if row.max_depth > 1:
        _add_children(found, row, children)
    if row.statuses:
        _add_work(found, caller, listed)
    return {number: Beside(**values) for number, values in found.items()}


def holds_items(caller: Caller, *, project_id: str) -> bool:
    """Whether anything is kept in the project that the caller may read, closed or not.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
    """
    readable = place_of(caller, project_id, use=Use.READ).items()
    return readable.filter(locked_at__isnull=True, number__isnull=False).exists()


def _add_children(found: dict[int, dict[str, Any]], kind: Kind, children: QuerySet[Item]) -> None:
    closed = ~Q(status__in=kind.active_statuses) if kind.statuses else Q(pk__isnull=True)
    counts = children.order_by().values_list("parent__number").annotate(
        many=Count("pk"), over=Count("pk", filter=closed)
    )  # fmt: skip
    for number, many, over in counts:
        found.setdefault(number, {}).update(children=many, closed=over)
    if kind.statuses or has_places(kind) or not found:
        return
    within = Window(RowNumber(), partition_by=F("parent"), order_by=(F("rank"), F("number")))
    named = (
        children.annotate(place=within)
        .filter(place__lte=MOST_INSIDE)
        .order_by("place")
        .values_list("parent__number", "number", "title")
    )
    for parent, rows in _grouped(named).items():
        found[parent]["inside"] = tuple(Inside(number, title) for number, title in rows)


def _add_work(found: dict[int, dict[str, Any]], caller: Caller, listed: QuerySet[Item]) -> None:
    active = active_statuses()
    late = listed.filter(overdue_q(caller)).order_by()
    for number in late.values_list("number", flat=True):
        found.setdefault(number or 0, {})["overdue"] = True
    waiting = Relation.objects.filter(
        source__in=listed.filter(status__in=active).order_by().values("pk"),
        relation=BLOCKS,
        target__status__in=active,
        target__locked_at__isnull=True,
    ).order_by("target__number")
    for source, rows in _grouped(waiting.values_list("source__number", "target__number")).items():
        numbers = tuple(number for (number,) in rows[:MOST_BLOCKED])
        found.setdefault(source, {})["blocks"] = numbers


def _grouped(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """The rest of each row by what it begins with."""
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for first, *rest in rows:
        groups.setdefault(first, []).append(tuple(rest))
    return groups
