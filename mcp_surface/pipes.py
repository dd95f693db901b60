"""Standard input and output as lines, read and written in threads of their own.

A thread that waits for a client cannot be interrupted, so both are daemons: the process
may end at any time, whatever the client does. Ordinary files work as pipes do.
"""

import asyncio
import os
import queue
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

CHUNK = 64 * 1024

Take = Callable[[bytes | None], Coroutine[Any, Any, None]]


@contextmanager
def claimed_pipes() -> Iterator[tuple[int, int]]:
    """Standard input and output, for the one conversation of this process alone.

    Meanwhile whatever else prints does so to standard error, and whatever else reads
    finds an end: a stray line on the real output would break the protocol.
    """
    theirs = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield theirs
    finally:
        # The descriptors stay open: a thread may still wait at them.
        for number, descriptor in enumerate(theirs):
            os.dup2(descriptor, number)


def lines(descriptor: int, *, limit: int) -> Iterator[bytes | None]:
    """Each line without its end; None for one of more than `limit` bytes, which is dropped."""
    kept = bytearray()
    dropping = False
    while chunk := os.read(descriptor, CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            dropping = dropping or len(kept) + len(part) > limit
            yield None if dropping else bytes(kept + part)
            kept.clear()
            dropping = False
        dropping = dropping or len(kept) + len(rest) > limit
        if dropping:
            kept.clear()
        else:
            kept += rest
    if kept or dropping:
        yield None if dropping else bytes(kept)


def start_reading(descriptor: int, take: Take, *, limit: int, at_end: Callable[[], None]) -> None:
    """Have `take` called in this event loop for every line, one after the other."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        # RuntimeError: the loop has ended meanwhile, and nobody listens any more.
        with suppress(RuntimeError):
            with suppress(OSError):
                for line in lines(descriptor, limit=limit):
                    asyncio.run_coroutine_threadsafe(take(line), loop).result()
            loop.call_soon_threadsafe(at_end)

    threading.Thread(target=read, name="stdin", daemon=True).start()


class Output:
    """Lines that leave in the order in which they were put, without anybody waiting.

    `at_break` is called in this event loop when the reader has gone away.
    """

    def __init__(self, descriptor: int, *, at_break: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._at_break = at_break
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._all_written = asyncio.Event()
        threading.Thread(target=self._write, name="stdout", daemon=True).start()

    def put(self, line: bytes) -> None:
        """Write a line, which has no end yet."""
        self._waiting.put(line + b"\n")

    async def finish(self) -> None:
        """Return when all is written, or the reader is gone."""
        self._waiting.put(None)
        await self._all_written.wait()

    def _write(self) -> None:
        with suppress(RuntimeError):
            try:
                while (line := self._waiting.get()) is not None:
                    _write_whole(self._descriptor, line)
            except OSError:
                self._loop.call_soon_threadsafe(self._at_break)
            self._loop.call_soon_threadsafe(self._all_written.set)


def _write_whole(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
