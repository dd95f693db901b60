"""Reading what is at an address: a proposal here, everything else by `items.reading`."""

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import age, iso
from items import parts
from items.access import read_address
from items.history import signature
from items.kinds.registry import kind_of
from items.reading import read_item, read_whole
from items.requests import ReadRequest
from proposals.access import ProposalAccess, access_proposal, is_locked, proposal_id
from proposals.batching.reading import batch_shown, passage_of
from proposals.entries import (
    decision_shown,
    is_pending,
    item_reference,
    lock_shown,
    title_of,
)
from proposals.models import Proposal
from proposals.preview import preview_of

TEXT = "content"


def read_at(caller: Caller, request: ReadRequest) -> JsonObject:
    """The item or the proposal at the address, as the request asks for it.

    Raises:
        DomainError: as `read_item` and `read_proposal` refuse.
    """
    if proposal_id(request.address.ref) is not None:
        return read_proposal(caller, request)
    return read_item(caller, request)


def read_proposal(caller: Caller, request: ReadRequest) -> JsonObject:
    """The proposal with all that it would change; a long text in parts, as of items.

    `fields` are the proposed values by name, `clears` the fields that it empties. A text
    longer than a part stands there up to where the part ends, with `nextOffset` and the
    outline beside `fields`; with `offset` or `section` the answer is that part of it alone,
    as `content`. It never changes, so reading on needs no version. While it is pending,
    `currentVersion`, `conflicts` (fields that both sides changed) and `blocked` say whether
    it could be approved now, and who may do so reads in `rejectedBefore` why an equal one
    was rejected. Of a locked one nothing but its
    reference, its state and the lock. A batch has `items` instead of `fields`, and the texts of
    all of them as one, each under its heading.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: the key lacks the scope `read`.
        Invalid: it was asked for what proposals have not, for a part that is none, or by a
            number beside the reference.
    """
    read_address(request.address)
    for name in ("history", "version"):
        if getattr(request, name):
            raise Invalid(
                f"A proposal never changes, so it has no {name}. Leave it out.",
                field=name,
                allowed=["section", "offset", "take"],
            )
    access = access_proposal(caller, str(request.address.ref))
    take = parts.read_take(request.take)
    offset = read_whole(request.offset, "offset", least=0)
    proposal = access.proposal
    head: JsonObject = {
        "proposal": proposal.ref,
        "state": proposal.state,
        "action": proposal.action,
        "kind": proposal.kind,
        "projectId": proposal.project.full_name,
        **item_reference(proposal),
        **lock_shown(proposal),
    }
    if is_locked(proposal):
        return head | decision_shown(proposal)
    batch = proposal.action == Proposal.Action.BATCH
    if batch and (request.section is not None or offset):
        return head | passage_of(access, request.section, offset, take)
    if batch:
        return head | _about(access) | batch_shown(access, take)
    text = str(proposal.fields.get(TEXT) or "")
    if request.section is not None or offset:
        return head | parts.passage(text, request.section, offset, take)
    return head | _whole(access, text, take)


def _prospects(access: ProposalAccess) -> JsonObject:
    """What approving it now would meet; nothing where it has been decided."""
    if not is_pending(access.proposal):
        return {}
    preview = preview_of(access.caller, access.proposal.ref)
    return without_nulls(
        {
            "currentVersion": preview.current_version,
            "conflicts": [each.field for each in preview.conflicts] or None,
            "blocked": preview.blocked,
            "rejectedBefore": preview.rejected_before,
        }
    )


def _about(access: ProposalAccess) -> JsonObject:
    """What it is and by whom, what became of it, and what approving it would meet."""
    proposal = access.proposal
    answer = without_nulls(
        {
            "title": title_of(proposal),
            "count": proposal.count,
            "baseVersion": proposal.base_version,
            "reason": proposal.reason or None,
            "author": signature(proposal.proposer, proposal.proposer_agent),
            "created": iso(proposal.created),
            "age": age(proposal.created, timezone.now(), ongoing=is_pending(proposal)),
        }
    )
    return answer | decision_shown(proposal) | _prospects(access)


def _whole(access: ProposalAccess, text: str, take: int) -> JsonObject:
    proposal = access.proposal
    answer = _about(access)
    # The order of the kind's fields: the database may keep another one.
    names = [name for name in kind_of(proposal.kind).by_name if name in proposal.fields]
    fields = {name: proposal.fields[name] for name in names if proposal.fields[name] is not None}
    answer["fields"] = fields
    clears = [name for name in names if name not in fields]
    if clears:
        answer["clears"] = clears
    first = parts.first_part(text, take)
    if first:
        fields[TEXT] = first.pop(TEXT)
    return answer | first
