"""What writes to an SQLite file as the product does: connections for tests, and a process.

Started as `python -m tests.common.turn_taking FOLDER hold`, it begins a transaction, says so
and keeps it; with `write NAME TIMES` it waits for a line, and writes its name so many times.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db.utils import ConnectionHandler

from conderis.common.databases import database

HELD_SECONDS = 0.002  # long enough for others to come


def connections_to(folder: Path) -> ConnectionHandler:
    """Connections as the product opens them, one for each thread."""
    return ConnectionHandler({"default": database("", folder=folder, connections=1)})


@contextmanager
def transaction_on(connection: Any) -> Iterator[None]:
    """A transaction, begun as `atomic` does."""
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        yield
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    finally:
        connection.set_autocommit(True)


def write(connection: Any, name: str) -> None:
    """A row with this name."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO written (name) VALUES (%s)", [name])


def written(connection: Any) -> list[str]:
    """The names, in the order in which they were written."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM written ORDER BY id")
        return [name for (name,) in cursor.fetchall()]


def main(folder: str, what: str, name: str = "", times: str = "0") -> None:
    """Hold the turn until the process is killed, or write."""
    # Django is not set up here, since nothing of it but connections is used.
    warnings.simplefilter("ignore", RuntimeWarning)
    connection = connections_to(Path(folder))["default"]
    connection.ensure_connection()
    sys.stdout.write("here\n")
    sys.stdout.flush()
    if what == "hold":
        with transaction_on(connection):
            write(connection, "held")
            sys.stdout.write("held\n")
            sys.stdout.flush()
            sys.stdin.readline()
    sys.stdin.readline()
    for _ in range(int(times)):
        with transaction_on(connection):
            write(connection, name)
            time.sleep(HELD_SECONDS)
    connection.close()


if __name__ == "__main__":
    from django.conf import settings

    settings.configure()
    main(*sys.argv[1:])
