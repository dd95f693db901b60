"""Writing down what became of a proposal: the one way out of waiting."""

from django.utils import timezone

from conderis.accounts import audit
from conderis.common.caller import Caller
from items.access import subject_of
from items.models import Item
from proposals.models import Proposal


def settle(
    caller: Caller,
    proposal: Proposal,
    state: Proposal.State,
    *,
    reason: str,
    item: Item | None = None,
) -> None:
    """Have the proposal be in this state by the caller, with its audit event.

    `item` is the one that approving it created. Whether the caller may, and whether it
    still waits, is not asked. Runs in the caller's transaction, which holds the row.
    """
    if item is not None:
        proposal.item = item
    of = proposal.item
    proposal.state = state
    proposal.decision_reason = reason
    proposal.decided_at = proposal.changed = timezone.now()
    proposal.decided_by_id = caller.person_id
    proposal.decided_by_agent_id = caller.agent_id
    if of is not None and state is Proposal.State.APPROVED:
        proposal.result_version = of.version
    proposal.save(
        update_fields=[
            "state",
            "decision_reason",
            "decided_at",
            "changed",
            "decided_by",
            "decided_by_agent",
            "item",
            "result_version",
        ]
    )
    audit.record(
        caller,
        action=f"proposal.{state.value}",
        subject=proposal.ref,
        project_id=proposal.project_id,
        item=subject_of(of) if of is not None else None,
        version=proposal.result_version,
    )
