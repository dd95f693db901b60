"""Whether this process can do its work: its database is reached, migrated, and takes writes.

Asked on a connection of its own, so that neither a pool that is in use nor an open file
that was replaced hides the truth. It really writes, to one row of the cache's table, since
a full disk or a file that cannot be written shows by nothing else. What was found stands for
a second, however often it is asked.
"""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

MAINTENANCE_FILE: Final = "maintenance"
FRESH_SECONDS: Final = 1.0
WAIT_SECONDS: Final = 2

MAINTENANCE: Final = "maintenance"
UNREACHABLE: Final = "the database cannot be reached"
READ_ONLY: Final = "the database cannot be written"
FULL: Final = "the disk is full or cannot be written"
NOT_MIGRATED: Final = "migrations are missing"
NEWER: Final = "the database is of a newer version"

_KEY: Final = "conderis-ready"
_READ_ONLY_CODES: Final = ("SQLITE_READONLY", "SQLITE_PERM", "25006")
_FULL_CODES: Final = ("SQLITE_FULL", "SQLITE_IOERR", "53100")
_BUSY_CODES: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "57014")
_EXPIRES: Final = "9999-01-01 00:00:00"


class _Answer:
    """What was found last, and when."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.at: float | None = None
        self.reason: str | None = None
        self.migrations: tuple[frozenset[Any], frozenset[Any], frozenset[str]] | None = None


_last: Final = _Answer()


def why_not_ready() -> str | None:
    """Why nothing should be sent here now, in a few words; None where all is well."""
    if (Path(settings.DATA_FOLDER) / MAINTENANCE_FILE).exists():
        return MAINTENANCE
    with _last.lock:
        now = time.monotonic()
        if _last.at is None or now - _last.at >= FRESH_SECONDS:
            _last.reason = _look()
            _last.at = time.monotonic()
        return _last.reason


def forget() -> None:
    """Look anew at the next question."""
    with _last.lock:
        _last.at = None


def _look() -> str | None:
    check = _postgresql if connection.vendor == "postgresql" else _sqlite
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever it is, it cannot be used
        code = str(getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", "") or "")
        for codes, reason in ((_READ_ONLY_CODES, READ_ONLY), (_FULL_CODES, FULL)):
            if code.startswith(codes):
                return reason
        # Somebody else writes: so it can be written.
        return None if code.startswith(_BUSY_CODES) else UNREACHABLE


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
