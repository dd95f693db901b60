"""What a caller is told when something of ours breaks, and what the log keeps of it.

The log has an id, the kind of the exception and the places in the code. It never has
the exception's text or its arguments: those may hold what somebody stored.
"""

import logging
import secrets
import traceback
from collections.abc import Iterator

from django.db import OperationalError

from conderis.common.errors import Unavailable

logger = logging.getLogger(__name__)

_BUSY = (
    "The database is busy with other changes. Nothing was changed: send the same call again "
    "in a few seconds."
)
_FULL = (
    "The server's disk is full or cannot be written. Nothing was changed; tell the person who "
    "runs this server."
)
_AWAY = (
    "The database does not answer. Wait a few seconds, and read what stands before you send "
    "the call again: it may have been carried out."
)

# SQLite's names of result codes and PostgreSQL's SQLSTATEs, by their beginnings.
_WORDS: tuple[tuple[tuple[str, ...], str, int], ...] = (
    (("SQLITE_BUSY", "SQLITE_LOCKED", "40", "55P03", "57014"), _BUSY, 2),
    (("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "53100", "25006"), _FULL, 60),
    (("53300",), _BUSY, 2),
)


def unavailable(error: BaseException, *, during: str) -> Unavailable:
    """The refusal for a fault, which is logged under the id that it names."""
    fault = secrets.token_hex(4)
    logger.error("Fault %s during %s: %s", fault, during, " <- ".join(_places(error)))
    if isinstance(error, OperationalError):
        message, retry_after = _in_words(error)
        return Unavailable(f"{message} (fault {fault})", retryAfter=retry_after)
    return Unavailable(
        "Something went wrong in the server, not in your call. Its log has more under the "
        f"id {fault}. Read what stands before you send the call again."
    )


def _in_words(error: OperationalError) -> tuple[str, int]:
    cause = error.__cause__
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
    for beginnings, message, retry_after in _WORDS:
        if name.startswith(beginnings):
            return message, retry_after
    return (_BUSY if type(cause).__name__ == "PoolTimeout" else _AWAY), 5


def _places(error: BaseException) -> Iterator[str]:
    """The exception and its causes, each by kind and by the places it passed."""
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
