"""Reading what is at an address: a deletion request here, everything else by the apps below."""

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from items.access import read_address
from items.history import signature
from items.requests import Address, ReadRequest
from privacy.access import RequestAccess, access_request
from proposals.reading import read_at as read_below

WORD = "deletion:"


def read_at(caller: Caller, request: ReadRequest) -> JsonObject:
    """The item, the proposal or the deletion request at the address.

    Raises:
        DomainError: as `read_request` and the readers below refuse.
    """
    ref = request.address.ref
    if isinstance(ref, str) and ref.strip().startswith(WORD):
        return read_request(caller, request)
    return read_below(caller, request)


def read_in_full(caller: Caller, address: Address, *, version: int | None = None) -> JsonObject:
    """What is at the address, or was at a version, with its text whole, however long.

    An item is read once, so that its text is that of one version. A proposal answers as
    `read_at` does.

    Raises:
        DomainError: as `read_at` refuses.
    """
    return read_at(caller, ReadRequest(address, version=version, in_full=True))


def read_request(caller: Caller, request: ReadRequest) -> JsonObject:
    """How far a deletion request has come, with the reason that it was refused for.

    Nothing of the content. For who has made it and for who may decide it.

    Raises:
        NotFound: there is none that the caller may see.
        Denied: the key lacks the scope `read`.
        Invalid: it was asked for what requests have not, or by a number beside the reference.
    """
    read_address(request.address)
    for name in ("history", "version", "section", "offset", "take"):
        if getattr(request, name):
            raise Invalid(f"A deletion request has no {name}. Leave it out.", field=name)
    return _shown(access_request(caller, str(request.address.ref)))


def _shown(access: RequestAccess) -> JsonObject:
    request = access.request
    named = access.subject
    of: JsonObject = {"number": int(named[1:])} if named.startswith("#") else {"ref": named}
    return without_nulls(
        {
            "request": request.ref,
            "state": str(request.state),
            "projectId": request.project.full_name if request.project is not None else None,
            "of": of,
            "version": request.version,
            "author": signature(request.requester, request.requester_agent),
            "created": iso(request.created),
            "reason": request.reason or None,
            "decidedBy": request.decided_by.display_name if request.decided_by else None,
            "decidedAt": iso(request.decided_at) if request.decided_at else None,
            "decisionReason": request.decision_reason or None,
        }
    )
