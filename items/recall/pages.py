"""The pages: the tree of documentation, by title."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.db.models.functions import Coalesce

from conderis.common.prepared import Prepared
from items.access import named_items
from items.kept import Kept, Lately, state_of
from items.kinds.page import PAGE
from items.models import Item
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough
from items.recall.keys import Keys, read_numbers
from items.recall.lines import Lines, least_of
from items.recall.listing import Listing
from items.recall.slots import PAGES, Section
from projects.models import Project

MOST = 60_000 // SHORTEST_LINE  # pages that the longest recall can hold
_COLUMNS = ("pk", "number", "version", "title")
_ABOVE = ("parent__number", "parent__locked_at")


class Row(NamedTuple):
    """What is loaded of a page; what is `above` it only where some fit the focus."""

    pk: int
    number: int
    version: int
    title: str
    above: int | None = None
    above_locked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """The pages that are not locked, each before those below it.

    The keys of the first ones with how many pages above each are shown, and how many there
    are in all.
    """

    first: Mapping[int, int]
    total: int

    def reaches(self, most: int) -> bool:
        """Whether it has so many of the first ones, or all."""
        return len(self.first) >= min(most, self.total)


class Leaf(NamedTuple):
    """A page in its place in the tree; `depth` counts the pages above it that are shown."""

    row: Row
    title: str
    depth: int

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(self.title)

    @property
    def least(self) -> int:
        """Characters below which it has no line."""
        return least_of(self.title) + 2 * self.depth


# The same for everyone who may read the project: no page is private.
_trees: Kept[Tree] = Kept()


def read_pages(asking: Asking) -> list[Section]:
    """The section of pages, even when it is empty."""
    project = asking.project
    if project is None:
        return []
    few = asking.max_chars // USUAL_LINE
    tree = _reaching(asking, project, few)
    leaves, fitting = _load(asking, tree, few)
    most = min(tree.total, MOST)
    if len(leaves) < most and sum(each.length for each in leaves) < asking.max_chars:
        tree = _reaching(asking, project, MOST)
        leaves, fitting = _load(asking, tree, MOST)
    others = enough([leaf for leaf in leaves if leaf.row.pk not in asking.ranks], asking.max_chars)
    entries: Sequence[Entry] = Lines(others, _entry, asking.max_chars)
    if fitting:
        entries = [*map(_lifted, fitting), *entries]
    call = asking.call("item_list kind=page")
    return [Section(PAGES, Listing("Pages", entries, tree.total, call))]


def _reaching(asking: Asking, project: Project, most: int) -> Tree:
    """The tree of the project, of the first so many at least."""
    state = asking.state or state_of(project)
    return _trees.get(project, state, lambda: _tree(project, most), lambda tree: tree.reaches(most))


def _load(asking: Asking, tree: Tree, most: int) -> tuple[list[Leaf], list[Row]]:
    """The first so many of the tree, and those that fit the focus, the best first."""
    first = list(islice(tree.first, most))
    keys = [*first, *asking.ranks]
    if not keys or asking.project is None:
        return [], []
    prepared = _WITH_ABOVE if asking.ranks else _ROWS
    loaded = prepared.rows(
        project=asking.project.pk, person=asking.caller.person_id, keys=list(dict.fromkeys(keys))
    )
    rows = {row[0]: Row(*row) for row in loaded}
    leaves = [
        Leaf(row, one_line(row.title), tree.first[key])
        for key in first
        if (row := rows.get(key)) is not None
    ]
    return leaves, [rows[key] for key in asking.ranks if key in rows]


def _rows(project: int, person: int, keys: Sequence[int]) -> QuerySet[Item, tuple[Any, ...]]:
    return (
        named_items(project, person)
        .filter(kind=PAGE.name, pk__in=keys, archived_at__isnull=True, locked_at__isnull=True)
        .order_by()
        .values_list(*_COLUMNS)
    )


def _with_above(project: int, person: int, keys: Sequence[int]) -> QuerySet[Item, tuple[Any, ...]]:
    return _rows(project, person, keys).values_list(*_COLUMNS, *_ABOVE)


_ROWS: Final = Prepared[tuple[Any, ...]](_rows, project=int, person=int, keys=list)
_WITH_ABOVE: Final = Prepared[tuple[Any, ...]](_with_above, project=int, person=int, keys=list)


def _tree(project: Project, most: int) -> Tree:
    """The tree as it stands, worked out anew only where pages are other ones or elsewhere."""
    (places,) = _PLACES.rows(project=project.pk) or [()]
    drawn = blake2b(repr(places).encode()).digest()
    before = _drawn.find(project)
    if before is not None and before[0] == drawn and before[1].reaches(most):
        return before[1]
    tree = _grown(places, most)
    _drawn.keep(project, (drawn, tree))
    return tree


# The tree that was worked out last, with a digest of all that it was worked out of.
_drawn: Lately[tuple[bytes, Tree]] = Lately()


def _grown(places: Sequence[Any], most: int) -> Tree:
    pages = (
        sorted(zip(*(read_numbers(places[each]) for each in (3, 4, 0, 1, 2)), strict=True))
        if places
        else []
    )
    below: dict[int, list[tuple[int, int]]] = {}
    known = {pk for _, _, pk, _, _ in pages}
    for _, _, pk, parent, locked in pages:
        below.setdefault(parent if parent in known else 0, []).append((pk, locked))
    total = sum(not locked for *_, locked in pages)
    return Tree(dict(islice(_walk(below), most)), total)


def _places(project: int) -> QuerySet[Item, tuple[Any, ...]]:
    """One row: keys, those of the parents (0: none), whether locked, ranks and numbers.

    One, since a row of its own for each costs more than all that is in it.
    """
    pages = Item.objects.filter(project=project, kind=PAGE.name, archived_at__isnull=True)
    locked = Case(
        When(locked_at__isnull=True, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    columns = ("pk", Coalesce("parent", Value(0)), locked, "rank", "number")
    lists = {f"list_{at}": Keys(each, distinct=False) for at, each in enumerate(columns)}
    whole = pages.order_by().annotate(whole=Value(1)).values("whole")
    return whole.annotate(**lists).values_list(*lists)


_PLACES: Final = Prepared[tuple[Any, ...]](_places, project=int)


def _walk(below: Mapping[int, Sequence[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """Every page before those below it, with how many above it are not locked."""
    waiting = [(pk, locked, 0) for pk, locked in reversed(below.get(0, ()))]
    while waiting:
        pk, locked, depth = waiting.pop()
        if not locked:
            yield pk, depth
            depth += 1
        waiting += [(child, each, depth) for child, each in reversed(below.get(pk, ()))]


def _entry(leaf: Leaf) -> Entry:
    row = leaf.row
    return Entry(f"{'  ' * leaf.depth}- #{row.number} v{row.version}", leaf.title)


def _lifted(row: Row) -> Entry:
    """The page out of its tree, since it fits the focus."""
    marks: tuple[str, ...] = ()
    if row.above is not None:
        marks = (f"in #{row.above}{' (locked)' if row.above_locked_at is not None else ''}",)
    return Entry(f"- #{row.number} v{row.version}", one_line(row.title), marks)
