"""A proposal with everything that deciding it takes, for the browser's page of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.access import Place, reference_of
from items.kinds.registry import kind_of
from proposals.access import ProposalAccess, access_proposal, is_locked, with_locks
from proposals.applying import Outlook, look_ahead, signature_of
from proposals.batching.applying import look_at_entries
from proposals.entries import decision_shown, is_pending, item_reference, proposal_entry
from proposals.merging import FieldConflict
from proposals.models import Proposal, ProposedItem

MOST_COMPARED = 20  # rejected proposals looked at for an equal one


@dataclass(frozen=True, slots=True)
class Standing:
    """How many proposals of somebody in this project have come how far."""

    approved: int
    rejected: int
    pending: int


@dataclass(frozen=True, slots=True)
class EntryShown:
    """An item of a proposed batch: what was proposed, what would come of it or has.

    `under` is the position of the one that is to be its parent. `blocked` says why it cannot
    be made now, `item` what it has become; one that was erased has no fields.
    """

    position: int
    under: int | None
    fields: JsonObject
    blocked: str | None = None
    item: JsonObject | None = None
    left_out: bool = False
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposal beside its base and what stands, and what approving it now would make.

    `proposal` is its entry as lists show it; states are fields as answers show them, None
    where there is none, it is locked, or (`result`) nothing can come of it. `merged` names
    the texts that both sides changed and that go together; with `conflicts` or `blocked`
    (why not, in a sentence) it cannot be approved now. `may_approve` and `may_reject` are
    the caller's rights while it is pending; `because` says why it may not approve.
    `entries` are the items of a batch, which has no states of its own.
    `rejected_before` is the reason that an equal proposal got (for who may review), and
    `current_version` what `approve` is to be sent.
    """

    proposal: JsonObject
    item: JsonObject | None
    reason: str
    decision: JsonObject
    base: JsonObject | None
    current: JsonObject | None
    proposed: JsonObject
    result: JsonObject | None
    merged: tuple[str, ...]
    base_erased: bool
    conflicts: tuple[FieldConflict, ...]
    blocked: str | None
    current_version: int | None
    own: bool
    may_approve: bool
    may_reject: bool
    because: str | None
    rejected_before: str | None
    of_person: Standing
    of_agent: Standing | None
    entries: tuple[EntryShown, ...] = ()


def preview_of(caller: Caller, ref: str) -> Preview:
    """The proposal as a reviewer or its proposer sees it; nothing is written or locked.

    Costs a fixed number of queries and, where both sides changed a long text, a merge.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: the key lacks the scope `read`.
    """
    access = access_proposal(caller, ref)
    proposal = access.proposal
    pending, locked = is_pending(proposal), is_locked(proposal)
    batch = proposal.action == Proposal.Action.BATCH
    outlook = look_ahead(access) if pending and not batch else Outlook(item=proposal.item)
    entries = entries_shown(access) if batch else ()
    because = access.cannot_review_because
    reviews = access.place_access.may(access.review_use)
    item = outlook.item
    return Preview(
        proposal=proposal_entry(proposal, now=timezone.now()),
        item=reference_of(item) if item is not None else item_reference(proposal) or None,
        reason="" if locked else proposal.reason,
        decision=decision_shown(proposal),
        base=outlook.base,
        current=outlook.current,
        proposed={} if locked else dict(proposal.fields),
        result=None if outlook.refusal or outlook.merge.conflicts else outlook.result,
        merged=outlook.merge.merged,
        base_erased=outlook.base_erased,
        conflicts=outlook.merge.conflicts,
        blocked=_blocked(outlook, entries, pending=pending),
        current_version=outlook.current_version,
        own=access.is_own,
        may_approve=pending and because is None,
        may_reject=pending and because is None and not access.is_own,
        because=because,
        rejected_before=_rejected_before(access) if reviews and not locked else None,
        of_person=_standing(proposal, proposer=proposal.proposer_id),
        of_agent=(
            _standing(proposal, proposer_agent=proposal.proposer_agent_id)
            if proposal.proposer_agent_id is not None
            else None
        ),
        entries=entries,
    )


def _blocked(outlook: Outlook, entries: Sequence[EntryShown], *, pending: bool) -> str | None:
    if outlook.refusal is not None:
        return outlook.refusal.message
    first = next((each for each in entries if each.blocked), None)
    return first.blocked if pending and first is not None else None


def entries_shown(access: ProposalAccess) -> tuple[EntryShown, ...]:
    """The items of a batch; none where a deletion request locks it. A fixed number of queries."""
    proposal = access.proposal
    if is_locked(proposal):
        return ()
    if not is_pending(proposal):
        rows = proposal.entries.order_by("position").select_related("item")
        return tuple(_entry_shown(row) for row in rows)
    place = Place(access.caller, access.place_access)
    looks = look_at_entries(place, proposal, signature_of(proposal, access.caller))
    return tuple(
        _entry_shown(each.entry, each.refusal.message if each.refusal is not None else None)
        for each in looks
    )


def _entry_shown(row: ProposedItem, blocked: str | None = None) -> EntryShown:
    # In the order of the kind's fields: the database may keep another one.
    kind = kind_of(row.proposal.kind)
    return EntryShown(
        position=row.position,
        under=row.under,
        fields={name: row.fields[name] for name in kind.by_name if name in row.fields},
        blocked=blocked,
        item=reference_of(row.item) if row.item is not None else None,
        left_out=row.left_out,
        erased=row.erased_at is not None,
    )


def _rejected_before(access: ProposalAccess) -> str | None:
    """The reason that the newest equal proposal was rejected for, whoever made it."""
    proposal = access.proposal
    alike = Proposal.objects.filter(
        project=proposal.project_id,
        item=proposal.item_id,
        kind=proposal.kind,
        action=proposal.action,
        title=proposal.title,
        state=Proposal.State.REJECTED,
    ).exclude(pk=proposal.pk)
    if proposal.action == Proposal.Action.BATCH:
        alike = alike.filter(digest=proposal.digest)
    newest = with_locks(alike).order_by("-decided_at", "-pk").only("fields", "decision_reason")
    for other in newest.filter(Q(("content_locked", False)))[:MOST_COMPARED]:
        if other.fields == proposal.fields:
            return other.decision_reason
    return None


def _standing(proposal: Proposal, **whose: int) -> Standing:
    """The counts of a person's or an agent's proposals in the project."""
    rows = Proposal.objects.filter(project=proposal.project_id, **whose)
    counts = dict(rows.values_list("state").annotate(Count("pk")).order_by())
    states = Proposal.State
    return Standing(
        approved=counts.get(states.APPROVED, 0),
        rejected=counts.get(states.REJECTED, 0),
        pending=counts.get(states.PENDING, 0),
    )
