"""Items in their tree, as far as its branches are opened; and where one can be moved to.

A tree is read branch by branch: what is shown is read whole, and of all other items their
number alone, to count them by what they stand under. Locked items are in it where something
stands below them, by their number alone.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Case, Count, F, Max, Q, QuerySet, RowRange, Value, When, Window
from django.db.models.functions import RowNumber

from conderis.common.caller import Caller
from items.access import place_of
from items.kinds.base import Kind
from items.kinds.registry import kind_named
from items.kinds.values import Position
from items.models import Item
from projects.capabilities import Use

MOST_BESIDE: Final = 100  # entries of a branch
AROUND: Final = 10  # entries before and behind the one that was asked for, further on
MOST_OPENED: Final = 40  # branches
FEW: Final = 50  # items: a tree of no more is open where nothing else is asked


@dataclass(frozen=True, slots=True)
class Twig:
    """An item in its tree. `children` counts those below it, `twigs` are the ones shown.

    `place` is its place in its branch, from 1; `title` is empty where it is locked.
    """

    number: int
    title: str
    locked: bool
    place: int
    children: int
    is_open: bool
    twigs: tuple["Twig", ...]

    @property
    def more(self) -> int:
        """How many of those below it are not shown, where it is open."""
        return self.children - len(self.twigs) if self.is_open else 0


@dataclass(frozen=True, slots=True)
class Tree:
    """The top level with what is open below it.

    `total` counts the items that are not locked, `more` those of the top level that are
    not shown, `opened` names the branches that are open.
    """

    twigs: tuple[Twig, ...]
    total: int
    more: int
    opened: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Rows:
    """What was read: rows by the number of their parent, and how many there are below each."""

    below: Mapping[int | None, list[tuple[Any, ...]]]
    counts: Mapping[int | None, int]
    opened: frozenset[int]

    def twigs(self, parent: int | None) -> tuple[Twig, ...]:
        return tuple(self._twig(row) for row in self.below.get(parent, ()))

    def _twig(self, row: tuple[Any, ...]) -> Twig:
        _parent, number, title, locked, place = row
        children = self.counts.get(number, 0)
        is_open = number in self.opened and children > 0
        return Twig(
            number=number,
            title="" if locked else title,
            locked=locked,
            place=place,
            children=children,
            is_open=is_open,
            twigs=self.twigs(number) if is_open else (),
        )


def has_places(kind: Kind) -> bool:
    """Whether items of the kind have a place among their siblings, and so form a tree."""
    return any(isinstance(field.type, Position) for field in kind.fields)


def item_tree(
    caller: Caller,
    *,
    project_id: str,
    kind: str,
    opened: Collection[int] | None = None,
    at: int | None = None,
) -> Tree:
    """The tree of a kind's active items, with the branches of these numbers open.

    None opens all branches of a tree of at most 50 items, and none of a larger one. What
    the item `at` stands under is open in any case. At most 40 branches are open, and of
    each branch the first 100 entries are shown, with some around `at` and around what it
    stands under where they come later: `place` tells of the gap. At most four queries beside
    those of the door.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
        Invalid: there is no such kind.
    """
    place = place_of(caller, project_id, use=Use.READ)
    depth = kind_named(kind).max_depth
    active = place.items().filter(kind=kind, archived_at__isnull=True)
    counts = _counted(active)
    total = sum(counts.values())
    holding = _holding(active, counts)
    above = _above(active, at, depth) if at is not None else []
    if opened is None:
        opened = [each for each in counts if each is not None] if total <= FEW else []
    wanted = [each for each in dict.fromkeys([*above, *sorted(opened)]) if each in counts]
    wanted = wanted[:MOST_OPENED]
    asked = [at, *above] if at is not None else []
    rows = _Rows(_below(active, wanted, holding, asked), counts, frozenset(wanted))
    twigs = rows.twigs(None)
    return Tree(twigs, total, max(0, counts.get(None, 0) - len(twigs)), rows.opened)


def _counted(active: QuerySet[Item]) -> dict[int | None, int]:
    """How many that are not locked stand below each number, and (None) on the top level.

    This looks at all items of the kind, whatever is shown: an open branch says how many it
    has, the page how many there are, and locked ones show whether anything is below them.
    """
    free = active.filter(locked_at__isnull=True).order_by()
    return dict(free.values_list("parent__number").annotate(many=Count("pk")))


def _holding(active: QuerySet[Item], counts: dict[int | None, int]) -> list[int]:
    """The numbers of the locked ones with something below them; each is counted as shown."""
    locked = active.filter(locked_at__isnull=False, number__isnull=False).order_by()
    above = dict(locked.values_list("number", "parent__number"))
    found = [number for number in above if number is not None and number in counts]
    for number in found:  # grows while it is walked
        parent = above[number]
        if parent is not None and parent in above and parent not in counts:
            found.append(parent)
        counts[parent] = counts.get(parent, 0) + 1
    return found


def _above(active: QuerySet[Item], at: int, depth: int) -> list[int]:
    """The numbers of what the item stands under, in one query."""
    names = ["__".join(["parent"] * level + ["number"]) for level in range(1, depth)]
    found = active.filter(number=at).values_list(*names).first()
    return [number for number in found or () if number is not None]


def _below(
    active: QuerySet[Item],
    opened: Iterable[int],
    holding: Collection[int],
    asked: Collection[int],
) -> dict[int | None, list[tuple[Any, ...]]]:
    """The rows of the top level and of the opened branches, in their order.

    Of each the first ones, and those around a number that was asked for.
    """
    branch: dict[str, Any] = {"partition_by": F("parent"), "order_by": (F("rank"), F("number"))}
    shown = Q(locked_at__isnull=True) | Q(number__in=holding)
    rows = (
        active.filter(shown, Q(parent__isnull=True) | Q(parent__number__in=list(opened)))
        .annotate(place=Window(RowNumber(), **branch))
        .order_by("rank", "number")
        .values_list("parent__number", "number", "title", "locked_at", "place")
    )
    near = Q(place__lte=MOST_BESIDE)
    if asked:
        is_asked = Case(When(number__in=list(asked), then=Value(1)), default=Value(0))
        around = RowRange(start=-AROUND, end=AROUND)
        rows = rows.annotate(beside=Window(Max(is_asked), frame=around, **branch))
        near |= Q(beside=1)
    below: dict[int | None, list[tuple[Any, ...]]] = {}
    for parent, number, title, locked_at, place, *_ in rows.filter(near):
        row = (parent, number, title, locked_at is not None, place)
        below.setdefault(parent, []).append(row)
    return below
