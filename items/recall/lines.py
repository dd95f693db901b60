"""Entries that are made only where they are looked at.

A section has many more rows than lines: for most of them it is enough to know that there
is no room left.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar, overload

from items.recall.entries import MIN_TITLE, Entry
from items.recall.filling import SHORTEST_LINE, Sized


class Measured(Sized, Protocol):
    """A row that also knows in how little room nothing of it is shown."""

    @property
    def least(self) -> int:
        """Characters, without a line break, below which its line is left out in any case."""


R = TypeVar("R", bound=Measured)


def least_of(title: str) -> int:
    """Characters below which a line with this title is left out, whatever else it has."""
    return SHORTEST_LINE - 1 + min(MIN_TITLE, len(title))


class Lines(Sequence[Entry], Generic[R]):
    """The entries of these rows; `enough` are characters of which they are given no more."""

    def __init__(self, rows: Sequence[R], make: Callable[[R], Entry], enough: int) -> None:
        self._rows = rows
        self._make = make
        self._enough = enough
        self._made: list[Entry | None] = [None] * len(rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...

    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        entry = self._made[place]
        if entry is None:
            entry = self._made[place] = self._make(self._rows[place])
        return entry

    @property
    def length(self) -> int:
        """Characters of all of them with a line break for each, or more than `enough`."""
        least = sum(row.length for row in self._rows)
        return least if least > self._enough else length_of(self)

    @cached_property
    def least(self) -> Sequence[int]:
        """By place the characters below which the line there is left out in any case."""
        return [row.least for row in self._rows]


def length_of(entries: Sequence[Entry]) -> int:
    """Characters of these entries in full, with a line break for each."""
    return sum(len(entry.full) + 1 for entry in entries)
