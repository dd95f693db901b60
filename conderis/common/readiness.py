"""Whether this process can do its work: its database is reached, migrated, and takes writes.

Asked on a connection of its own, so that neither a pool that is in use nor an open file
that was replaced hides the truth. It really writes, to one row of the cache's table, since
a full disk or a file that cannot be written shows by nothing else. What was found stands for
a second, however often it is asked. While one looks, nobody waits for it: the others are told
what was found last, for some seconds.
"""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeGuard

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from conderis.common.outages import (
    BUSY_CODES,
    FULL_CODES,
    NO_TABLE_CODES,
    READ_ONLY_CODES,
    code_of,
)

MAINTENANCE_FILE: Final = "maintenance"
FRESH_SECONDS: Final = 1.0
WAIT_SECONDS: Final = 2
LATE_SECONDS: Final = 6.0  # a look that takes longer hangs

MAINTENANCE: Final = "maintenance"
UNREACHABLE: Final = "the database cannot be reached"
READ_ONLY: Final = "the database cannot be written"
FULL: Final = "the disk is full or cannot be written"
NOT_MIGRATED: Final = "migrations are missing"
NEWER: Final = "the database is of a newer version"

_KEY: Final = "conderis-ready"
_REASONS: Final = (
    (READ_ONLY_CODES, READ_ONLY),
    (FULL_CODES, FULL),
    (NO_TABLE_CODES, NOT_MIGRATED),
    (BUSY_CODES, None),  # somebody else writes: so it can be written
)
_EXPIRES: Final = "9999-01-01 00:00:00"


class _Answer:
    """What was found last, and when; the lock is held by the one who looks."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.found: tuple[float, str | None] | None = None
        self.migrations: tuple[frozenset[Any], frozenset[Any], frozenset[str]] | None = None


_last: Final = _Answer()


def why_not_ready() -> str | None:
    """Why nothing should be sent here now, in a few words; None where all is well."""
    if (Path(settings.DATA_FOLDER) / MAINTENANCE_FILE).exists():
        return MAINTENANCE
    found = _last.found
    if _is_younger(found, FRESH_SECONDS):
        return found[1]
    # Who asks first of all waits a little, since nothing is known yet.
    if not _last.lock.acquire(timeout=0 if found else WAIT_SECONDS):
        return found[1] if _is_younger(found, LATE_SECONDS) else UNREACHABLE
    try:
        found = _last.found
        if not _is_younger(found, FRESH_SECONDS):
            reason = _look()
            _last.found = found = time.monotonic(), reason
        return found[1]
    finally:
        _last.lock.release()


def _is_younger(
    found: tuple[float, str | None] | None, seconds: float
) -> TypeGuard[tuple[float, str | None]]:
    return found is not None and time.monotonic() - found[0] < seconds


def forget() -> None:
    """Look anew at the next question."""
    with _last.lock:
        _last.found = None


def _look() -> str | None:
    check = _postgresql if connection.vendor == "postgresql" else _sqlite
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever it is, it cannot be used
        code = code_of(error)
        return next((reason for codes, reason in _REASONS if code.startswith(codes)), UNREACHABLE)


def _sqlite() -> str | None:
    # A path, not a name that makes the file; as in use, it may be a shared one in memory.
    name = str(connection.settings_dict["NAME"])
    address = name if name.startswith("file:") else f"{Path(name).absolute().as_uri()}?mode=rw"
    opened = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
    with closing(opened) as probe:
        reason = _of_migrations(probe.execute)
        if reason is None:
            probe.execute("PRAGMA secure_delete = ON")
            probe.execute(_write("?"), [_KEY, str(time.time())])
        return reason


def _postgresql() -> str | None:
    # psycopg takes a tenth of a second at every start on SQLite.
    import psycopg  # noqa: PLC0415

    limits = f"-c statement_timeout={WAIT_SECONDS}s -c lock_timeout={WAIT_SECONDS}s"
    params = {
        **connection.get_connection_params(),
        "connect_timeout": WAIT_SECONDS,
        "options": limits,
    }
    with psycopg.connect(**params, autocommit=True) as probe:
        reason = _of_migrations(probe.execute)
        if reason is None:
            probe.execute(_write("%s"), [_KEY, str(time.time())])
        return reason


def _write(place: str) -> str:
    """Write the one row anew: what came before it does not stay."""
    table = settings.CACHES["default"]["LOCATION"]
    return (
        f"INSERT INTO {table} (cache_key, value, expires) "  # noqa: S608 - a name of our settings
        f"VALUES ({place}, {place}, '{_EXPIRES}') "
        "ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value"
    )


def _of_migrations(execute: Callable[..., Any]) -> str | None:
    """Why the database is not of this version; read from the table of what was applied."""
    leaves, known, apps = _expected()
    rows = execute("SELECT app, name FROM django_migrations").fetchall()
    applied = {(app, name) for app, name in rows}
    if not leaves <= applied:
        return NOT_MIGRATED
    return NEWER if any(row not in known for row in applied if row[0] in apps) else None


def _expected() -> tuple[frozenset[Any], frozenset[Any], frozenset[str]]:
    """The last migrations of this code, all that it knows, and the apps that have any."""
    if _last.migrations is None:
        loader = MigrationLoader(None, ignore_no_migrations=True)
        known = set(loader.disk_migrations)
        for migration in loader.disk_migrations.values():
            known.update(migration.replaces)
        _last.migrations = (
            frozenset(loader.graph.leaf_nodes()),
            frozenset(known),
            frozenset(loader.migrated_apps),
        )
    return _last.migrations
