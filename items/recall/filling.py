"""How many rows are loaded: as many as certainly fill the recall, and not many more."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from items.recall.asking import Asking

SHORTEST_LINE = 9  # characters of `- #1 v1 ` and a line break, without a title
USUAL_LINE = 40  # fewer than most lines have


class Sized(Protocol):
    """A row that knows how many characters its line has at least."""

    @property
    def length(self) -> int:
        """Characters that its line has at least."""


R = TypeVar("R", bound=Sized)


def enough(rows: Iterable[R], room: int) -> list[R]:
    """The first rows, as many as certainly fill the room."""
    found: list[R] = []
    for row in rows:
        if room < 0:
            break
        found.append(row)
        room -= row.length
    return found


def fetched(asking: Asking, fetch: Callable[[int], Sequence[R]], *, beside: int = 0) -> Sequence[R]:
    """Rows enough to fill the recall, and those that fit the focus in any case.

    `fetch` gives the first ones of the order; so many `beside` them do not count. It is
    asked once, and again only where there are more and lines are uncommonly short.
    """
    extra = beside + 2 * len(asking.ranks)  # those that fit, and the bags that hold them
    limit = asking.max_chars // USUAL_LINE + extra
    rows = fetch(limit)
    if len(rows) < limit or sum(row.length for row in rows[extra:]) > asking.max_chars:
        return rows
    return fetch(asking.max_chars // SHORTEST_LINE + extra)
