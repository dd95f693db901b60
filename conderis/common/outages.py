"""What the database's own faults mean to a caller: busy, full, read-only, or away.

Told by codes alone: a database's words can hold values.
"""

import traceback
from collections.abc import Iterator
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

from conderis.common.errors import Unavailable

BUSY: Final = (
    "The database is busy with other changes. Nothing was changed: send the same call again "
    "in a few seconds."
)
FULL: Final = (
    "The server's disk is full or cannot be written. Nothing was changed; tell the person who "
    "runs this server."
)
AWAY: Final = (
    "The database does not answer. Wait a few seconds, and read what stands before you send "
    "the call again: it may have been carried out."
)

# SQLite's names of result codes and PostgreSQL's SQLSTATEs, by their beginnings: the one
# place where they stand.
BUSY_CODES: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "40", "53300", "55P03", "57014")
FULL_CODES: Final = ("SQLITE_FULL", "SQLITE_IOERR", "53100")
READ_ONLY_CODES: Final = ("SQLITE_READONLY", "SQLITE_PERM", "25006")
NO_TABLE_CODES: Final = ("SQLITE_ERROR", "42P01", "42703")

_WORDS: Final[tuple[tuple[tuple[str, ...], str, int], ...]] = (
    (BUSY_CODES, BUSY, 2),
    ((*FULL_CODES, *READ_ONLY_CODES), FULL, 60),
)


def code_of(error: BaseException) -> str:
    """SQLite's name of the fault, or PostgreSQL's SQLSTATE; empty where there is none."""
    cause = error.__cause__ or error
    return str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")


def outage(error: BaseException) -> tuple[str, int] | None:
    """What an outage means, and after how many seconds to ask again; None for other faults."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    code = code_of(error)
    for beginnings, message, retry_after in _WORDS:
        if code.startswith(beginnings):
            return message, retry_after
    if isinstance(error, OperationalError | InterfaceError):
        return (BUSY if type(error.__cause__).__name__ == "PoolTimeout" else AWAY), 5
    return None


def outage_refusal(error: BaseException, fault: str) -> Unavailable | None:
    """The refusal of an outage that is logged under the id; None for other faults."""
    found = outage(error)
    if found is None:
        return None
    message, retry_after = found
    return Unavailable(f"{message} (fault {fault})", retryAfter=retry_after)


def places_of(error: BaseException) -> str:
    """The exception and its causes, each by kind and by the places in the code it passed."""
    return " <- ".join(_places(error))


def _places(error: BaseException) -> Iterator[str]:
    seen: BaseException | None = error
    for _ in range(5):
        if seen is None:
            return
        frames = traceback.extract_tb(seen.__traceback__)
        places = ", ".join(
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]
        )
        yield f"{type(seen).__module__}.{type(seen).__name__} at {places or 'no place'}"
        seen = seen.__cause__ or seen.__context__
