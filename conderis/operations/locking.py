"""Locks among the processes that use one database: while it is set up, served, or replaced."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from conderis.operations.faults import Fault

# Any number that nothing else on the server uses: the first bytes of SHA-256("conderis").
ADVISORY_LOCK = 0xCC6E64F6


@contextmanager
def setup_lock() -> Iterator[None]:
    """Wait until no other process sets up this database, and keep others waiting."""
    if connection.vendor == "postgresql":
        with _advisory_lock():
            yield
    elif _is_file():
        with _file_lock("setup-lock", fcntl.LOCK_EX):
            yield
    else:
        yield


@contextmanager
def serving_lock() -> Iterator[None]:
    """Say that this database is in use, to `replacing_lock`; any number of processes may.

    Take it while the database is held (`prepared_database`), so that none replaces it between.
    """
    if _is_file():
        with _file_lock("serve-lock", fcntl.LOCK_SH):
            yield
    else:
        yield


@contextmanager
def replacing_lock() -> Iterator[None]:
    """Keep a database in a file from being served until the block ends.

    Raises:
        Fault: it is being served.
    """
    if not _is_file():
        yield
        return
    try:
        with _file_lock("serve-lock", fcntl.LOCK_EX | fcntl.LOCK_NB):
            yield
    except BlockingIOError as error:
        raise Fault(
            f"The database {connection.settings_dict['NAME']} is being served. Stop the server, "
            "and clients that run mcp_stdio, first."
        ) from error


def _is_file() -> bool:
    name = str(connection.settings_dict["NAME"])
    return connection.vendor == "sqlite" and not (name == ":memory:" or "mode=memory" in name)


@contextmanager
def _advisory_lock() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [ADVISORY_LOCK])


@contextmanager
def _file_lock(name: str, how: int) -> Iterator[None]:
    """Hold the file of this name beside the database's.

    Raises:
        BlockingIOError: `how` says not to wait, and another process holds it.
    """
    # The file stays: removing it would let two processes hold locks on two files.
    path = Path(f"{connection.settings_dict['NAME']}.{name}")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)
