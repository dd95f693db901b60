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
WRONG_SECONDS: Final = 300.0  # until an address that is no replica is looked at again

logger = logging.getLogger(__name__)
_state: Final = Local()


class _Away:
    """Until when the replica is left alone, and what is known of it."""

    until = 0.0
    is_proved = False  # it is a replica of this database, as far as has been seen
    is_told = False  # that it is none


class _NotAReplicaError(Exception):
    """What stands at the address is no replica of the database; the text says why."""


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
    ((position,),) = _asked(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_insert_lsn()::text")
    try:
        if not _Away.is_proved:
            _prove()
        _state.reading = _has_come_to(position)
    except _NotAReplicaError as error:
        _leave_alone(str(error))
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
    _Away.is_proved = False  # another may stand there when it is back
    logger.warning("The replica cannot be read now: %s", type(error).__name__)


def _leave_alone(why: str) -> None:
    """Read the database alone for some minutes; said once in the life of the process."""
    _Away.until = time.monotonic() + WRONG_SECONDS
    _Away.is_proved = False
    if not _Away.is_told:
        _Away.is_told = True
        logger.warning("DATABASE_REPLICA_URL is not read: %s", why)


def _prove() -> None:
    """See that the two are of one cluster: positions in the logs of others say nothing.

    Raises:
        _NotAReplicaError: they are not.
    """
    which = "SELECT system_identifier FROM pg_control_system()"
    if _asked(DEFAULT_DB_ALIAS, which) != _asked(REPLICA, which):
        raise _NotAReplicaError("it is a replica of another database.")
    _Away.is_proved = True


def _has_come_to(position: str) -> bool:
    """Whether the replica shows all up to this position, now or in a moment.

    Raises:
        _NotAReplicaError: it follows nobody.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        ((follows, there),) = _asked(
            REPLICA,
            "SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() >= %s::text::pg_lsn",
            position,
        )
        if not follows:
            raise _NotAReplicaError("it follows no other: it is the database itself, or a copy.")
        if there or time.monotonic() > deadline:
            return bool(there)
        time.sleep(POLL_SECONDS)


def _asked(alias: str, statement: str, *values: str) -> list[tuple[Any, ...]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
