"""When each agent key was last used: written at most once a minute, never in the way.

A use is noted in memory. A background thread writes what has come together, on a
connection of its own, and gives up soon where it would have to wait for a lock.
"""

import atexit
import logging
import threading
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from conderis.accounts.models import AgentKey

GRANULARITY = timedelta(minutes=1)
COLLECT_SECONDS = 1.0
LOCK_WAIT_MS = 250
MOST_REMEMBERED = 10_000

logger = logging.getLogger(__name__)


class _Uses:
    """What this process has noted, and what of it waits to be written."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.some_wait = threading.Event()
        self.noted: dict[int, datetime] = {}
        self.waiting: dict[int, datetime] = {}
        self.writer: threading.Thread | None = None


_uses = _Uses()


def note_use(key_id: int) -> None:
    """Note that a key was used now, to be written soon. Touches no database."""
    now = timezone.now()
    noted = _uses.noted.get(key_id)
    if noted is not None and now - noted < GRANULARITY:
        return
    with _uses.lock:
        if len(_uses.noted) >= MOST_REMEMBERED:
            _uses.noted.clear()
        _uses.noted[key_id] = _uses.waiting[key_id] = now
        if _uses.writer is None:
            _start_writer()
    _uses.some_wait.set()


def flush() -> None:
    """Write what waits, in a transaction of the calling thread's connection.

    What other processes wrote within the last minute stands. A failure is logged and
    forgotten: the next use of the key is noted again.
    """
    with _uses.lock:
        waiting, _uses.waiting = _uses.waiting, {}
    if not waiting:
        return
    try:
        _write(waiting)
    except Exception:
        logger.debug("The last uses of %d keys could not be written", len(waiting), exc_info=True)
        with _uses.lock:
            for key_id in waiting:
                _uses.noted.pop(key_id, None)


def _write(waiting: dict[int, datetime]) -> None:
    with transaction.atomic():
        for key_id, used in sorted(waiting.items()):
            AgentKey.objects.filter(
                Q(last_used_at__isnull=True) | Q(last_used_at__lte=used - GRANULARITY), pk=key_id
            ).update(last_used_at=used)


def _start_writer() -> None:
    if not settings.LAST_USE_IN_BACKGROUND:
        return
    _uses.writer = threading.Thread(target=_write_on, name="last-use", daemon=True)
    _uses.writer.start()
    atexit.register(flush_apart)


def _write_on() -> None:
    while True:
        _uses.some_wait.wait()
        time.sleep(COLLECT_SECONDS)
        _uses.some_wait.clear()
        flush_apart()


def flush_apart() -> None:
    """Flush on a connection that waits only shortly for locks, and close it.

    For a thread that has no other use of its connection, and for the end of a process.
    """
    if not _uses.waiting:
        return
    try:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MS}")
            flush()
        else:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = {LOCK_WAIT_MS}")
                flush()
    except Exception:
        logger.debug("The last uses of keys could not be written", exc_info=True)
    finally:
        connection.close()
