"""The work on imports that were begun: in a thread of its own in each process of the server.

An import is claimed by one process for `LEASE`, which it keeps ahead while it works. A process
that died leaves the import as it was; when its claim has run out, another one goes on: what
was imported is known by then and not made twice. A process that hung so long finds the claim
of the other, and stops. The thread ends when nothing is left to do or to throw away.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone, translation

from conderis.accounts.authentication import NotAuthenticated, caller_of_person
from conderis.accounts.standing import caller_of_stored_key
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Conflict, DomainError, Locked, RateLimited, Unavailable
from conderis.common.ids import new_id
from exchange.importers.base import Options
from exchange.importers.registry import importer_named
from exchange.models import Import, ImportFile
from exchange.reporting import report_as_json
from exchange.sources import source_of_bytes
from exchange.writing.running import Order, check_import, run_import

logger = logging.getLogger(__name__)

State = Import.State
WORKING: Final = (State.CHECKING, State.RUNNING)
LEASE: Final = timedelta(seconds=15)
BEAT_SECONDS: Final = 5  # between two prolongings of a claim
STOP_SECONDS: Final = 10  # that the end of the server waits for a chunk
NOTE_SECONDS: Final = 1  # between two notes of how far an import has come
RETRY_SECONDS: Final = 10.0  # after a fault of the database, before it is tried again
LONGEST_PAUSE: Final = 3600.0  # seconds, whatever the clock does meanwhile
PASSING: Final = (Conflict, Locked, RateLimited, Unavailable)
KEPT_UNFINISHED: Final = timedelta(hours=24)
KEPT_ENDED: Final = timedelta(days=30)
UNEXPECTED: Final = "Something went wrong on the server. The import can be started again."
EMPTIED: Final = (
    "Something of this project was erased meanwhile, and the uploaded file with it. "
    "Upload the file once more."
)
NO_RIGHTS: Final = "The rights that this import was begun with have ended."
EXPIRED: Final = "Nobody went on with it for 24 hours, so the uploaded file was thrown away."

_guard = threading.Lock()  # of `_threads`: the one that works in this process, if any
_threads: list[threading.Thread] = []
_wake = threading.Event()
_ending = threading.Event()


class _StoppedError(Exception):
    """The import was stopped, or the server ends: nothing is noted."""


def start_working() -> None:
    """Begin to work on what was begun: in a thread of its own, so that nobody waits for it."""
    if not settings.IMPORT_IN_BACKGROUND:
        work_off()
        return
    with _guard:
        _wake.set()
        if not _threads:
            _threads.append(threading.Thread(target=_run_apart, name="importing", daemon=True))
            _threads[0].start()


def resume_working() -> None:
    """Go on with what an earlier run of the server has left: at the start of each process."""
    _ending.clear()
    if settings.IMPORT_IN_BACKGROUND:
        start_working()


def stop_working() -> None:
    """End the thread between two chunks, so that the next start goes on at once."""
    _ending.set()
    _wake.set()
    with _guard:
        working = list(_threads)
    for thread in working:
        thread.join(STOP_SECONDS)


def work_off() -> int:
    """Work on all that waits, oldest first, and throw away what has expired; how many it was."""
    throw_away_expired(timezone.now())
    worked = 0
    while not _ending.is_set() and (row := _claim(timezone.now())) is not None:
        _work(row)
        worked += 1
    return worked


def throw_away_expired(now: datetime) -> None:
    """Empty uploads that nobody went on with for 24 hours; delete reports after 30 days."""
    waiting = Import.objects.filter(ended__isnull=True).exclude(state__in=WORKING)
    expired = waiting.filter(created__lt=now - KEPT_UNFINISHED)
    end_imports(expired, now, state=State.CANCELED, report={"reason": EXPIRED})
    Import.objects.filter(ended__lt=now - KEPT_ENDED).delete()


@transaction.atomic
def end_imports(rows: QuerySet[Import], now: datetime, **values: object) -> int:
    """End those of the imports that have not ended, with these values; how many it were.

    Their files go with it.
    """
    ended = rows.filter(ended__isnull=True).update(
        ended=now, digest="", working_until=None, claim="", **values
    )
    ImportFile.objects.filter(of__ended__isnull=False).delete()
    return ended


def _run_apart() -> None:
    while True:
        _wake.clear()
        pause: float | None = None
        try:
            work_off()
            pause = _pause(timezone.now())
        except Exception as error:  # noqa: BLE001 - the edge; it is tried again
            logger.error("Imports could not go on: %s", type(error).__name__)  # noqa: TRY400
            pause = RETRY_SECONDS  # the database may be back by then
        finally:
            connection.close()
        if pause is not None:
            _wake.wait(pause)
        with _guard:
            if _ending.is_set() or (pause is None and not _wake.is_set()):
                _threads.clear()
                return


def _pause(now: datetime) -> float | None:
    """Seconds until a claim of another process, a file or a report runs out; None without any."""
    idle = Import.objects.filter(ended__isnull=True).exclude(state__in=WORKING)
    firsts = (
        (_waiting().aggregate(first=Min("working_until")), timedelta()),
        (idle.aggregate(first=Min("created")), KEPT_UNFINISHED),
        (Import.objects.aggregate(first=Min("ended")), KEPT_ENDED),
    )
    ends: list[datetime] = [
        found["first"] + kept_for for found, kept_for in firsts if found["first"]
    ]
    if not ends:
        return None
    return min(max(1.0, (min(ends) - now).total_seconds() + 1), LONGEST_PAUSE)


def _waiting() -> QuerySet[Import]:
    return Import.objects.filter(state__in=WORKING, ended__isnull=True)


def _claim(now: datetime) -> Import | None:
    """The oldest import that nobody works on, for this process alone."""
    free = _waiting().filter(Q(working_until__isnull=True) | Q(working_until__lt=now))
    for pk in list(free.order_by("created", "pk").values_list("pk", flat=True)[:20]):
        claim = new_id()
        if free.filter(pk=pk).update(working_until=now + LEASE, claim=claim):
            rows = Import.objects.select_related("person", "agent", "project")
            found: Import | None = rows.filter(pk=pk, claim=claim).first()
            return found
    return None


def _work(row: Import) -> None:
    """One step of an import, to its end: checking it, or running it."""
    with _claimed(row), translation.override(row.person.language or settings.LANGUAGE_CODE):
        try:
            _step(row)
        except _StoppedError:
            _mine(row).update(working_until=None, claim="")
        except DomainError as refusal:
            # What waiting or another try may mend leaves the file there, to start again.
            _fail(row, refusal.message, ends=not isinstance(refusal, PASSING))
        except NotAuthenticated:
            _fail(row, NO_RIGHTS, ends=True)
        except Exception as error:  # noqa: BLE001 - the edge of the thread: it is told as such
            # The words of the error may hold what the file holds.
            logger.error("%s failed: %s", row, type(error).__name__)  # noqa: TRY400
            _fail(row, UNEXPECTED, ends=False)


def _step(row: Import) -> None:
    content = ImportFile.objects.filter(of=row).values_list("content", flat=True).first()
    if content is None:
        _fail(row, EMPTIED, ends=True)
        return
    importer = importer_named(row.importer)
    source = source_of_bytes(row.name, bytes(content))
    options = Options(only=tuple(row.only))
    order = Order(row.project.public_id, importer, source, options, row.store_anyway)
    noting = _Noting(row)
    if row.state == State.CHECKING:
        report = report_as_json(check_import(_caller(row), order, progress=noting))
        parts = importer.parts(source)
        if parts:
            report["parts"] = parts
        _note(row, state=State.CHECKED, report=report, done=0, total=noting.done)
        return
    report = report_as_json(run_import(_caller(row), order, progress=noting))
    end_imports(_mine(row), timezone.now(), state=State.DONE, report=report, done=noting.done,
                total=noting.done)  # fmt: skip


class _Noting:
    """Notes how far it has come.

    It ends the work where the import was stopped, another process has it, or the server ends.
    """

    def __init__(self, row: Import) -> None:
        self.done = 0
        self._row = row
        self._noted = monotonic()

    def __call__(self, done: int) -> None:
        self.done = done
        if _ending.is_set():
            raise _StoppedError
        same = _mine(self._row)
        if monotonic() - self._noted < NOTE_SECONDS:
            goes_on = same.exists()
        else:
            self._noted = monotonic()
            goes_on = same.update(done=done) > 0
        if not goes_on:
            raise _StoppedError


def _caller(row: Import) -> Caller:
    """Who began the import, as the rights now are.

    Raises:
        NotAuthenticated: the person is deactivated, or the agent's key that began it works no
            more.
    """
    if row.agent_id is not None:
        return caller_of_stored_key(row.key_id, surface=Surface.API)
    row.person.refresh_from_db(fields=["is_active"])
    if not row.person.is_active:
        raise NotAuthenticated("The account is deactivated.")
    return caller_of_person(row.person, Surface.WEB)


def _fail(row: Import, reason: str, *, ends: bool) -> None:
    """Note why it failed; where that can be mended by starting again, the file is kept."""
    report = {**row.report, "reason": reason}
    if ends:
        end_imports(_mine(row), timezone.now(), state=State.FAILED, report=report)
    else:
        _note(row, state=State.FAILED, report=report)


def _note(row: Import, **values: object) -> None:
    """Give the claim up with these values."""
    _mine(row).update(working_until=None, claim="", **values)


def _mine(row: Import) -> QuerySet[Import]:
    """The import, unless it was stopped, thrown away or emptied, or claimed by another."""
    return Import.objects.filter(pk=row.pk, state=row.state, claim=row.claim)


@contextmanager
def _claimed(row: Import) -> Iterator[None]:
    """Keep the claim ahead while the block runs: by a thread, since checking takes its time."""
    if not settings.IMPORT_IN_BACKGROUND:
        yield
        return
    ended = threading.Event()
    beating = threading.Thread(target=_beat, args=(row, ended), daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()


def _beat(row: Import, ended: threading.Event) -> None:
    try:
        while not ended.wait(BEAT_SECONDS):
            try:
                _mine(row).update(working_until=timezone.now() + LEASE)
            except DatabaseError:
                continue  # the database is busy; there is time for two more tries
    finally:
        connection.close()
