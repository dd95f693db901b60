"""The database as Django takes it: SQLite in the data folder, or PostgreSQL with a replica."""

from pathlib import Path
from typing import Any, Final

import dj_database_url

from conderis.common.environment import BadSetting, as_whole_number, declare

POSTGRESQL = "django.db.backends.postgresql"
SQLITE = "django.db.backends.sqlite3"
# The same, with writers that take turns.
SQLITE_IN_TURNS = "conderis.common.sqlite"
REPLICA: Final = "replica"
# How long a database server may take to answer a command.
CONNECT_SECONDS = 5
# A page that may read the replica would rather read the database than wait for it.
REPLICA_SECONDS = 2
# Spare connections, for pages beside tool calls.
SPARE_CONNECTIONS = 4
MOST_CONNECTIONS = 500
# The log of SQLite is cut to this after it has grown beyond it.
LOG_BYTES = 67_108_864


def databases(*, folder: Path, threads: int) -> dict[str, dict[str, Any]]:
    """The databases that the environment names, by Django's names.

    `threads` are those of a process that run tool calls.

    Raises:
        BadSetting: an address or a number is none.
    """
    url = declare(
        "DATABASE_URL",
        default="",
        purpose="Database, as postgresql://user:password@host/name. Unset: SQLite in the "
        "data folder.",
    )
    replica = declare(
        "DATABASE_REPLICA_URL",
        default="",
        purpose="Streaming replica of that database, which some pages read.",
    )
    most = as_whole_number(
        "CONDERIS_DB_CONNECTIONS",
        declare(
            "CONDERIS_DB_CONNECTIONS",
            default="0",
            purpose="Most connections of each worker to PostgreSQL. 0: the threads and "
            f"{SPARE_CONNECTIONS} more.",
        ),
        least=0,
        most=MOST_CONNECTIONS,
    )
    connections = most or threads + SPARE_CONNECTIONS
    found = {"default": database(url, folder=folder, connections=connections)}
    if replica:
        if found["default"]["ENGINE"] != POSTGRESQL:
            raise BadSetting("DATABASE_REPLICA_URL needs PostgreSQL in DATABASE_URL, too.")
        found[REPLICA] = _replica(replica, folder=folder, connections=connections)
    return found


def statement_seconds() -> int:
    """How long a statement of `serve` may run on PostgreSQL; 0 where it may for ever.

    Raises:
        BadSetting: it is no whole number.
    """
    text = declare(
        "CONDERIS_STATEMENT_SECONDS",
        default="30",
        purpose="Seconds after which PostgreSQL ends a statement of `serve`. 0: never.",
    )
    return as_whole_number("CONDERIS_STATEMENT_SECONDS", text, least=0, most=86_400)


def limit_statements(settings: dict[str, Any], *, seconds: int) -> None:
    """Have PostgreSQL end statements of connections that are opened from now on."""
    options = settings["OPTIONS"]
    options["options"] = f"{options['options']} -c statement_timeout={seconds * 1000}"


def database(url: str, *, folder: Path, connections: int) -> dict[str, Any]:
    """Settings of the database at `url`, else of SQLite in the folder.

    `connections` is the most that one process holds to PostgreSQL.

    Raises:
        BadSetting: the address names no PostgreSQL or SQLite database.
    """
    if not url:
        return _sqlite(str(folder / "conderis.sqlite3"))
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(url))
    except (ValueError, dj_database_url.ParseError) as error:
        raise BadSetting(
            "DATABASE_URL is no database address; one is postgresql://user:password@host/name."
        ) from error
    if found["ENGINE"] == SQLITE:
        if found["NAME"] == ":memory:":
            raise BadSetting("DATABASE_URL must name a file for SQLite: sqlite:////folder/file.")
        return _sqlite(found["NAME"])
    if found["ENGINE"] != POSTGRESQL:
        raise BadSetting("DATABASE_URL must name PostgreSQL (postgresql://…) or SQLite.")
    if not found.get("NAME"):
        raise BadSetting(
            "DATABASE_URL must name the database, as postgresql://user:password@host/name."
        )
    pool = {"min_size": 1, "max_size": connections, "timeout": 10}
    # A server that was restarted is noticed before a call fails on its old connection.
    found["CONN_HEALTH_CHECKS"] = True
    # Texts travel apart from the statement, so that the server's log has none of them in the
    # statement that it quotes beside an error, or beside another session's deadlock.
    options: dict[str, Any] = {
        **found.get("OPTIONS", {}),
        "pool": pool,
        "server_side_binding": True,
    }
    # Compiling a statement takes seconds where the planner thinks it dear (it counts many
    # projects), and running it milliseconds: ours are many parts over few rows. What is read
    # is in memory or on a disk without a head, so that an index is worth it sooner than the
    # planner thinks: a search of a word's few rows went through the whole table.
    options["options"] = f"-c jit=off -c random_page_cost=1.1 {options.get('options', '')}".strip()
    return {**found, "OPTIONS": options}


def _replica(url: str, *, folder: Path, connections: int) -> dict[str, Any]:
    try:
        found = database(url, folder=folder, connections=connections)
    except BadSetting as error:
        raise BadSetting(str(error).replace("DATABASE_URL", "DATABASE_REPLICA_URL")) from error
    if found["ENGINE"] != POSTGRESQL:
        raise BadSetting("DATABASE_REPLICA_URL must name PostgreSQL (postgresql://…).")
    options = found["OPTIONS"]
    options["pool"] = {**options["pool"], "min_size": 0, "timeout": REPLICA_SECONDS}
    options["options"] += " -c default_transaction_read_only=on"
    options.setdefault("connect_timeout", REPLICA_SECONDS)
    return {**found, "TEST": {"MIRROR": "default"}}


def _sqlite(path: str) -> dict[str, Any]:
    return {
        "ENGINE": SQLITE_IN_TURNS,
        "NAME": path,
        # Kept per thread: opening a connection costs more than the queries of a call.
        "CONN_MAX_AGE": None,
        # A file for tests too: threads of one process cannot share one in memory.
        "TEST": {"NAME": f"{path}.test"},
        "OPTIONS": {
            # Writers take the lock at once, so that none fails when it would upgrade.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # Statements that each connection keeps read: all that calls send again and again.
            "cached_statements": 500,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                "PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; "
                f"PRAGMA journal_size_limit={LOG_BYTES}; PRAGMA cache_size=-32000;"
            ),
        },
    }
