"""Deciding a proposal: approving applies it as its proposer's change, rejecting says why."""

from collections.abc import Collection, Sequence

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, Locked
from conderis.common.json import JsonObject
from items import acting
from items.access import Place, refuse_locked, subject_of
from items.change import Change
from items.events import changes_since, check_version
from items.kinds.task import MAX_REASON
from items.models import Item
from items.patches import read_reason
from items.publishing import publish, what_stands
from items.screening import screen_texts
from projects.capabilities import Use
from proposals.access import ProposalAccess, access_proposal, is_locked
from proposals.applying import Outlook, look_ahead, signature_of
from proposals.batching.applying import apply_entries, look_at_entries, made_of
from proposals.entries import is_pending, item_reference
from proposals.models import Proposal
from proposals.settling import settle
from proposals.withdrawing import decided

PASSED_ON = ("along", "parent")  # members of the change's answer that the decision's carries


def approve(
    caller: Caller,
    ref: str,
    *,
    version: int | None = None,
    reason: str | None = None,
    leave_out: Collection[int] = (),
) -> JsonObject:
    """Apply a proposal to what now stands, as one version of its proposer (a move as none).

    Fields that nobody else has changed since its base apply as they are; a text changed on
    both sides is merged where that is clean. With `version`, the item must still be at it.
    What already stands makes no version. Repeating one's own decision is `unchanged`. Of a
    batch the items at the places `leave_out` (from 0) are not made, nor what stands under them.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: the key lacks `review`, the role what publishing it takes, or it is the
            caller's own.
        Conflict: somebody has decided it (it says who and when), the item is at another
            version, both sides changed a field (`fields`), or it does not fit any more. It
            stays pending then.
        Locked: a deletion request has locked what it is of.
        Invalid, TooLarge: the reason cannot be stored, there never was this version, or one
            was sent of an item that is new; there is nothing to leave out, or nothing is left.
    """
    said = read_reason(reason, limit=MAX_REASON)
    with transaction.atomic():
        access = access_proposal(caller, ref, lock=True, use=Use.REVIEW)
        proposal = access.proposal
        if _is_decided(access, Proposal.State.APPROVED):
            return _answer(proposal, "unchanged", proposal.item)
        access.require_review()
        warnings = screen_texts(access.place_access.project, [("reason", said)] if said else [])
        if proposal.action == Proposal.Action.BATCH:
            _approve_batch(access, said, version, leave_out)
            answer = _answer(proposal, "done", None)
            return answer | ({"warnings": warnings} if warnings else {})
        if leave_out:
            raise Invalid("Only of a batch something is left out.", field="leaveOut")
        outlook = look_ahead(access)
        _refuse(proposal, outlook, version)
        applied = _apply(outlook)
        item = outlook.doing.item if outlook.doing is not None else None
        settle(caller, proposal, Proposal.State.APPROVED, reason=said, item=item)
    answer = _answer(proposal, "done", item)
    answer |= {name: applied[name] for name in PASSED_ON if name in applied}
    warnings = [*_merged(outlook), *applied.get("warnings", []), *warnings]
    return answer | ({"warnings": warnings} if warnings else {})


def _approve_batch(
    access: ProposalAccess, reason: str, version: int | None, leave_out: Collection[int]
) -> None:
    proposal, caller = access.proposal, access.caller
    _refuse_unreadable(proposal)
    _refuse(proposal, Outlook(), version)
    place = Place(caller, access.place_access)
    outlooks = look_at_entries(place, proposal, signature_of(proposal, caller), leave_out=leave_out)
    apply_entries(proposal, outlooks)
    settle(caller, proposal, Proposal.State.APPROVED, reason=reason)


