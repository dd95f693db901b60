"""Where an item is to go in its tree, in people's words, as the fields of a move.

A move needs no version: the last one wins, and a text is never refused because of one. What
is worked out here means the siblings as they stand now; the write door checks what it is
sent as any other move.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.json import JsonObject
from items.access import access_item, nothing_at, refuse_locked, subject_of
from items.kinds.registry import kind_of
from items.models import Item
from items.places import siblings
from items.requests import Address
from items.tree import has_places
from projects.capabilities import Use


class Where(StrEnum):
    """Where to: one step from where the item stands, or beside or under another one."""

    UP = "up"
    DOWN = "down"
    IN = "in"
    OUT = "out"
    TOP = "top"
    UNDER = "under"
    BEFORE = "before"
    AFTER = "after"


STEPS: Final = (Where.UP, Where.DOWN, Where.IN, Where.OUT)
NEED_TARGET: Final = (Where.UNDER, Where.BEFORE, Where.AFTER)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item that another one stands beside or under; without a title where it is locked."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Steps:
    """Where an item stands: what is before, behind and above it, None where nothing is.

    `place` is its place among the siblings, `many` how many these are with itself; locked
    ones count, since a place means all of them.
    """

    item: Neighbour
    kind: str
    before: Neighbour | None
    behind: Neighbour | None
    above: Neighbour | None
    place: int
    many: int

    @property
    def possible(self) -> Mapping[Where, Neighbour]:
        """The steps that there are, each with the neighbour that it passes."""
        passed = {
            Where.UP: self.before,
            Where.DOWN: self.behind,
            Where.IN: self.before,
            Where.OUT: self.above,
        }
        return {step: other for step, other in passed.items() if other is not None}


@dataclass(frozen=True, slots=True)
class _Row:
    """A sibling, the item itself among them."""

    pk: int
    number: int
    title: str
    locked: bool


def steps_of(caller: Caller, *, project_id: str, number: int) -> Steps:
    """The steps that the item can go from where it stands.

    Raises:
        NotFound: there is none that the caller may read, or its kind has no places.
        Denied: the caller may not change it, nor propose to.
        Locked, NotFound: it is locked, or erased.
        Conflict: it is archived.
    """
    return _steps(_movable(caller, project_id, number))


def move_fields(
    caller: Caller, *, project_id: str, number: int, where: Where, target: int | None = None
) -> JsonObject:
    """The `parent` and `position` that bring the item there, for the write door.

    `target` is the number of the item that it goes under, before or behind.

    Raises:
        NotFound: there is no such item, or no such target, that the caller may read.
        Invalid: the target is missing, the item itself, or of another kind.
        Conflict: there is no such step from where it stands, or one of the two is archived.
        Locked: one of the two is locked.
        Denied: the caller may not change it, nor propose to.
    """
    item = _movable(caller, project_id, number)
    if where is Where.TOP:
        return {"parent": None}
    if where in STEPS:
        return _by_step(item, where)
    beside = _target(caller, project_id, item, target)
    if where is Where.UNDER:
        return {"parent": beside.number}
    return _beside(item, beside, behind=where is Where.AFTER)


def _movable(caller: Caller, project_id: str, number: int) -> Item:
    _place, item = access_item(caller, Address(project_id, number=number), use=Use.PROPOSE)
    if not has_places(kind_of(item.kind)):
        raise nothing_at(f"#{number}")
    refuse_locked(item)
    if item.archived_at is not None:
        raise Conflict(f"{subject_of(item)} is archived. Restore it first.")
    return item


def _target(caller: Caller, project_id: str, item: Item, number: int | None) -> Item:
    if number is None:
        raise Invalid("Name the number of the other one.", field="target")
    try:
        _place, found = access_item(caller, Address(project_id, number=number))
    except NotFound as refusal:
        raise NotFound(refusal.message, field="target", **refusal.details) from refusal
    refuse_locked(found)
    if found.pk == item.pk:
        raise Invalid("An item has no place beside or below itself.", field="target")
    if found.kind != item.kind:
        raise Invalid(
            f"{subject_of(found)} is a {found.kind}; a {item.kind} stands among "
            f"{kind_of(item.kind).plural}.",
            field="target",
        )
    if found.archived_at is not None:
        raise Conflict(
            f"{subject_of(found)} is archived, so nothing is placed there.", field="target"
        )
    return found


def _beside(item: Item, other: Item, *, behind: bool) -> JsonObject:
    """The place right before or behind the other one, under the same parent."""
    rows = [row for row in _branch(other) if row.pk != item.pk]
    place = next(place for place, row in enumerate(rows, 1) if row.pk == other.pk)
    parent = other.parent.number if other.parent is not None else None
    return {"parent": parent, "position": place + behind}


def _by_step(item: Item, where: Where) -> JsonObject:
    steps = _steps(item)
    if where not in steps.possible:
        raise Conflict(f"{subject_of(item)} {_STANDS[where]}.")
    if where is Where.IN:
        return {"parent": steps.possible[where].number}
    if where is Where.OUT and item.parent is not None:
        return _beside(item, item.parent, behind=True)
    numbers = [row.number for row in _branch(item) if row.pk != item.pk]
    passed = numbers.index(steps.possible[where].number)
    return {"position": passed + (1 if where is Where.UP else 2)}


_STANDS: Final = {
    Where.UP: "is the first of its branch already",
    Where.DOWN: "is the last of its branch already",
    Where.IN: "has nothing before it that it could go under",
    Where.OUT: "stands on the top level already",
}


def _steps(item: Item) -> Steps:
    rows = _branch(item)
    place = next(place for place, row in enumerate(rows) if row.pk == item.pk)
    before = [row for row in rows[:place] if not row.locked]
    behind = [row for row in rows[place + 1 :] if not row.locked]
    above = item.parent
    return Steps(
        item=Neighbour(item.number or 0, item.title),
        kind=item.kind,
        before=Neighbour(before[-1].number, before[-1].title) if before else None,
        behind=Neighbour(behind[0].number, behind[0].title) if behind else None,
        above=_neighbour(above) if above is not None else None,
        place=place + 1,
        many=len(rows),
    )


def _neighbour(item: Item) -> Neighbour:
    return Neighbour(item.number or 0, "" if item.locked_at is not None else item.title)


def _branch(item: Item) -> list[_Row]:
    """The active items of the item's branch in their order, itself and locked ones too."""
    columns = ("rank", "number", "pk", "title", "locked_at")
    rows = [row for row in siblings(item).values_list(*columns) if row[1] is not None]
    rows.append((item.rank, item.number or 0, item.pk, item.title, item.locked_at))
    ordered = sorted(rows, key=lambda row: row[:3])
    return [_Row(pk, number, title, bool(locked)) for _, number, pk, title, locked in ordered]
