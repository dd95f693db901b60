"""How many items there are where a search looks, which says how rare a word is there."""

import time
from collections.abc import Sequence


class Totals:
    """How many items there are in scopes that hold many, for a minute.

    It says no more than how rare a word is, which some items more or less do not change.
    """

    SECONDS = 60
    MANY = 1_000  # fewer are counted each time
    MOST = 1_000  # scopes

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...] | None, tuple[int, float]] = {}

    def find(self, scopes: Sequence[str] | None) -> int | None:
        """The number, if it is known."""
        total, until = self._known.get(_key(scopes), (None, 0.0))
        return total if time.monotonic() < until else None

    def keep(self, scopes: Sequence[str] | None, total: int) -> None:
        """Know the number for a minute from when it was counted."""
        if total < self.MANY or self.find(scopes) is not None:
            return
        if len(self._known) >= self.MOST:
            self._known.clear()
        self._known[_key(scopes)] = total, time.monotonic() + self.SECONDS

    def forget(self) -> None:
        """Count anew."""
        self._known.clear()


def _key(scopes: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if scopes is None else tuple(scopes)
