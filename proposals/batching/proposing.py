"""Making one proposal of the items of a batch that need review."""

from collections.abc import Sequence

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.batches.preparing import Prepared
from items.kinds.base import Kind
from items.kinds.values import ItemReference
from projects.access import ProjectAccess
from proposals.models import Proposal, ProposedItem
from proposals.proposing import Draft, kept_proposal, proposed_value


def propose_items(
    caller: Caller, access: ProjectAccess, kind: Kind, items: Sequence[Prepared], *, source: str
) -> Proposal:
    """The proposal to make these items, or the equal one that is pending.

    Raises:
        Conflict, RateLimited: as for any proposal.
    """
    positions = {id(each): position for position, each in enumerate(items)}
    entries = tuple(_entry(each, positions) for each in items)
    draft = Draft(
        access=access,
        action=Proposal.Action.BATCH,
        kind=kind.name,
        item=None,
        fields={},
        title=source,
        reason="",
        entries=entries,
    )
    proposal, is_new = kept_proposal(caller, draft)
    if is_new:
        ProposedItem.objects.bulk_create(
            ProposedItem(proposal=proposal, position=position, **entry)
            for position, entry in enumerate(entries)
        )
    return proposal


def _entry(prepared: Prepared, positions: dict[int, int]) -> JsonObject:
    change, parent = prepared.change, prepared.parent
    if change is None:
        raise AssertionError("an item that was refused is proposed")
    names = [
        name
        for name in [*change.content, *change.structure]
        if parent is None or not isinstance(change.kind.by_name[name].type, ItemReference)
    ]
    return {
        "under": positions[id(parent)] if parent is not None else None,
        "fields": {name: proposed_value(change, name) for name in names},
    }
