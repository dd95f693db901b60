"""Reading a streaming replica of PostgreSQL: only where it shows all that the database does.

A page that may read it asks the database how far its log is, and the replica whether it has
come so far. Only then are the page's queries the replica's; else, or where it is away, they
are the database's. So nothing that was locked, erased, revoked or made private is shown
later than without a replica, and everybody reads what they wrote.

What decides on keys and on who may read a project is a prepared statement, which is always
the database's (`conderis.common.prepared`), and so is every write.
"""

import logging
import time
from typing import Any, Final

from asgiref.local import Local
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Model

from conderis.common.databases import REPLICA

WAIT_SECONDS: Final = 0.1
POLL_SECONDS: Final = 0.005
AWAY_SECONDS: Final = 10.0

logger = logging.getLogger(__name__)
_state: Final = Local()


class _Away:
    until = 0.0


class ReplicaRouter:
    """Django's router: reads of a page that reads the replica go there, all else does not."""

    def db_for_read(self, _model: type[Model], **_hints: Any) -> str:
        """The replica while `is_reading`."""
        return REPLICA if is_reading() else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        """Never the replica; so are reads that lock."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_rows: Model, **_hints: Any) -> bool:
        """Both are the same rows."""
        return True

    def allow_migrate(self, db: str, *_app: str, **_hints: Any) -> bool:
        """The replica follows by itself."""
        return db != REPLICA


def begin_reading() -> bool:
    """Read the replica from now on in this request, if it shows all that the database does."""
    if time.monotonic() < _Away.until:
        return False
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
        ((position,),) = cursor.fetchall()
    try:
        _state.reading = _has_come_to(position)
    except Error as error:
        note_away(error)
    return is_reading()


def end_reading() -> None:
    """Read the database again."""
    _state.reading = False


def is_reading() -> bool:
    """Whether this request reads the replica."""
    return bool(getattr(_state, "reading", False))


def note_away(error: Exception) -> None:
    """Leave the replica alone for a while, since it has failed."""
    _Away.until = time.monotonic() + AWAY_SECONDS
    logger.warning("The replica cannot be read now: %s", type(error).__name__)


def _has_come_to(position: str) -> bool:
    deadline = time.monotonic() + WAIT_SECONDS
    with connections[REPLICA].cursor() as cursor:
        while True:
            cursor.execute(
                "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::text::pg_lsn",
                [position],
            )
            ((there,),) = cursor.fetchall()
            if there or time.monotonic() > deadline:
                return bool(there)
            time.sleep(POLL_SECONDS)
