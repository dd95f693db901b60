"""The pages: the tree of documentation, by title."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db.models import QuerySet

from conderis.common.prepared import Prepared
from items.access import items_of_project
from items.kept import Kept, state_of
from items.kinds.page import PAGE
from items.models import Item
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough
from items.recall.listing import Listing
from items.recall.slots import PAGES, Section
from projects.models import Project

MOST = 60_000 // SHORTEST_LINE  # pages that the longest recall can hold
_COLUMNS = ("pk", "number", "version", "title", "parent__number", "parent__locked_at")


@dataclass(frozen=True, slots=True)
class Row:
    """What is loaded of a page."""

    pk: int
    number: int
    version: int
    title: str
    above: int | None
    above_locked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Tree:
    """The pages that are not locked, each before those below it.

    The keys of the first ones with how many pages above each are shown, and how many there
    are in all.
    """

    first: Mapping[int, int]
    total: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page in its place in the tree; `depth` counts the pages above it that are shown."""

    row: Row
    depth: int

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(one_line(self.row.title))


# The same for everyone who may read the project: no page is private.
_trees: Kept[Tree] = Kept()


def read_pages(asking: Asking) -> list[Section]:
    """The section of pages, even when it is empty."""
    project = asking.project
    if project is None:
        return []
    tree = _trees.get(
        project, asking.state or state_of(project), lambda: _tree(project), lambda _: True
    )
    leaves, fitting = _load(asking, tree, asking.max_chars // USUAL_LINE)
    if len(leaves) < len(tree.first) and sum(each.length for each in leaves) < asking.max_chars:
        leaves, fitting = _load(asking, tree, len(tree.first))
    others = [leaf for leaf in leaves if leaf.row.pk not in asking.ranks]
    entries = [_lifted(row) for row in fitting]
    entries += [_entry(leaf) for leaf in enough(others, asking.max_chars)]
    call = asking.call("item_list kind=page")
    return [Section(PAGES, Listing("Pages", entries, tree.total, call))]


def _load(asking: Asking, tree: Tree, most: int) -> tuple[list[Leaf], list[Row]]:
    """The first so many of the tree, and those that fit the focus, the best first."""
    first = list(islice(tree.first, most))
    keys = [*first, *asking.ranks]
    if not keys or asking.project is None:
        return [], []
    loaded = _ROWS.rows(
        project=asking.project.pk, person=asking.caller.person_id, keys=list(dict.fromkeys(keys))
    )
    rows = {row[0]: Row(*row) for row in loaded}
    leaves = [Leaf(rows[key], tree.first[key]) for key in first if key in rows]
    return leaves, [rows[key] for key in asking.ranks if key in rows]


def _rows(project: int, person: int, keys: Sequence[int]) -> QuerySet[Item, tuple[Any, ...]]:
    return (
        items_of_project(project, person)
        .filter(kind=PAGE.name, pk__in=keys, archived_at__isnull=True, locked_at__isnull=True)
        .order_by()
        .values_list(*_COLUMNS)
    )


_ROWS: Final = Prepared[tuple[Any, ...]](_rows, project=int, person=int, keys=list)


def _tree(project: Project) -> Tree:
    below: dict[int | None, list[tuple[int, bool]]] = {}
    rows = _PLACES.rows(project=project.pk)
    known = {pk for pk, _, _ in rows}
    for pk, parent, locked_at in rows:
        place = parent if parent in known else None
        below.setdefault(place, []).append((pk, locked_at is not None))
    total = sum(locked_at is None for _, _, locked_at in rows)
    return Tree(dict(islice(_walk(below, None, 0), MOST)), total)


def _places(project: int) -> QuerySet[Item, tuple[Any, ...]]:
    rows = Item.objects.filter(project=project, kind=PAGE.name, archived_at__isnull=True)
    return rows.order_by("rank", "number").values_list("pk", "parent_id", "locked_at")


_PLACES: Final = Prepared[tuple[Any, ...]](_places, project=int)


def _walk(
    below: Mapping[int | None, Sequence[tuple[int, bool]]], at: int | None, depth: int
) -> Iterator[tuple[int, int]]:
    for pk, locked in below.get(at, ()):
        if not locked:
            yield pk, depth
        yield from _walk(below, pk, depth if locked else depth + 1)


def _entry(leaf: Leaf) -> Entry:
    row = leaf.row
    return Entry(f"{'  ' * leaf.depth}- #{row.number} v{row.version}", one_line(row.title))


def _lifted(row: Row) -> Entry:
    """The page out of its tree, since it fits the focus."""
    marks: tuple[str, ...] = ()
    if row.above is not None:
        marks = (f"in #{row.above}{' (locked)' if row.above_locked_at is not None else ''}",)
    return Entry(f"- #{row.number} v{row.version}", one_line(row.title), marks)
