"""Rates, held in memory: what each holder has left in this process.

A token bucket (as in RFC 2697's meter): it holds a minute's worth, is full at first, and
fills evenly. So a burst of a minute passes, and after it the even rate.
"""

import threading
import time
from collections.abc import Callable
from math import ceil
from typing import Final

MOST_HOLDERS: Final = 10_000
MINUTE: Final = 60.0  # seconds


class Buckets:
    """A bucket for each holder, which is any text. Forgetting one fills it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, tuple[float, float]] = {}  # what was left, and when

    def take(self, holder: str, *, a_minute: int) -> int:
        """Take one; 0 where there was one, else the seconds until there is."""
        now = self._clock()
        with self._lock:
            left, then = self._held.get(holder, (float(a_minute), now))
            left = min(float(a_minute), left + (now - then) * a_minute / MINUTE)
            if left < 1:
                return max(1, ceil((1 - left) * MINUTE / a_minute))
            if holder not in self._held and len(self._held) >= MOST_HOLDERS:
                self._held.clear()
            self._held[holder] = (left - 1, now)
            return 0

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._held.clear()
