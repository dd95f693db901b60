"""What one agent or person may do at most, so that a loop fills nothing.

Calls are counted in memory, for each process on its own, and cost no query. What agents
write is counted in the database, in the transaction that writes it: so it holds over all
processes and machines, and what is refused or fails is not counted. It is one statement
for each write, after what it is about, so that the agent's row is held shortly.
"""

from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from conderis.accounts.models import AgentUsage
from conderis.common.buckets import Buckets
from conderis.common.caller import Caller
from conderis.common.errors import RateLimited
from conderis.common.limiting import Limits

MEGABYTE: Final = 1_000_000  # bytes
MINUTE: Final = 60  # seconds

_buckets: Final = Buckets()
_TABLE: Final = AgentUsage._meta.db_table  # noqa: SLF001 - public
# One row an agent, begun anew with each day and each minute.
_COUNT: Final = f"""
INSERT INTO {_TABLE} (agent_id, day, items, size, minute, writes) VALUES (%s, %s, %s, %s, %s, 1)
ON CONFLICT (agent_id) DO UPDATE SET
    items = CASE WHEN {_TABLE}.day = excluded.day THEN {_TABLE}.items ELSE 0 END + excluded.items,
    size = CASE WHEN {_TABLE}.day = excluded.day THEN {_TABLE}.size ELSE 0 END + excluded.size,
    writes = CASE WHEN {_TABLE}.minute = excluded.minute THEN {_TABLE}.writes ELSE 0 END + 1,
    day = excluded.day,
    minute = excluded.minute
RETURNING items, size, writes
"""  # noqa: S608 - the name of a table of ours


def refuse_rapid_calls(caller: Caller) -> None:
    """Count a call of an agent, or a page of a person, and refuse what is too fast.

    Who is not signed in is not counted: a proxy can, by address.

    Raises:
        RateLimited: this process has answered the caller too often within a minute.
    """
    allowed = _limits().calls_a_minute
    if not allowed or caller.is_nobody:
        return
    wait = _buckets.take(caller.ref, a_minute=allowed)
    if wait:
        raise RateLimited(
            f"More than {allowed:,} calls within a minute are not answered. Wait {wait} seconds. "
            "If the same is asked over and over, stop.",
            retry_after=wait,
        )


def count_write(caller: Caller, *, items: int = 0, size: int = 0) -> None:
    """Count a change of an agent's, in the transaction that makes it; people are not counted.

    `items` are new ones, `size` is the text stored, in bytes. To be called after the
    change is written, once for each: a refusal undoes the transaction.

    Raises:
        RateLimited: it would be more than one agent may do in a minute or a day.
    """
    limits = _limits()
    if caller.agent_id is None or not limits.counts_writes:
        return
    now = timezone.now()
    minute = int(now.timestamp()) // MINUTE
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [caller.agent_id, now.date(), items, size, minute])
        items_today, size_today, writes = cursor.fetchone()
    if items and limits.items_a_day and items_today > limits.items_a_day:
        raise _spent(f"{limits.items_a_day:,} new items", now)
    if size and limits.megabytes_a_day and size_today > limits.megabytes_a_day * MEGABYTE:
        raise _spent(f"{limits.megabytes_a_day:,} MB of text", now)
    if limits.writes_a_minute and writes > limits.writes_a_minute:
        raise RateLimited(
            f"One agent makes at most {limits.writes_a_minute:,} changes a minute. Nothing was "
            "stored. Wait, and store many items as one batch. If the same is stored over and "
            "over, stop.",
            retry_after=MINUTE - int(now.timestamp()) % MINUTE,
        )


def forget_calls() -> None:
    """Forget the calls that were counted in this process."""
    _buckets.clear()


def _limits() -> Limits:
    limits: Limits = settings.LIMITS
    return limits


def _spent(what: str, now: datetime) -> RateLimited:
    tomorrow = datetime(now.year, now.month, now.day, tzinfo=UTC) + timedelta(days=1)
    return RateLimited(
        f"One agent stores at most {what} a day (UTC). Nothing was stored. If the same is stored "
        "over and over, stop, and tell your person. Whoever runs this server can raise the limit.",
        retry_after=max(1, ceil((tomorrow - now).total_seconds())),
    )
