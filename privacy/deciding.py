"""Deciding deletion requests: for people, in the browser. What is erased cannot come back."""

from collections.abc import Sequence
from enum import StrEnum

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, DomainError, Invalid
from conderis.common.json import JsonObject
from items.erasing import remaining_versions
from items.events import signed_by
from items.models import Item
from items.patches import read_reason
from items.screening import screen_texts
from privacy.access import RequestAccess, access_request, item_of
from privacy.clearing import start_finishing
from privacy.erasers.base import Scope
from privacy.erasers.registry import erase_everywhere, traces_of
from privacy.erasures import note_erasure
from privacy.models import DeletionRequest, Erasure
from privacy.unlocking import release, unlock

MAX_REASON = 2000
MOST_AT_ONCE = 100
State = DeletionRequest.State


class Decision(StrEnum):
    """What a person decides."""

    ERASE = "erase"
    REFUSE = "refuse"


def erase(caller: Caller, ref: str) -> JsonObject:
    """Erase for good what the request asks for, in one transaction.

    After it the request stands at `erasing` until the files are cleared, which begins at
    once. Repeated it is `unchanged`.

    Raises:
        NotFound: there is no such request that the caller may see.
        Denied: the caller does not decide it; agents never do.
        Conflict: it was withdrawn or refused, or it is of the current version and all other
            versions wait for a decision, too.
    """
    with transaction.atomic():
        access = access_request(caller, ref, lock=True)
        request = access.request
        if request.state in (State.ERASING, State.ERASED) and _decides(access):
            return _answer(request, "unchanged")
        access.require_decision()
        scope = _scope(caller, request)
        removed = erase_everywhere(scope)
        if scope.item is not None:
            release(scope.item, by=scope.by)
        DeletionRequest.objects.filter(pk=request.pk).update(removed=removed)
        note_erasure(
            cause=request.public_id, what=_what(request), target=_target(request),
            version=request.version, by=caller.person_ref,
        )  # fmt: skip
        _record(access, "erased", removed=removed)
        request.state = State.ERASING
        transaction.on_commit(start_finishing)
    return _answer(request, "done")


def refuse(caller: Caller, ref: str, *, reason: str | None) -> JsonObject:
    """Refuse to erase: the lock is lifted, and all that it held back is there again.

    The requester can read the reason. Repeated it is `unchanged`.

    Raises:
        NotFound: there is no such request that the caller may see.
        Denied: the caller does not decide it; agents never do.
        Conflict: it was withdrawn, or erased.
        Invalid, TooLarge: no reason was given, or it cannot be stored.
    """
    said = read_reason(reason, limit=MAX_REASON)
    if not said:
        raise Invalid("Say why: whoever asked reads it.", field="reason", allowed=["text"])
    with transaction.atomic():
        access = access_request(caller, ref, lock=True)
        request = access.request
        if request.state == State.REFUSED and _decides(access):
            return _answer(request, "unchanged")
        access.require_decision()
        screen_texts(request.project, [("reason", said)])
        _settle(access, State.REFUSED, reason=said)
        _record(access, "refused")
    return _answer(request, "done")


def withdraw(caller: Caller, ref: str) -> JsonObject:
    """Take one's own request back while it is pending: the lock is lifted.

    Raises:
        NotFound: there is no such request that the caller may see.
        Denied: an agent asks, or it is somebody else's.
        Conflict: it has been decided.
    """
    with transaction.atomic():
        access = access_request(caller, ref, lock=True)
        request = access.request
        if request.state == State.WITHDRAWN and access.is_own:
            return _answer(request, "unchanged")
        if not access.is_own:
            raise Denied(
                "Only who made a deletion request withdraws it. Who may decide it refuses it.",
                missing="ownership",
            )
        if not access.may_withdraw and request.state == State.PENDING:
            raise Denied("A person withdraws a request, in the browser.", missing="person")
        if request.state != State.PENDING:
            raise Conflict(
                f"{request.ref} is decided already: it is {request.state}.", state=request.state
            )
        _settle(access, State.WITHDRAWN)
        _record(access, "withdrawn")
    return _answer(request, "done")


def decide_several(
    caller: Caller, refs: Sequence[str], *, decision: Decision, reason: str | None = None
) -> list[tuple[str, str]]:
    """Decide several, each in a transaction of its own: reference and what came of it.

    That is `done`, `unchanged`, or why it was refused.

    Raises:
        Invalid: none was named, or more than 100.
    """
    chosen = list(dict.fromkeys(refs))
    if not 1 <= len(chosen) <= MOST_AT_ONCE:
        raise Invalid(
            f"Choose from 1 to {MOST_AT_ONCE} requests.",
            field="requests",
            allowed=[f"1 to {MOST_AT_ONCE}"],
        )
    return [(ref, _decided(caller, ref, decision, reason)) for ref in chosen]


def _decided(caller: Caller, ref: str, decision: Decision, reason: str | None) -> str:
    try:
        if decision is Decision.ERASE:
            return str(erase(caller, ref)["outcome"])
        return str(refuse(caller, ref, reason=reason)["outcome"])
    except DomainError as refusal:
        return refusal.message


def _decides(access: RequestAccess) -> bool:
    return bool(vars(access.request)["decides"]) and not access.caller.is_agent


def _scope(caller: Caller, request: DeletionRequest) -> Scope:
    """What is erased: the only version of an item that has a text is the item."""
    by, now = signed_by(caller), timezone.now()
    if request.proposal is not None:
        return Scope(by, now, proposal=request.proposal, cause=request.public_id)
    item = item_of(request)
    version = request.version
    if version is None or not _others(item, version):
        return Scope(by, now, item=item, cause=request.public_id)
    if version == item.version and not remaining_versions(item, version).exists():
        raise Conflict(
            "Every other version waits for a decision, too, so none could become the current "
            "one. Decide those first, or ask for the whole item."
        )
    return Scope(
        by, now, item=item, version=version, traces=traces_of(item, version),
        cause=request.public_id,
    )  # fmt: skip


def _others(item: Item, version: int) -> bool:
    rows = item.events.filter(version__isnull=False, state__isnull=False)
    return rows.exclude(version=version).exists()


def _settle(access: RequestAccess, state: DeletionRequest.State, *, reason: str = "") -> None:
    request = access.request
    request.state = state
    request.decision_reason = reason
    request.decided_at = timezone.now()
    request.decided_by_id = access.caller.person_id
    request.save(update_fields=["state", "decision_reason", "decided_at", "decided_by"])
    unlock(request, by=signed_by(access.caller))


def _what(request: DeletionRequest) -> Erasure.What:
    if request.proposal_id is not None:
        return Erasure.What.PROPOSAL
    return Erasure.What.ITEM if request.version is None else Erasure.What.VERSION


def _target(request: DeletionRequest) -> str:
    of = request.proposal if request.proposal is not None else request.item
    return of.public_id if of is not None else ""


def _record(access: RequestAccess, verb: str, **detail: JsonObject | dict[str, int]) -> None:
    request = access.request
    item = request.item
    audit.record(
        access.caller,
        action=f"deletion.{verb}",
        subject=access.subject,
        project_id=request.project_id,
        organization_id=item.organization_id if item is not None else None,
        request=request.public_id,
        version=request.version,
        private=access.is_private,
        **detail,
    )


def _answer(request: DeletionRequest, outcome: str) -> JsonObject:
    return {"outcome": outcome, "request": request.ref, "state": str(request.state)}
