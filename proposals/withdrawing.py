"""Withdrawing a proposal: its proposer takes it back while it waits."""

from django.db import transaction

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Conflict, Denied
from conderis.common.json import JsonObject
from items.kinds.task import MAX_REASON
from items.patches import read_reason
from items.screening import screen_texts
from projects.access import require_scope
from proposals.access import access_proposal
from proposals.entries import decision_shown, is_pending, item_reference
from proposals.models import Proposal
from proposals.settling import settle


def withdraw(caller: Caller, ref: str, *, reason: str | None = None) -> JsonObject:
    """Take one's own proposal back: the person's, also where an agent of theirs made it.

    It stays readable for those who could see it. Repeated it is `unchanged`.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: the key lacks the scope `write`, or it is somebody else's (`ownership`).
        Conflict: it has been decided; it says by whom and when.
        Invalid, TooLarge: the reason cannot be stored.
    """
    require_scope(caller, Scope.WRITE)
    said = read_reason(reason, limit=MAX_REASON)
    with transaction.atomic():
        access = access_proposal(caller, ref, lock=True)
        proposal = access.proposal
        warnings = screen_texts(access.place_access.project, [("reason", said)] if said else [])
        if not access.is_own:
            raise Denied(
                "Only who made a proposal withdraws it. Who may approve it can reject it.",
                missing="ownership",
            )
        if proposal.state == Proposal.State.WITHDRAWN:
            return _answer(proposal, "unchanged")
        if not is_pending(proposal):
            raise decided(proposal)
        settle(caller, proposal, Proposal.State.WITHDRAWN, reason=said)
        answer = _answer(proposal, "done")
        return answer | ({"warnings": warnings} if warnings else {})


def decided(proposal: Proposal) -> Conflict:
    """The refusal to decide once more what has been decided: by whom, what and when."""
    shown = decision_shown(proposal)
    shown.pop("decisionReason", None)  # is read with the proposal
    by = shown.get("decidedBy", {})
    name = by.get("agent") or by.get("name") or "Somebody"
    return Conflict(
        f"{name} has already decided this: {proposal.ref} is {proposal.state}.",
        proposal=proposal.ref,
        state=proposal.state,
        **shown,
    )


def _answer(proposal: Proposal, outcome: str) -> JsonObject:
    return {
        "outcome": outcome,
        "proposal": proposal.ref,
        "state": proposal.state,
        **item_reference(proposal),
    }
