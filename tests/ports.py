"""Ports for servers that tests start."""

import os
import socket
from itertools import count

# Below those that the system gives to connections that go out: one of these could otherwise
# take a port between the moment that it is chosen and the one that the server listens on it.
FIRST, LAST = 18_000, 31_000

_numbers = count(os.getpid() * 97)
_held: list[socket.socket] = []


def free_port() -> int:
    """A port of the loopback address that nothing listens on, and that no other process of
    tests is given while this one lives: its UDP twin is held.
    """
    for number in _numbers:
        port = FIRST + number % (LAST - FIRST)
        twin = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            twin.bind(("127.0.0.1", port))
            with socket.socket() as listening:
                listening.bind(("127.0.0.1", port))
        except OSError:
            twin.close()
            continue
        _held.append(twin)
        return port
    raise AssertionError("unreachable: the numbers do not end")
