"""An SQLite database: copied while it is used, and put in the place of another."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from django.db import connection, connections

from conderis.common.sqlite.turns import SUFFIX as TURNS
from conderis.operations.faults import Fault

VERSION = sqlite3.sqlite_version
_SIDES = ("-wal", "-shm", "-journal")


def database_file() -> Path:
    """The file of the database."""
    return Path(str(connection.settings_dict["NAME"]))


def size_of(path: Path) -> int:
    """How many bytes a database takes with what is not yet in its file."""
    return sum(side.stat().st_size for side in (path, _side(path, "-wal")) if side.exists())


def copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, whole, to a file that its owner alone may read.

    Writers go on: the copy reads one state beside the write-ahead log.

    Raises:
        Fault: it cannot be read, or the copy is not sound.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as write:
            read.backup(write)  # all in one step: else each writer makes it begin anew
            _fold(write)
    except sqlite3.Error as error:
        raise Fault(f"The database {source} cannot be copied: {error}") from error
    require_sound(target)


def require_sound(path: Path) -> None:
    """Go on only with a file that SQLite finds whole.

    Raises:
        Fault: it is damaged, or no database.
    """
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise Fault(f"The database {path} is damaged: {found}")


def first_row(path: Path, statement: str) -> tuple[int, ...]:
    """The first row of what a database answers."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        row: tuple[int, ...] = database.execute(statement).fetchone()
        return row


@contextmanager
def using(path: Path) -> Iterator[None]:
    """Have Django use another file as its database until the block ends."""
    settings = connections["default"].settings_dict
    usual = settings["NAME"]
    connections.close_all()
    settings["NAME"] = str(path)
    try:
        yield
    finally:
        connections.close_all()
        settings["NAME"] = usual


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """Hold a database that no other process has open, so that none opens it until the end.

    One that is damaged is not held: nobody can use it.

    Raises:
        Fault: another process has it open.
    """
    if not path.exists():
        yield
        return
    with closing(sqlite3.connect(path, timeout=2, isolation_level=None)) as database:
        try:
            _fold(database)  # SQLite does so for who is alone
            database.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Fault(
                    f"The database {path} is in use by another process. Stop the server and "
                    "whatever else uses it first."
                ) from error
        except sqlite3.DatabaseError:
            pass
        yield


def put_in_place(new: Path, path: Path) -> None:
    """Have the new database be the one at the path, at once; the old one is gone.

    The caller holds the old one (`held_alone`).
    """
    with closing(sqlite3.connect(new, isolation_level=None)) as database:
        _fold(database)
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    # They belong to the old one, and would be read into the new one.
    for side in _SIDES:
        _side(path, side).unlink(missing_ok=True)
    new.replace(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a database's file and those beside it."""
    for name in ("", *_SIDES, TURNS):
        _side(path, name).unlink(missing_ok=True)


def _fold(database: sqlite3.Connection) -> None:
    """Bring what is in the write-ahead log into the file, and do without it.

    Raises:
        sqlite3.OperationalError: another connection is there ("database is locked").
    """
    mode = database.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    if mode != "delete":
        raise sqlite3.OperationalError("database is locked")


def _side(path: Path, name: str) -> Path:
    return path.with_name(path.name + name)
