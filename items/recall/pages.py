"""The pages: the tree of documentation, by title."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from conderis.common.prepared import Prepared
from items.access import items_of_project
from items.kinds.page import PAGE
from items.models import Item
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, enough
from items.recall.listing import Listing
from items.recall.slots import PAGES, Section

_COLUMNS = ("pk", "parent_id", "number", "version", "title", "locked_at")


@dataclass(frozen=True, slots=True)
class Row:
    """What is loaded of a page."""

    pk: int
    parent: int | None
    number: int
    version: int
    title: str
    locked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page in its place in the tree; `depth` counts the pages above it that are shown."""

    row: Row
    above: Row | None
    depth: int

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(one_line(self.row.title))


def _pages(project: int, person: int) -> QuerySet[Item, tuple[Any, ...]]:
    return (
        items_of_project(project, person)
        .filter(kind=PAGE.name, archived_at__isnull=True)
        .order_by("rank", "number")
        .values_list(*_COLUMNS)
    )


_PAGES: Final = Prepared[tuple[Any, ...]](_pages, project=int, person=int)


def read_pages(asking: Asking) -> list[Section]:
    """The section of pages, even when it is empty."""
    if asking.project is None:
        return []
    found = _PAGES.rows(project=asking.project.pk, person=asking.caller.person_id)
    rows = [Row(*row) for row in found]
    leaves = list(_tree(rows))
    entries = [_entry(leaf) for leaf in enough(leaves, asking.max_chars)]
    fitting = [leaf for leaf in leaves if leaf.row.pk in asking.ranks]
    if fitting:
        fitting.sort(key=lambda leaf: asking.ranks[leaf.row.pk])
        others = (leaf for leaf in leaves if leaf.row.pk not in asking.ranks)
        entries = [_lifted(leaf) for leaf in fitting]
        entries += [_entry(leaf) for leaf in enough(others, asking.max_chars)]
    call = asking.call("item_list kind=page")
    return [Section(PAGES, Listing("Pages", entries, len(leaves), call))]


def _tree(rows: Sequence[Row]) -> Iterator[Leaf]:
    """The pages that are not locked, each before those below it."""
    known = {row.pk for row in rows}
    below: dict[int | None, list[Row]] = {}
    for row in rows:
        below.setdefault(row.parent if row.parent in known else None, []).append(row)
    return _walk(below, None, None, 0)


def _walk(
    below: Mapping[int | None, Sequence[Row]], at: int | None, above: Row | None, depth: int
) -> Iterator[Leaf]:
    for row in below.get(at, ()):
        if row.locked_at is None:
            yield Leaf(row, above, depth)
            yield from _walk(below, row.pk, row, depth + 1)
        else:
            yield from _walk(below, row.pk, row, depth)


def _entry(leaf: Leaf) -> Entry:
    row = leaf.row
    return Entry(f"{'  ' * leaf.depth}- #{row.number} v{row.version}", one_line(row.title))


def _lifted(leaf: Leaf) -> Entry:
    """The page out of its tree, since it fits the focus."""
    marks: tuple[str, ...] = ()
    if leaf.above is not None:
        locked = " (locked)" if leaf.above.locked_at is not None else ""
        marks = (f"in #{leaf.above.number}{locked}",)
    return Entry(f"- #{leaf.row.number} v{leaf.row.version}", one_line(leaf.row.title), marks)
