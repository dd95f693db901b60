"""Finishing erasures: what is gone from the tables counts as erased once no file has it.

When the files have been cleared (`privacy.files`) and no row holds any of it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import QuerySet

from items.events import Signature
from privacy.access import item_of
from privacy.erasers.base import Scope
from privacy.erasers.registry import left_anywhere
from privacy.files import clear_files, uncleared
from privacy.models import DeletionRequest

__all__ = [
    "clear_files", "count_unfinished", "finish_erasures", "put_off", "start_finishing",
    "start_finishing_again",
]  # fmt: skip

logger = logging.getLogger(__name__)

_running = threading.Lock()
# Held by the one that runs next: it sees all that was committed before it begins.
_next = threading.Lock()
PAUSE_SECONDS = 60
_asking = threading.Lock()
_asked_at: list[float] = []  # when somebody who looked has last had it begin
State = DeletionRequest.State


def start_finishing() -> None:
    """Begin to finish erasures: in a thread of its own, so that nobody waits for it."""
    _start(finish_erasures)


def start_finishing_again() -> None:
    """Begin once more, for somebody who looks at what is not finished.

    Nothing happens within a minute of the last time in this process: a clearing makes others
    wait, and a page asks every few seconds.
    """
    now = time.monotonic()
    with _asking:
        if _asked_at and now - _asked_at[-1] < PAUSE_SECONDS:
            return
        _asked_at[:] = [now]
    start_finishing()


@contextmanager
def put_off() -> Iterator[None]:
    """A block in which nothing begins to be cleared: who runs it does so afterwards."""
    if not _next.acquire(blocking=False):
        raise RuntimeError("the files are being cleared already")
    try:
        yield
    finally:
        _next.release()


def finish_erasures(*, whole: bool = False) -> int:
    """Clear the files and have what stands at `erasing` be `erased`; how many became so.

    The mark of accounts and projects, of which no request tells, is dropped with it. Costs
    nothing where all has been cleared, unless `whole` has the files written anew at any size
    (see `clear_files`). What cannot be cleared now (a reader holds on to an older state, a
    transaction runs) stays for the next time: after another decision, at the server's start,
    by `manage.py finish_erasures`, or when somebody looks at the request.
    """
    if not _next.acquire(blocking=False):
        return 0  # somebody waits already, and finishes what this one would
    with _running:
        _next.release()
        waiting = list(_erasing().order_by("pk").values_list("pk", flat=True))
        if not (whole or waiting or uncleared().exists()) or not clear_files(whole=whole):
            return 0
        return sum(_finish(pk) for pk in waiting)


def count_unfinished() -> int:
    """How many requests stand at `erasing`, and how many erasures of others are uncleared."""
    erasing = _erasing()
    others = uncleared().exclude(cause__in=erasing.values("public_id"))
    return erasing.count() + others.count()


def _erasing() -> QuerySet[DeletionRequest]:
    return DeletionRequest.objects.filter(state=State.ERASING)


def _finish(pk: int) -> bool:
    """Have the request be `erased`, unless it is gone by now: its project or author may be."""
    request = _erasing().filter(pk=pk).first()
    if request is None:
        return False
    try:
        left = left_anywhere(_scope(request))
    except ObjectDoesNotExist:
        return False
    if left:
        logger.error("%s: %d rows still hold content", request.ref, left)
        return False
    return _erasing().filter(pk=pk).update(state=State.ERASED) > 0


def _scope(request: DeletionRequest) -> Scope:
    by = Signature(request.decided_by_id or request.requester_id)
    now = request.decided_at or request.created
    if request.proposal is not None:
        return Scope(by, now, proposal=request.proposal)
    item = item_of(request)
    return Scope(by, now, item=item, version=None if item.erased_at else request.version)


def _start(work: Callable[[], object]) -> None:
    if settings.CLEAR_IN_BACKGROUND:
        threading.Thread(target=_run_apart, args=(work,), name="erasing").start()
    else:
        work()


def _run_apart(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - the thread's end; it is tried again later
        logger.error(  # noqa: TRY400 - a database's words can hold values
            "Erasures could not be finished: %s", type(error).__name__
        )
    finally:
        connection.close()
