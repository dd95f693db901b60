"""Requesting a permanent deletion: the content is locked at once."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid, NotFound, RateLimited
from conderis.common.json import Json, JsonObject
from items.access import access_item, read_address, reference_of, refuse_locked, subject_of
from items.kinds.instructions import INSTRUCTIONS
from items.models import Item
from items.patches import read_reason
from items.requests import DeletionCall
from items.screening import screen_texts
from items.search import forget_item
from privacy.access import is_private, subject_of_request
from privacy.models import DeletionRequest
from projects.capabilities import Use
from projects.models import Organization, Project
from projects.organization_access import access_organization
from proposals.access import access_proposal
from proposals.models import Proposal

MAX_REASON = 2000
MAX_PENDING = 20
RETRY_AFTER = 3600


@dataclass(frozen=True, slots=True)
class _Target:
    """What a request is of: an item, one version of it, or a proposal."""

    project: Project | None
    item: Item | None = None
    version: int | None = None
    proposal: Proposal | None = None

    def named(self) -> JsonObject:
        """How it is addressed."""
        if self.proposal is not None:
            return {"ref": self.proposal.ref}
        return reference_of(self.item) if self.item is not None else {}


def request_deletion(caller: Caller, call: DeletionCall) -> JsonObject:
    """Lock an item, one version of it, or a proposal, until a person has decided its deletion.

    Asking again is harmless and answers with the request that stands.

    Raises:
        Invalid: no reason was given, or a version of a proposal is asked for.
        NotFound: there is nothing at the address that the caller may read, no such version,
            or it was erased already.
        Denied: the caller lacks `write`, or the key the scope `delete`.
        RateLimited: 20 requests of this caller are pending.
    """
    reason = _reason(call.reason)
    if read_address(call.address).word == "proposal":
        return _request_for_proposal(caller, call, reason)
    with transaction.atomic():
        place, item = access_item(caller, call.address, use=Use.REQUEST_DELETION, lock=True)
        target = _Target(place.project, item, _version(item, call.version))
        return _request(caller, target, reason)


def request_organization_deletion(
    caller: Caller, handle: str, *, version: int | None, reason: Json
) -> JsonObject:
    """Lock the instructions of an organization, or one version of them, as `request_deletion`.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: there is no such organization that the caller is in, or it has none.
        Invalid, RateLimited: as `request_deletion`.
    """
    said = _reason(reason)
    with transaction.atomic():
        access = access_organization(caller, handle, lock=True)
        access.require_owner()
        item = _instructions(access.organization)
        return _request(caller, _Target(None, item, _version(item, version)), said)


def _request_for_proposal(caller: Caller, call: DeletionCall, reason: str) -> JsonObject:
    if call.version is not None:
        raise Invalid("A proposal never changes, so it has no version. Leave it out.",
                      field="version")  # fmt: skip
    with transaction.atomic():
        seen = access_proposal(caller, str(call.address.ref), use=Use.REQUEST_DELETION)
        # Everywhere a project's row comes first, then people's, then those of what is in it.
        place = Project.objects.filter(pk=seen.proposal.project_id)
        place.select_for_update(no_key=True).only("pk").first()
        _lock_requester(caller)
        found = access_proposal(caller, seen.proposal.ref, use=Use.REQUEST_DELETION, lock=True)
        proposal = found.proposal
        if proposal.erased_at is not None:
            raise NotFound(f"{proposal.ref} was erased for good; nothing of it is left.")
        target = _Target(found.place_access.project, proposal=proposal)
        return _request(caller, target, reason)


def _request(caller: Caller, target: _Target, reason: str) -> JsonObject:
    warnings = screen_texts(target.project, [("reason", reason)])
    standing = _standing(target)
    if standing is not None:
        return {"outcome": "unchanged", "request": standing.ref, **target.named()}
    _refuse_too_many(caller)
    request = DeletionRequest.objects.create(
        project=target.project,
        item=target.item,
        version=target.version,
        proposal=target.proposal,
        reason=reason,
        requester_id=caller.person_id,
        requester_agent_id=caller.agent_id,
    )
    _lock(target, request)
    item = target.item
    audit.record(
        caller,
        action="deletion.requested",
        subject=subject_of_request(request),
        project_id=request.project_id,
        organization_id=item.organization_id if item is not None else None,
        request=request.public_id,
        version=request.version,
        private=is_private(item),
    )
    answer: JsonObject = {"outcome": "locked", "request": request.ref, **target.named()}
    return answer | ({"warnings": warnings} if warnings else {})


def _reason(sent: Json) -> str:
    reason = read_reason(sent, limit=MAX_REASON)
    if not reason:
        raise Invalid(
            "Send reason: why it must be deleted for good. Whoever decides reads it.",
            field="reason",
            allowed=["text"],
        )
    return reason


def _instructions(organization: Organization) -> Item:
    found = Item.objects.filter(organization=organization, kind=INSTRUCTIONS.name).first()
    if found is None:
        raise NotFound(f"{organization.handle} has no instructions yet.")
    return found


def _version(item: Item, version: int | None) -> int | None:
    if item.erased_at is not None:
        refuse_locked(item)
    if version is None:
        return None
    event = item.events.filter(version=version).defer("state").first()
    if event is None:
        raise NotFound(
            f"{subject_of(item)} has no version {version}; the current one is {item.version}.",
            field="version",
            currentVersion=item.version,
        )
    if not item.events.filter(pk=event.pk, state__isnull=False).exists():
        raise Conflict(
            f"Version {version} of {subject_of(item)} was erased for good already.",
            current_version=item.version,
        )
    return version


def _standing(target: _Target) -> DeletionRequest | None:
    """A pending request that already covers this one."""
    pending = DeletionRequest.objects.filter(state=DeletionRequest.State.PENDING)
    if target.proposal is not None:
        return pending.filter(proposal=target.proposal).first()
    whole = pending.filter(item=target.item, version__isnull=True).first()
    if whole is not None or target.version is None:
        return whole
    return pending.filter(item=target.item, version=target.version).first()


def _lock_requester(caller: Caller) -> None:
    """Have requests of one caller in several projects be counted one after the other."""
    Person.objects.select_for_update(no_key=True).only("pk").get(pk=caller.person_id)


def _refuse_too_many(caller: Caller) -> None:
    _lock_requester(caller)
    pending = DeletionRequest.objects.filter(
        requester=caller.person_id,
        requester_agent=caller.agent_id,
        state=DeletionRequest.State.PENDING,
    ).count()
    if pending >= MAX_PENDING:
        raise RateLimited(
            f"{MAX_PENDING} of your deletion requests are pending; no more are taken until a "
            "person has decided one.",
            retry_after=RETRY_AFTER,
        )


def _lock(target: _Target, request: DeletionRequest) -> None:
    """Lock the proposal or the version; the item, too, when that is the current one or all."""
    if target.proposal is not None:
        Proposal.objects.filter(pk=target.proposal.pk).update(locked_by=request.public_id)
        return
    item = target.item
    if item is None:
        return
    if request.version is not None:
        item.events.filter(version=request.version).update(locked_by=request.public_id)
    if request.version in (None, item.version) and item.locked_at is None:
        item.locked_at = timezone.now()
        item.locked_by = request.public_id
        item.save(update_fields=["locked_at", "locked_by"])
        forget_item(item.pk)
