"""Turns to write to one SQLite file: first come, first served.

SQLite lets one write at a time, and who waits sleeps up to a tenth of a second between two
tries: meanwhile others come and write, so that some wait for seconds. Here they stand in line.

Within a process the threads of the file's `Line` come one after the other. Between processes
the foremost of each goes through places, locked bytes of a file beside the database: nobody
leaves the last place before the next one is free, so none who has just written gets past those
who wait. The locks are POSIX's, as those of SQLite itself: they end with their process. Closing
the file ends all of a process's locks on it, so that nobody but the foremost has it open.

A turn is a courtesy. SQLite's own lock decides who writes: it holds as well against whoever
writes without a turn, and where the file of the places cannot be used.
"""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from weakref import ref

if sys.platform != "win32":
    import fcntl

SUFFIX: Final = ".turn-lock"
# The turn, and the places before it. More processes than these come in any order at the last.
PLACES: Final = 8
POLL_SECONDS: Final = 0.0005
# A wait is a long one after this (a file is written anew), and asked for less often.
LONG_SECONDS: Final = 0.2
LONG_POLL_SECONDS: Final = 0.002
# How soon a turn is found free whose thread has died with its connection.
GONE_SECONDS: Final = 0.25


class Turn:
    """A turn to write: until `Line.leave`, or until nobody refers to it any more."""

    __slots__ = ("__weakref__", "descriptor")

    def __init__(self) -> None:
        self.descriptor = -1

    def let_go(self) -> None:
        """Let other processes come."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __del__(self) -> None:
        self.let_go()


class Line:
    """Those who want to write to one file, in this process and beside the others."""

    def __init__(self, database: str) -> None:
        self.path = f"{database}{SUFFIX}"
        self._database = database
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        # Not known by more than a reference: whoever dies with a turn must not keep it.
        self._foremost: ref[Turn] | None = None

    def take(self, patience: Callable[[], float]) -> tuple[Turn | None, float | None]:
        """A turn, and the seconds of patience that are left: None where it did not wait.

        `patience` says for how many seconds it would wait, and is asked only where others are
        before. There is no turn where they have passed.
        """
        turn = Turn()
        comes_first = self._comes_first(turn)
        if comes_first and self._enter(turn):
            return turn, None
        try:
            until = time.monotonic() + patience()
            if (comes_first or self._stand(turn, until)) and self._go_on(turn, until):
                return turn, max(0.0, until - time.monotonic())
        except BaseException:
            self.leave(turn)
            raise
        self.leave(turn)
        return None, 0.0

    def leave(self, turn: Turn) -> None:
        """Give a turn back, that the next one may come."""
        turn.let_go()
        with self._guard:
            if self._foremost is not None and self._foremost() is turn:
                self._foremost = None
                self._call_next()

    def _comes_first(self, turn: Turn) -> bool:
        with self._guard:
            if self._waiting or self._is_taken():
                return False
            self._foremost = ref(turn)
            return True

    def _is_taken(self) -> bool:
        return self._foremost is not None and self._foremost() is not None

    def _call_next(self) -> None:
        if self._waiting:
            self._waiting[0].set()

    def _stand(self, turn: Turn, until: float) -> bool:
        """Wait until all threads that came before are gone; whether they are."""
        called = threading.Event()
        with self._guard:
            self._waiting.append(called)
        try:
            left = until - time.monotonic()
            while left > 0:
                called.wait(min(left, GONE_SECONDS))
                with self._guard:
                    if self._waiting[0] is called and not self._is_taken():
                        self._foremost = ref(turn)
                        return True
                left = until - time.monotonic()
            return False
        finally:
            with self._guard:
                self._waiting.remove(called)
                if not self._is_taken():
                    self._call_next()

    def _enter(self, turn: Turn) -> bool:
        """Take the turn if no other process has it or waits; so too where that is not known."""
        if sys.platform == "win32":  # turns within a process alone
            return True
        try:
            turn.descriptor = self._opened()
            if not _lock(turn.descriptor, 0, PLACES):
                return False
            fcntl.lockf(turn.descriptor, fcntl.LOCK_UN, PLACES - 1, 1)
        except OSError:
            turn.let_go()
        return True

    def _go_on(self, turn: Turn, until: float) -> bool:
        """Wait from place to place until the turn has come; whether it has."""
        if turn.descriptor < 0 and self._enter(turn):
            return True
        long_from = time.monotonic() + LONG_SECONDS
        try:
            for place in reversed(range(PLACES)):
                while not _lock(turn.descriptor, place, 1):
                    now = time.monotonic()
                    if now >= until:
                        return False
                    pause = POLL_SECONDS if now < long_from else LONG_POLL_SECONDS
                    time.sleep(min(pause, until - now))
                if place + 1 < PLACES:
                    fcntl.lockf(turn.descriptor, fcntl.LOCK_UN, 1, place + 1)
        except OSError:
            turn.let_go()
        return True

    def _opened(self) -> int:
        """The file of the places; new ones are for those alone who may use the database."""
        flags = os.O_RDWR | os.O_CLOEXEC
        try:
            return os.open(self.path, flags)
        except FileNotFoundError:
            owner = Path(self._database).stat()
            descriptor = os.open(self.path, flags | os.O_CREAT, 0o600)
            # As SQLite gives its own: a command run by root must not lock the server out.
            with suppress(OSError):
                os.fchown(descriptor, owner.st_uid, owner.st_gid)
            return descriptor


def _lock(descriptor: int, place: int, count: int) -> bool:
    """Lock places at once; whether no other process has one of them.

    Raises:
        OSError: there are no locks here.
    """
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, count, place)
    except (BlockingIOError, PermissionError):  # EAGAIN or EACCES, as the system likes
        return False
    return True


_lines: dict[str, Line] = {}
if hasattr(os, "register_at_fork"):
    # Those who wait and write are threads of the parent.
    os.register_at_fork(after_in_child=_lines.clear)


def line_of(database: str) -> Line:
    """The line of the database in this file, one for all threads of the process."""
    path = os.path.realpath(database)
    return _lines.get(path) or _lines.setdefault(path, Line(path))
