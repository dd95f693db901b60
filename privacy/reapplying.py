"""Erasing again what a restored database has brought back, before anybody can read it."""

import logging
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import DomainError
from items.access import whole as whole_items
from items.erasing import remaining_versions
from items.events import Signature
from items.kinds.registry import kind_of
from items.models import Item
from privacy.erasers.base import Scope
from privacy.erasers.registry import erase_everywhere, traces_of
from privacy.erasing import erase_project
from privacy.erasures import (
    Entry,
    What,
    all_entries,
    append,
    know,
    read_journal,
    unknown,
)
from privacy.files import clear_files
from privacy.leaving import NameChoice, leave
from privacy.models import DeletionRequest, Erasure
from privacy.unlocking import release
from projects.models import Project
from proposals.models import Proposal

logger = logging.getLogger(__name__)


def apply_entries(entries: Iterable[Entry]) -> int:
    """Erase what this database does not know as erased yet; how many entries were new.

    Each in a transaction of its own; what is not there any more is noted as known. At the
    end the files are cleared. An account that cannot be deleted again, since it owns what it
    did not own then, is named in the log and tried again the next time.
    """
    new = unknown(entries)
    done = sum(_apply(entry) for entry in new)
    if done:
        clear_files()
    return done


def keep_journal() -> int:
    """Bring database and journal together; how many erasures the database did not know.

    Before the server serves: what the journal alone knows is erased here, too.

    Raises:
        ValueError: the journal cannot be read; the words name the line.
    """
    journal = read_journal()
    done = apply_entries(journal)
    held = {entry.key for entry in journal}
    append(entry for entry in all_entries() if entry.key not in held)
    return done


def _apply(entry: Entry) -> bool:
    try:
        with transaction.atomic():
            _ERASE[What(entry.what)](entry)
            know(entry)
    except DomainError as refusal:
        logger.error(  # noqa: TRY400 - a refusal, not a fault
            "The erasure %s could not be repeated: %s", entry.cause, refusal.code
        )
        return False
    return True


def _item(entry: Entry) -> None:
    item = _standing(entry)
    if item is not None:
        _all_of(item, entry)


def _all_of(item: Item, entry: Entry) -> None:
    """Erase the item; of instructions, which go on after it, what was there by then."""
    by, now = _signature(entry, item.author_id), timezone.now()
    newer = item.events.filter(version__isnull=False, state__isnull=False, at__gt=entry.at)
    if kind_of(item.kind).numbered or not newer.exists():
        erase_everywhere(Scope(by, now, item=item, cause=entry.cause))
        return
    older = item.events.filter(version__isnull=False, state__isnull=False, at__lte=entry.at)
    for version in older.values_list("version", flat=True):
        _one_version(item, version or 0, entry)


def _version(entry: Entry) -> None:
    item = _standing(entry)
    version = entry.version
    if item is None or version is None:
        return
    # A version of this number that was made later is another text.
    of_then = item.events.filter(version=version, state__isnull=False, at__lte=entry.at)
    if of_then.exists():
        _one_version(item, version, entry)


def _one_version(item: Item, version: int, entry: Entry) -> None:
    events = item.events.filter(version__isnull=False, state__isnull=False)
    by = _signature(entry, item.author_id)
    if not events.exclude(version=version).exists():
        erase_everywhere(Scope(by, timezone.now(), item=item, cause=entry.cause))
        return
    if version == item.version and not remaining_versions(item, version).exists():
        _widen(item, version)
    scope = Scope(
        by, timezone.now(), item=item, version=version, traces=traces_of(item, version),
        cause=entry.cause,
    )  # fmt: skip
    erase_everywhere(scope)
    release(item, by=by)


def _widen(item: Item, version: int) -> None:
    """Have the request of the newest other version be of the whole item, which stays locked.

    For an item of which every other version waits for a decision, as it did not when this
    one was erased: that text stands again then, and nobody may read it.
    """
    others = item.events.filter(version__isnull=False, state__isnull=False)
    newest = others.exclude(version=version).latest("version")
    request = newest.locked_by
    item.events.filter(pk=newest.pk).update(locked_by="")
    DeletionRequest.objects.filter(public_id=request).update(version=None)
    item.locked_at, item.locked_by = item.locked_at or timezone.now(), request
    item.save(update_fields=["locked_at", "locked_by"])


def _proposal(entry: Entry) -> None:
    found = Proposal.objects.filter(public_id=entry.target, erased_at__isnull=True).first()
    if found is not None:
        by = _signature(entry, found.proposer_id)
        erase_everywhere(Scope(by, timezone.now(), proposal=found, cause=entry.cause))


def _project(entry: Entry) -> None:
    found = Project.objects.select_for_update().filter(public_id=entry.target).first()
    if found is not None:
        erase_project(Operator(), found)


def _person(entry: Entry) -> None:
    found = Person.objects.filter(public_id=entry.target, left_at__isnull=True).first()
    if found is not None:
        caller = Caller(found.pk, found.ref, found.display_name, Surface.COMMAND)
        leave(caller, keep_name=NameChoice.REMOVE)


def _standing(entry: Entry) -> Item | None:
    rows = Item.objects.filter(public_id=entry.target, erased_at__isnull=True)
    item = whole_items(rows).first()
    if item is not None and item.project_id is not None:
        item.project = Project.objects.select_for_update(no_key=True).get(pk=item.project_id)
    return item


def _signature(entry: Entry, otherwise: int) -> Signature:
    """Who decided, where this database knows the person, else who wrote it."""
    public_id = entry.by.removeprefix("person:")
    found = Person.objects.filter(public_id=public_id).values_list("pk", flat=True).first()
    return Signature(found if found is not None else otherwise)


_ERASE = {
    Erasure.What.ITEM: _item,
    Erasure.What.VERSION: _version,
    Erasure.What.PROPOSAL: _proposal,
    Erasure.What.PROJECT: _project,
    Erasure.What.PERSON: _person,
}