def reject(caller: Caller, ref: str, *, reason: str | None) -> JsonObject:
    """Turn a proposal down; its proposer reads the reason, which is required.

    Repeating one's own decision is `unchanged`.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: as for approving; one's own is withdrawn, never rejected.
        Conflict: somebody has decided it; it says who and when.
        Locked: a deletion request has locked what it is of.
        Invalid, TooLarge: there is no reason, or it cannot be stored.
    """
    said = read_reason(reason, limit=MAX_REASON)
    with transaction.atomic():
        access = access_proposal(caller, ref, lock=True, use=Use.REVIEW)
        proposal = access.proposal
        if _is_decided(access, Proposal.State.REJECTED):
            return _answer(proposal, "unchanged", proposal.item)
        if access.is_own:
            raise Denied(
                "This proposal is your own or one of your agents'. To take it back use withdraw.",
                missing="another person",
            )
        access.require_review()
        if not said:
            raise Invalid(
                "Send reason: why it is rejected. Its proposer reads it.",
                field="reason",
                allowed=["text"],
            )
        _refuse_unreadable(proposal)
        warnings = screen_texts(access.place_access.project, [("reason", said)])
        settle(caller, proposal, Proposal.State.REJECTED, reason=said)
    answer = _answer(proposal, "done", proposal.item)
    return answer | ({"warnings": warnings} if warnings else {})


def _is_decided(access: ProposalAccess, state: Proposal.State) -> bool:
    """Whether this very caller has already decided so.

    Raises:
        Conflict: it has been decided otherwise, or by somebody else.
    """
    proposal, caller = access.proposal, access.caller
    if is_pending(proposal):
        return False
    mine = (proposal.decided_by_id, proposal.decided_by_agent_id)
    if proposal.state == state and mine == (caller.person_id, caller.agent_id):
        return True
    raise decided(proposal)


def _refuse_unreadable(proposal: Proposal) -> None:
    """Refuse to decide what cannot be read now.

    Raises:
        Locked: its item, or the version that it is based on, is locked.
    """
    if proposal.item is not None:
        refuse_locked(proposal.item)
    if is_locked(proposal):
        raise Locked(
            f"{proposal.ref}, or the version that it is based on, is locked by a deletion "
            "request until a person has decided it."
        )


def _refuse(proposal: Proposal, outlook: Outlook, version: int | None) -> None:
    """Go on only if what approving would make is what the reviewer may have seen, and fits."""
    if isinstance(outlook.refusal, Locked):
        raise outlook.refusal
    item = outlook.item
    if item is None and version is not None:
        raise Invalid(
            f"{proposal.ref} is of a new item, which has no version yet. Leave out version.",
            field="version",
        )
    if item is not None and version is not None and version != item.version:
        if version > item.version or version < 1:
            check_version(item, version)
        raise Conflict(
            f"{subject_of(item)} has changed since version {version}. Read {proposal.ref} again "
            f'beside it, then approve with "version": {item.version}.',
            current_version=item.version,
            changed=changes_since(item, version),
        )
    if outlook.refusal is not None:
        raise outlook.refusal
    if item is not None and outlook.merge.conflicts:
        names = [conflict.field for conflict in outlook.merge.conflicts]
        base = proposal.base_version or 0
        raise Conflict(
            _both_changed(proposal, item, names),
            current_version=item.version,
            changed=changes_since(item, base),
            fields=names,
            baseVersion=base,
        )


def _both_changed(proposal: Proposal, item: Item, names: Sequence[str]) -> str:
    of, base, now = subject_of(item), proposal.base_version, item.version
    do = "change the item directly, or reject the proposal."
    if base is None:
        return (
            f"{proposal.ref} was written when there was no {of}; since then version {now} of it "
            f"has come, with another {' and '.join(names)}. Read that, then {do}"
        )
    return (
        f"{proposal.ref} was worked out from version {base}; since then {' and '.join(names)} "
        f"of {of} changed in the same place. Read version {base} and {now}, then {do}"
    )


def _apply(outlook: Outlook) -> JsonObject:
    doing = outlook.doing
    if doing is None:
        raise AssertionError("neither a change nor a refusal came of the proposal")
    return publish(doing) if isinstance(doing, Change) else acting.run(doing)


def _merged(outlook: Outlook) -> list[str]:
    return [
        f"{name} had been changed since the proposal's base; both changes are in it now."
        for name in outlook.merge.merged
    ]


def _answer(proposal: Proposal, outcome: str, item: Item | None) -> JsonObject:
    answer: JsonObject = {"outcome": outcome, "proposal": proposal.ref, "state": proposal.state}
    if proposal.action == Proposal.Action.BATCH and proposal.state == Proposal.State.APPROVED:
        return answer | made_of(proposal)
    if item is None or proposal.state != Proposal.State.APPROVED:
        return answer | item_reference(proposal)
    return answer | what_stands(item)
