"""A PostgreSQL database: dumped while it is used, and filled from a dump in one transaction."""

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.apps import apps
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from conderis.operations.backing.programs import (
    connection_arguments,
    find_program,
    last_line,
    run,
)
from conderis.operations.faults import Fault

WAIT_SECONDS = 10  # for locks on what is replaced
LEAVING_SECONDS = 2  # how long the server may show a session that has ended
_MIGRATIONS, _CACHE = "django_migrations", "cache"
# What is for psql alone, and what older servers do not know.
_LEFT_OUT = (b"\\", b"SET transaction_timeout")
_COPY = re.compile(rb"COPY .+ FROM stdin;\n")
# Tables of the current schema that no extension brought.
_TABLES = """
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
AND NOT EXISTS (
    SELECT 1 FROM pg_depend d
    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
)
ORDER BY 1
"""
# Sessions of people and programs; the server's own have no user.
_OTHERS = """
SELECT COUNT(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
"""


def server_version() -> int:
    """The major version of the server."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0]) // 10000


def size_of_database() -> int:
    """How many bytes the database takes on its server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size: int = cursor.fetchone()[0]
        return size


@contextmanager
def snapshot() -> Iterator[str]:
    """Read one state of the database until the block ends; its name, for other sessions."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        yield cursor.fetchone()[0]


def dump(target: Path, *, state: str) -> None:
    """Dump a state of the database (`snapshot`) to a file in pg_dump's custom format.

    Writers go on.

    Raises:
        Fault: pg_dump is missing, too old, or fails.
    """
    program = find_program("pg_dump", server=server_version())
    arguments, environment = connection_arguments()
    target.touch(mode=0o600)
    options = ["--format=custom", "--compress=1", "--no-password", f"--snapshot={state}"]
    run([program, *options, f"--file={target}", *arguments], environment=environment)


@contextmanager
def one_session() -> Iterator[None]:
    """Have Django use one session until the block ends: a pool opens more as it sees fit."""
    options = connection.settings_dict["OPTIONS"]
    pool = options.get("pool")
    _end_sessions()
    options["pool"] = False
    try:
        yield
    finally:
        _end_sessions()
        options["pool"] = pool


def _end_sessions() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's alone


def require_restorable() -> str:
    """The program that reads dumps.

    Raises:
        Fault: it is missing or too old.
    """
    return find_program("pg_restore", server=server_version())


def require_alone() -> None:
    """Go on only where no other session uses the database.

    Raises:
        Fault: there are others.
    """
    deadline = time.monotonic() + LEAVING_SECONDS
    with connection.cursor() as cursor:
        while True:
            cursor.execute(_OTHERS)
            others = cursor.fetchone()[0]
            if not others or time.monotonic() > deadline:
                break
            time.sleep(0.1)
    if others:
        raise Fault(
            f"The database is in use by {others} other session{'s' if others > 1 else ''}. Stop "
            "the server and whatever else uses it first."
        )


def tables() -> list[str]:
    """The tables of the database."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return [name for (name,) in cursor.fetchall()]


def require_own() -> None:
    """Go on only where all tables are Conderis's, of whatever version.

    Raises:
        Fault: there are others, which a restore would drop.
    """
    there = tables()
    labels = {config.label for config in apps.get_app_configs()} | {"django"}
    if _MIGRATIONS in there:
        labels |= {app for app, _ in MigrationRecorder(connection).applied_migrations()}
    begins = tuple(f"{label}_" for label in labels)
    foreign = [name for name in there if not name.startswith(begins) and name != _CACHE]
    if foreign:
        raise Fault(
            f"The database also holds {', '.join(foreign[:3])}"
            f"{' and more' if len(foreign) > 3 else ''}, which a restore would drop. Conderis "
            "needs a database of its own: name another one."
        )


def fill(dumped: Path) -> None:
    """Have the database hold what was dumped and nothing else. Runs in the caller's transaction.

    Raises:
        Fault: the dump cannot be read, or the database does not take it.
    """
    program = require_restorable()
    usual = _settings()
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'")
        for table in tables():
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
    arguments = [program, "--no-owner", "--no-privileges", "--no-comments", "--file=-", str(dumped)]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603 - PostgreSQL's own
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said
        ) as reader,
    ):
        try:
            _run_script(reader)
        except psycopg.Error as error:
            reader.kill()
            # The first line alone: the others can hold what a row holds.
            reason = str(error).strip().partition("\n")[0]
            raise Fault(f"The database does not take what was backed up: {reason}") from error
        if reader.wait() != 0:
            said.seek(0)
            reason = last_line(said.read().decode(errors="replace"))
            raise Fault(f"The backup is damaged, or pg_restore is too old for it: {reason}")
    with connection.cursor() as cursor:
        for name, value in usual.items():
            cursor.execute("SELECT set_config(%s, %s, false)", [name, value])


def analyze() -> None:
    """Have the planner know how much there is now."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _run_script(reader: "subprocess.Popen[bytes]") -> None:
    """Run what pg_restore writes, on Django's own session and so in its transaction."""
    assert reader.stdout is not None  # noqa: S101 - it is a pipe
    session: psycopg.Connection[object] = connection.connection
    pending: list[bytes] = []
    with session.cursor() as cursor:
        # Django's session binds on the server, which takes one statement at a time.
        plain = psycopg.ClientCursor(session)
        for line in reader.stdout:
            if _COPY.fullmatch(line):
                _execute(plain, pending)
                with cursor.copy(sql.SQL(line.decode())) as copy:
                    for row in reader.stdout:
                        if row == b"\\.\n":
                            break
                        copy.write(row)
            elif not line.startswith(_LEFT_OUT):
                pending.append(line)
        _execute(plain, pending)


def _execute(cursor: "psycopg.ClientCursor[object]", pending: list[bytes]) -> None:
    text = b"".join(line for line in pending if not line.startswith(b"--")).strip()
    pending.clear()
    if text:
        cursor.execute(text)


def _settings() -> dict[str, str]:
    """The session's settings that the script changes."""
    names = [
        "search_path", "statement_timeout", "lock_timeout", "client_encoding",
        "idle_in_transaction_session_timeout", "standard_conforming_strings",
        "check_function_bodies", "xmloption", "client_min_messages", "row_security",
        "default_tablespace", "default_table_access_method",
    ]  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [names])
        return dict(cursor.fetchall())
