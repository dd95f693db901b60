"""What lists and refusals say of a proposal: what it is of, by whom, how far it has come.

Never its content. Of a locked one the title is left out, too.
"""

from datetime import datetime

from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import age, iso
from items.access import reference_of
from items.history import locked_shown, signature
from items.models import Item
from proposals.access import is_locked
from proposals.models import Proposal


def proposal_entry(proposal: Proposal, *, now: datetime, across: bool = False) -> JsonObject:
    """The entry of a row that `access.whole` has loaded.

    `across` is for lists of several projects: it carries `projectId`, and the item's
    reference is the long one.
    """
    return without_nulls(
        {
            "proposal": proposal.ref,
            "action": proposal.action,
            "kind": proposal.kind,
            "projectId": proposal.project.full_name if across else None,
            **item_reference(proposal, across=across),
            "title": title_of(proposal),
            "count": proposal.count,
            "author": signature(proposal.proposer, proposal.proposer_agent),
            "state": proposal.state,
            "baseVersion": proposal.base_version,
            **lock_shown(proposal),
            "age": age(proposal.created, now, ongoing=is_pending(proposal)),
        }
    )


def item_reference(proposal: Proposal, *, across: bool = False) -> JsonObject:
    """`{number}` or `{ref}` of the item that it is of; nothing where it is a new one."""
    item: Item | None = proposal.item
    if item is None:
        return {}
    if across and item.number is not None:
        return {"ref": f"{proposal.project.full_name}#{item.number}"}
    return reference_of(item)


def title_of(proposal: Proposal) -> str | None:
    """The title for lists; None where there is none or it is locked."""
    return None if is_locked(proposal) else proposal.title or None


def lock_shown(proposal: Proposal) -> JsonObject:
    """The flag of a locked or an erased one, with the deletion request that locks it."""
    if not is_locked(proposal):
        return {}
    if proposal.erased_at is not None:
        return {"erased": {"at": iso(proposal.erased_at)}}
    if proposal.locked_by:
        return {"locked": {"request": f"deletion:{proposal.locked_by}"}}
    item = proposal.item
    return (locked_shown(item) if item is not None else {}) or {"locked": True}


def decision_shown(proposal: Proposal) -> JsonObject:
    """Who decided when and what came of it; nothing while it is pending."""
    if proposal.decided_at is None or proposal.decided_by is None:
        return {}
    return without_nulls(
        {
            "decidedBy": signature(proposal.decided_by, proposal.decided_by_agent),
            "decidedAt": iso(proposal.decided_at),
            "decisionReason": None if is_locked(proposal) else proposal.decision_reason or None,
            "version": proposal.result_version,
        }
    )


def is_pending(proposal: Proposal) -> bool:
    """Whether it still waits."""
    return proposal.state == Proposal.State.PENDING
