"""The write door for batches: each kind stored, proposed or refused on its own.

All of it is one transaction that holds the place's row, with a savepoint for each kind: two
equal batches run one after the other, and a server that dies leaves nothing half stored.
"""

from collections.abc import Sequence

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.errors import Denied, DomainError
from conderis.common.json import JsonObject, without_nulls
from items.access import Place, place_of, reference_of
from items.batches.preparing import Prepared, prepare_entries
from items.batches.reading import Batch, Entry, read_batch
from items.change import Change
from items.creating import create_items
from items.kinds.base import Kind, Review
from items.kinds.values import Numbers
from items.models import Item
from items.requests import BatchRequest
from items.screening import screen_texts
from items.state import parent_entry
from projects.access import ProjectAccess
from projects.capabilities import Use
from proposals.batching.outcomes import OfKind, Outcome, answer_of, failed
from proposals.batching.proposing import propose_items
from proposals.batching.results import keep_result, replayed, results_of
from proposals.models import Proposal
from proposals.publication import proposed_to


def store_batch(caller: Caller, request: BatchRequest) -> JsonObject:
    """Store the items of a batch, or propose them; what stands under its key is not doubled.

    Raises:
        Invalid, TooLarge: the batch is none, or holds too much.
        NotFound: there is no such project that the caller may read.
        Denied: the caller may neither store nor propose anything there.
        Conflict: its idempotency key stands for other content.
    """
    batch = read_batch(request.batch, kind=request.kind, personal=request.project_id is None)
    with transaction.atomic():
        place = place_of(caller, request.project_id, use=_use(batch), lock=True)
        if batch.source:
            screen_texts(place.project, [("batch.source", batch.source)])
        standing = results_of(place, batch)
        results = [
            replayed(place, entries[0].kind, entries, standing[name])
            if name in standing
            else _store_kind(place, batch, entries)
            for name, entries in batch.by_kind().items()
        ]
        if batch.atomic and any(each.outcome is Outcome.FAILED for each in results):
            transaction.set_rollback(True)
            results = [_undone(each) for each in results]
    return answer_of(results)


def _use(batch: Batch) -> Use:
    """What the caller needs to send any of it; what each item needs is asked with it."""
    kinds = [entry.kind for entry in batch.entries]
    reviewed = any(kind.review is Review.MODERATORS for kind in kinds)
    return Use.PROPOSE if reviewed else Use.WORK


def _undone(result: OfKind) -> OfKind:
    """A kind of an atomic batch that failed; what stood before it stays."""
    if result.replayed or result.outcome is Outcome.FAILED:
        return result
    return OfKind(result.kind, result.entries, Outcome.FAILED, undone=True)


def _store_kind(place: Place, batch: Batch, entries: Sequence[Entry]) -> OfKind:
    kind = entries[0].kind
    prepared = prepare_entries(place, entries)
    proposed_in = [_decide(place, each) for each in prepared]
    refusals = {each.entry.index: each.refusal for each in prepared if each.refusal is not None}
    if refusals:
        return OfKind(kind, entries, Outcome.FAILED, refusals=refusals)
    project = place.project
    last = project.last_number if project is not None else 0
    try:
        with transaction.atomic():
            return _write(place, batch, prepared, proposed_in)
    except DomainError as refusal:
        if project is not None:
            project.last_number = last  # the savepoint's end has undone it in the database
        return failed(kind, entries, refusal)


def _decide(place: Place, prepared: Prepared) -> ProjectAccess | None:
    """Where the item becomes part of a proposal; why it may not be stored is noted with it."""
    change = prepared.change
    if change is None:
        return None
    try:
        access = proposed_to(place, change.use, reviewed=change.reviewed, asked=False)
        if access is not None and not change.kind.proposed_in_batches:
            raise _needs_review(change.kind, access, change.use)
    except DomainError as refusal:
        prepared.refusal = refusal
        return None
    return access


def _needs_review(kind: Kind, access: ProjectAccess, use: Use) -> Denied:
    return Denied(
        f"Your {kind.plural} need review here, and a batch does not propose them. Store each one "
        "with item_store fields, which makes a proposal of it.",
        missing=access.missing(use) or "person",
    )


def _write(
    place: Place,
    batch: Batch,
    prepared: Sequence[Prepared],
    proposed_in: Sequence[ProjectAccess | None],
) -> OfKind:
    kind, entries = prepared[0].entry.kind, [each.entry for each in prepared]
    waiting = [each for each, access in zip(prepared, proposed_in, strict=True) if access]
    stored = [each for each, access in zip(prepared, proposed_in, strict=True) if not access]
    create_items([_change(each) for each in stored])
    access = next((access for access in proposed_in if access is not None), None)
    proposal: Proposal | None = None
    if access is not None:
        proposal = propose_items(place.caller, access, kind, waiting, source=batch.source)
    made: list[Item | None] = [
        _change(each).item if access is None else None
        for each, access in zip(prepared, proposed_in, strict=True)
    ]
    if batch.idempotency_key is not None:
        key = batch.idempotency_key
        keep_result(place, kind, key, entries, made=made, proposal=proposal)
    return OfKind(
        kind,
        entries,
        Outcome.STORED if proposal is None else Outcome.PROPOSED,
        items=[_shown(each, item) for each, item in zip(prepared, made, strict=True)],
        proposal=proposal,
    )


def _change(prepared: Prepared) -> Change:
    if prepared.change is None:
        raise AssertionError("an item that was refused is stored")
    return prepared.change


def _shown(prepared: Prepared, item: Item | None) -> JsonObject:
    """What the answer says of an item that is stored, or (None) proposed."""
    change, parent = _change(prepared), prepared.parent
    warnings = change.warnings or None
    if item is None:
        named = parent_entry(change.item) if parent is None else {"key": parent.entry.key}
        return without_nulls({"parent": named, "warnings": warnings})
    numbers = next((f for f in change.kind.fields if isinstance(f.type, Numbers)), None)
    depends = change.after[numbers.name] if numbers is not None else None
    return reference_of(item) | without_nulls(
        {"parent": parent_entry(item), "dependsOn": depends or None, "warnings": warnings}
    )
