"""The database as Django takes it: SQLite in the data folder, or PostgreSQL."""

from pathlib import Path
from typing import Any

import dj_database_url

from conderis.common.environment import BadSetting

POSTGRESQL = "django.db.backends.postgresql"
SQLITE = "django.db.backends.sqlite3"
# How long a database server may take to answer a command.
CONNECT_SECONDS = 5


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
    # projects), and running it milliseconds: ours are many parts over few rows.
    options["options"] = f"-c jit=off {options.get('options', '')}".strip()
    return {**found, "OPTIONS": options}


def _sqlite(path: str) -> dict[str, Any]:
    return {
        "ENGINE": SQLITE,
        "NAME": path,
        # Kept per thread: opening a connection costs more than the queries of a call.
        "CONN_MAX_AGE": None,
        # A file for tests too: threads of one process cannot share one in memory.
        "TEST": {"NAME": f"{path}.test"},
        "OPTIONS": {
            # Writers take the lock at once, so that none fails when it would upgrade.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                "PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; "
                "PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-32000;"
            ),
        },
    }
