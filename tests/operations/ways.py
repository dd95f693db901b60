"""Ways between processes that a test can cut: to one place, or to several in turn."""

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count


class Way:
    """A port of this machine that leads to the first of some ports that answers, in turn.

    As a proxy does that knows of no request: a connection to a server that is gone goes to
    the next one; one that breaks while it is used is broken for who uses it, too.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = tuple(ports)
        self._turns = count()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._is_cut = True
        with self._lock:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let new connections through."""
        self._is_cut = False

    def close(self) -> None:
        """End for good."""
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                arrived, _ = self._listener.accept()
            except OSError:
                return
            place = None if self._is_cut else self._reach()
            if place is None:
                arrived.close()
                continue
            with self._lock:
                self._open |= {arrived, place}
            for one, other in ((arrived, place), (place, arrived)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _reach(self) -> socket.socket | None:
        first = next(self._turns)
        for step in range(len(self.ports)):
            port = self.ports[(first + step) % len(self.ports)]
            try:
                reached = socket.create_connection(("127.0.0.1", port), timeout=5)
            except OSError:
                continue
            reached.settimeout(None)
            return reached
        return None

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for each in (one, other):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open -= {one}
        one.close()


@contextmanager
def way_to(*ports: int) -> Iterator[Way]:
    """A way, closed at the end."""
    made = Way(ports)
    try:
        yield made
    finally:
        made.close()
