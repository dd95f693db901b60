"""What is kept of a batch under its idempotency key, and what a replay answers from it.

No text: a digest of what was sent, and which items came of it.
"""

from collections.abc import Sequence
from hashlib import sha256

from django.db.models import Q
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Conflict
from conderis.common.json import JsonObject, compact, without_nulls
from items.access import Place, reference_of
from items.batches.reading import Batch, Entry, canonical
from items.kinds.base import Kind
from items.kinds.relations import BLOCKS
from items.kinds.values import Numbers
from items.models import Item, Relation
from items.state import parent_entry
from proposals.batching.outcomes import OfKind, Outcome
from proposals.models import BatchResult, Proposal

NEAREST = 20  # results looked at for an item; its own is the first, where clocks agree


def results_of(place: Place, batch: Batch) -> dict[str, BatchResult]:
    """What is kept of the batch's kinds under its key, by kind; the place is locked.

    Raises:
        Conflict: other content of such a kind has been stored under the key.
    """
    key = batch.idempotency_key
    if key is None:
        return {}
    kinds = batch.by_kind()
    lookups = {_lookup(place, name, key): name for name in kinds}
    rows = BatchResult.objects.filter(lookup__in=lookups).select_related("proposal")
    found = {lookups[row.lookup]: row for row in rows}
    others = [name for name, row in found.items() if _differs(row, kinds[name])]
    if others:
        raise Conflict(
            f"This idempotencyKey already stands for other content ({', '.join(others)}). "
            "Nothing was stored. Send what was sent then, or take another key.",
            field="batch.idempotencyKey",
            kinds=others,
        )
    return found


def keep_result(
    place: Place,
    kind: Kind,
    key: str,
    entries: Sequence[Entry],
    *,
    made: Sequence[Item | None],
    proposal: Proposal | None,
) -> None:
    """Keep what came of a kind; None for each item that waits in the proposal.

    It is as old as the youngest of its items, by which `results_holding` finds it.
    """
    caller: Caller = place.caller
    created = max((item.created for item in made if item is not None), default=timezone.now())
    BatchResult.objects.create(
        project=place.project,
        person_id=caller.person_id,
        agent_id=caller.agent_id,
        kind=kind.name,
        lookup=_lookup(place, kind.name, key),
        digest=_digest(entries),
        made=[item.pk if item is not None else None for item in made],
        proposal=proposal,
        created=created,
    )


def replayed(place: Place, kind: Kind, entries: Sequence[Entry], row: BatchResult) -> OfKind:
    """What a kind that has been stored answers: the numbers that it has, as things stand now."""
    made = _made(row)
    rows = place.items().filter(pk__in=[pk for pk in made if pk]).select_related("parent")
    items = {item.pk: item for item in rows}
    waits = _dependencies(kind, items)
    waiting = row.proposal is not None and row.proposal.state != Proposal.State.APPROVED
    return OfKind(
        kind,
        entries,
        Outcome.PROPOSED if waiting else Outcome.STORED,
        items=[_shown(items.get(pk or 0), pk, waits, waiting=waiting) for pk in made],
        proposal=row.proposal,
        replayed=True,
    )


def _shown(
    item: Item | None, pk: int | None, waits: dict[int, list[int]], *, waiting: bool
) -> JsonObject:
    if item is None:
        if pk is None:
            return {} if waiting else {"leftOut": True}
        return {"erased": True}
    answer = reference_of(item)
    if item.erased_at is not None:
        return answer | {"erased": True}
    if item.locked_at is not None:
        return answer | {"locked": True}
    return answer | without_nulls({"parent": parent_entry(item), "dependsOn": waits.get(item.pk)})


def _made(row: BatchResult) -> list[int | None]:
    """The ids of the items in order; those that a proposal has made are among them."""
    made: list[int | None] = list(row.made)
    if row.proposal is None or None not in made:
        return made
    entries = row.proposal.entries.order_by("position").values_list("item_id", flat=True)
    later = iter(list(entries))
    return [next(later, None) if pk is None else pk for pk in made]


def _dependencies(kind: Kind, items: dict[int, Item]) -> dict[int, list[int]]:
    if not any(isinstance(field.type, Numbers) for field in kind.fields):
        return {}
    rows = Relation.objects.filter(relation=BLOCKS, target__in=items).order_by("source__number")
    found: dict[int, list[int]] = {}
    for target, number in rows.values_list("target_id", "source__number"):
        found.setdefault(target, []).append(number or 0)
    return found


def _differs(row: BatchResult, entries: Sequence[Entry]) -> bool:
    if not row.digest:  # something of it has been erased: it is never stored again
        return len(row.made) != len(entries)
    return row.digest != _digest(entries)


def _digest(entries: Sequence[Entry]) -> str:
    return sha256(canonical([entry.content for entry in entries]).encode()).hexdigest()


def _lookup(place: Place, kind: str, key: str) -> str:
    project = place.project.public_id if place.project is not None else None
    return sha256(compact([place.caller.ref, project, kind, key]).encode()).hexdigest()


def results_holding(item: Item) -> list[BatchResult]:
    """The results that hold the item, whoever sent them.

    Batches of a place wait for each other, so that the one that made the item is the next
    one kept after it: an index leads there, however many there are. Some more are looked
    at, since the clocks of several servers differ.
    """
    where = (
        Q(project=item.project_id)
        if item.project_id is not None
        else Q(project__isnull=True, person=item.author_id)
    )
    of_item = Q(proposal__entries__item=item)
    rows = BatchResult.objects.filter(where, kind=item.kind, created__gte=item.created)
    direct = [row for row in rows.order_by("created", "pk")[:NEAREST] if item.pk in row.made]
    return [*direct, *BatchResult.objects.filter(of_item)]
