"""Memories as rows and as lines: what is loaded of one, and what its line says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from conderis.common.caller import Caller
from conderis.common.text import cut_at_word, without_heading
from items.recall.entries import CUT, Entry, one_line
from items.recall.filling import SHORTEST_LINE
from items.recall.lines import least_of
from items.recall.populations import CRITICAL, Population

GIST = 160  # characters of the content that stand in for a summary
LOADED = GIST * 4 + 4  # characters of it that `cut_at_word` looks at

# What the groups of a grouped recall are ordered by.
_FITTING, _BAGS, _TAGGED, _REST = range(4)


class Row(NamedTuple):
    """What is loaded of a memory.

    `gist` is the summary, or the beginning of the content, on one line. `unmatched` is 0
    where it, or one of the children, fits the focus, and `total` says how many there
    are; each where that was asked. `tags` and `credit` are JSON.
    """

    pk: int
    parent: int | None
    number: int | None
    public_id: str
    version: int
    title: str
    gist: str
    weight: str
    visibility: str
    tags: str
    author: int
    author_name: str
    credit: str | None
    unmatched: int = 1
    total: int = 1

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(self.title) + len(self.gist)

    @property
    def first_tag(self) -> str:
        """Its first tag, or nothing."""
        return next(iter(json.loads(self.tags)), "")

    @property
    def credited(self) -> str | None:
        """Who wrote it where it was imported from."""
        credit = json.loads(self.credit) if self.credit is not None else None
        return str(credit.get("name", "")) if credit is not None else None

    @property
    def least(self) -> int:
        """Characters below which it has no line."""
        return least_of(self.title) + (len(f": {CUT}") if self.gist else 0)


class Spot(NamedTuple):
    """A memory before anything else of it is loaded; `at` is its last change, to sort by."""

    at: str
    pk: int
    weight: str


class Child(NamedTuple):
    """What is loaded of a memory in a bag."""

    pk: int
    parent: int
    number: int | None
    public_id: str
    version: int
    title: str


def read_row(*values: Any) -> Row:
    """A row from the columns of `loading`."""
    pk, parent, number, public_id, version, title, summary, beginning, *others = values
    gist = one_line(summary) or cut_at_word(without_heading(beginning, title), GIST)
    return Row(pk, parent, number, public_id, version, one_line(title), gist, *others)


def reference(row: Row | Child, population: Population, *, long: bool) -> str:
    """`#12`; without a project `memory:<id>`; of another project `owner/name#12`."""
    if population.project is None:
        return f"memory:{row.public_id}"
    return f"{population.project.full_name if long else ''}#{row.number}"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the lines of one population's memories for a caller.

    `long` references are those of another project; `grouped` lines name their first tag.
    """

    caller: Caller
    population: Population
    children: Mapping[int, Sequence[Child]]
    ranks: Mapping[int, int]
    long: bool = False
    grouped: bool = False
    tells_critical: bool = False

    def entry(self, row: Row) -> Entry:
        """The memory as an entry of a listing."""
        inside = self.children.get(row.pk, ())
        tag = row.first_tag if self.grouped and not inside else ""
        label = f" [{one_line(tag)}]" if tag else ""
        return Entry(
            head=f"- {self._named(row)}{label}",
            title=row.title,
            marks=self._marks(row, len(inside)),
            detail=row.gist,
            children=tuple(f"{self._named(each)} {one_line(each.title)}" for each in inside),
            group=self._group(row, tag, is_bag=bool(inside)),
        )

    def _named(self, row: Row | Child) -> str:
        return f"{reference(row, self.population, long=self.long)} v{row.version}"

    def _marks(self, row: Row, inside: int) -> tuple[str, ...]:
        told = [
            ("critical", self.tells_critical and row.weight == CRITICAL),
            ("private", self.population.project is not None and row.visibility == "private"),
            self._author(row),
            (f"holds {inside}", inside > 0),
        ]
        return tuple(mark for mark, is_so in told if is_so)

    def _author(self, row: Row) -> tuple[str, bool]:
        credited = row.credited
        if credited is not None:
            return f"by {one_line(credited)} (imported)", True
        return f"by {one_line(row.author_name)}", row.author != self.caller.person_id

    def _group(self, row: Row, tag: str, *, is_bag: bool) -> tuple[int, str]:
        if not self.grouped:
            return (0, "")
        if row.pk in self.ranks:
            return (_FITTING, "")
        if is_bag:
            return (_BAGS, "")
        return (_TAGGED, tag.casefold()) if tag else (_REST, "")
