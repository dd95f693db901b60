"""Running an import: looking at a source without writing, and writing what it holds.

A source is read and written in chunks. Each is one transaction that holds the project's row,
and is complete: items with histories, tags, relations, index, audit, and where they came
from. An import that was broken off is simply run again: it knows what is there and goes on.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conderis.accounts.standing import refuse_ended
from conderis.common.caller import Caller
from conderis.common.errors import Denied, Invalid
from exchange.importers.base import Importer, Options
from exchange.models import Origin
from exchange.records import Found, Record, Report
from exchange.sources import Source
from exchange.writing.decided import Decided
from exchange.writing.mending import amend_titles, mend
from exchange.writing.planning import Plan
from items import search
from items.access import Place
from items.importing import write_imported
from projects.access import ProjectAccess, access_project
from projects.capabilities import Use

Progress = Callable[[int], None]

FIRST: Final = 25  # records of the first chunk; how long it takes decides on the next
SMALLEST: Final = 10
LARGEST: Final = 100
MOST_TEXT: Final = 1_000_000  # characters of a chunk, so that one takes not long either
EVENT_WEIGHT: Final = 300  # characters that an entry of a history counts as, beside its text
AIM: Final = 0.1  # seconds that a chunk may take: as long others wait for the project
MANY: Final = 1_000  # new items after which searches would read many short lists of each word
PAUSE: Final = 0.01  # seconds between two chunks, in which others come to their turn


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: a source, read by an importer, into a project.

    `store_anyway`: texts that look like secrets are stored; people may, agents may not.
    """

    project_id: str
    importer: Importer
    source: Source
    options: Options = field(default_factory=Options)
    store_anyway: bool = False


def check_import(caller: Caller, order: Order, *, progress: Progress | None = None) -> Report:
    """What importing this would do: the same report as that of the import, nothing written.

    Raises:
        NotFound, Denied: as `run_import` says.
        Invalid: the source as a whole cannot be read.
    """
    plan, done = _begin(caller, order), 0
    for chunk in _chunks(order.importer.read(order.source, order.options), lambda: LARGEST):
        decided = plan.decide(_place(caller, order), chunk, timezone.now())
        _forget_rows(decided)
        done += len(chunk)
        _say(progress, done)
    plan.end(_place(caller, order), timezone.now())
    return plan.report


def run_import(caller: Caller, order: Order, *, progress: Progress | None = None) -> Report:
    """Import a source; what was imported before is left as it is.

    `progress` is told after every chunk how many records are worked through; what it raises
    ends the import between two chunks. What was written until then stays.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the caller may not publish there, or not any more; has to be reviewed; or is
            an agent that wants to store what looks like secrets.
        Invalid: the source as a whole cannot be read.
    """
    plan, pace, done = _begin(caller, order), _Pace(), 0
    for chunk in _chunks(order.importer.read(order.source, order.options), lambda: pace.size):
        with pace:
            _write(caller, order, plan, chunk)
        done += len(chunk)
        _say(progress, done)
    _write(caller, order, plan, ())
    found = order.importer.read(order.source, order.options)
    wanted = (each for each in found if isinstance(each, Record) and each.key in plan.to_mend)
    for chunk in _chunks(wanted if plan.to_mend else (), lambda: pace.size):
        with pace, transaction.atomic():
            place = _place(caller, order, lock=True)
            mend(plan, place, [each for each in chunk if isinstance(each, Record)])
        _say(progress, done)
    if sum(plan.report.made.values()) >= MANY:
        with suppress(OperationalError):  # all is imported; more writing merges, too
            search.merge()
    return plan.report


def _begin(caller: Caller, order: Order) -> Plan:
    if order.store_anyway and caller.is_agent:
        raise Denied(
            "Texts that look like secrets are stored by people alone: a person may import this "
            "in the browser.",
            missing="person",
        )
    _refuse_unknown_parts(order)
    known_as = order.importer.family or order.importer.name
    plan = Plan(known_as, caller.person_ref, order.store_anyway)
    access = _access(caller, order)
    plan.begin(access.project)
    return plan


def _refuse_unknown_parts(order: Order) -> None:
    """Refuse parts that the source has not: nothing else would be imported than was meant."""
    if not order.options.only:
        return
    parts = order.importer.parts(order.source)
    unknown = next((each for each in order.options.only if each not in parts), None)
    if unknown is not None:
        raise Invalid(
            _("The file has no such part to import. It has these: %(parts)s.")
            % {"parts": ", ".join(parts) or "–"},
            field="only",
            allowed=parts,
        )


def _access(caller: Caller, order: Order, *, lock: bool = False) -> ProjectAccess:
    """The project, if the caller may publish there: asked anew for every chunk."""
    refuse_ended(caller)
    access = access_project(caller, order.project_id, use=Use.PUBLISH, lock=lock)
    if access.always_reviewed:
        raise Denied(
            "An import publishes at once, and your changes here always need review.",
            missing="person",
        )
    return access


def _place(caller: Caller, order: Order, *, lock: bool = False) -> Place:
    return Place(caller, _access(caller, order, lock=lock))


def _write(caller: Caller, order: Order, plan: Plan, chunk: Iterable[Found]) -> None:
    """Decide on a chunk and write it; without one, what still waits at the end."""
    with transaction.atomic():
        place, now = _place(caller, order, lock=True), timezone.now()
        found = list(chunk)
        decided = plan.decide(place, found, now) if found else plan.end(place, now)
        write_imported(decided.writing, last_number=decided.last_number)
        project = place.project
        Origin.objects.bulk_create(
            Origin(
                project=project,
                item=each.node.item,
                importer=plan.importer,
                digest=each.digest,
                content=each.content,
                unmended=each.unmended,
            )
            for each in decided.nodes
        )
        _remember_rows(decided)
        amend_titles(decided.renamed)


def _remember_rows(decided: Decided) -> None:
    """Keep of the rows their keys alone."""
    for each in decided.nodes:
        each.node.pk = each.node.item.pk if each.node.item is not None else None
        each.node.item = None


def _forget_rows(decided: Decided) -> None:
    for each in decided.nodes:
        each.node.item = None


def _say(progress: Progress | None, done: int) -> None:
    if progress is not None:
        progress(done)


class _Pace:
    """How many records go into a chunk, so that it takes about as long as it may."""

    def __init__(self) -> None:
        self.size = min(FIRST, LARGEST)
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = time.monotonic()

    def __exit__(self, *_raised: object) -> None:
        took = time.monotonic() - self._begun
        fitting = int(self.size * AIM / max(took, 0.001))
        self.size = max(SMALLEST, min(fitting, 2 * self.size, LARGEST))
        time.sleep(PAUSE)


def _chunks(found: Iterable[Found], size: Callable[[], int]) -> Iterator[list[Found]]:
    """What was found, so many at once as `size` says then, and not much text at once."""
    chunk: list[Found] = []
    texts = 0
    for each in found:
        chunk.append(each)
        texts += _weight(each)
        if len(chunk) >= size() or texts >= MOST_TEXT:
            yield chunk
            chunk, texts = [], 0
    if chunk:
        yield chunk


def _weight(found: Found) -> int:
    """About how many characters it has, histories included."""
    if not isinstance(found, Record):
        return 0
    states = [event.state or {} for event in found.history]
    return EVENT_WEIGHT * len(found.history) + sum(
        len(value)
        for fields in (found.fields, *states)
        for value in fields.values()
        if isinstance(value, str)
    )
