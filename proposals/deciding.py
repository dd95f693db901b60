"""What is done with a proposal, by the name of the action."""

from collections.abc import Callable

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from items.access import read_address
from items.requests import ActRequest
from proposals.access import access_proposal
from proposals.queue import ACTIONS
from proposals.reviewing import approve, reject
from proposals.withdrawing import withdraw

FOREIGN = ("target", "relation")


def decide(caller: Caller, request: ActRequest) -> JsonObject:
    """Approve, reject or withdraw the proposal that the request addresses.

    The project that was named beside its reference is not looked at: the reference is
    enough, and whether it fits would tell of proposals that the caller may not see.

    Raises:
        Invalid: proposals have no such action, it does not take what was sent, or a number
            was sent beside the reference.
        DomainError: as the action refuses.
    """
    read_address(request.address)
    ref = str(request.address.ref)
    names = [row.name for row in ACTIONS]
    if request.action not in names:
        access_proposal(caller, ref)  # who may not see it learns nothing of its actions
        raise Invalid(
            f"The actions of a proposal are: {', '.join(names)}.", field="action", allowed=names
        )
    for name in FOREIGN:
        if getattr(request, name) is not None:
            raise Invalid(f"{request.action} takes no {name}.", field=name)
    if request.fields:
        name = next(iter(request.fields)).encode("utf-8", "replace").decode()[:40]
        raise Invalid(f"{request.action} takes no field {name}.", field=name, allowed=[])
    return _RUN[request.action](caller, ref, request)


def _approve(caller: Caller, ref: str, request: ActRequest) -> JsonObject:
    return approve(caller, ref, version=request.version, reason=request.reason)


def _reject(caller: Caller, ref: str, request: ActRequest) -> JsonObject:
    return reject(caller, ref, reason=request.reason)


def _withdraw(caller: Caller, ref: str, request: ActRequest) -> JsonObject:
    return withdraw(caller, ref, reason=request.reason)


_RUN: dict[str, Callable[[Caller, str, ActRequest], JsonObject]] = {
    "approve": _approve,
    "reject": _reject,
    "withdraw": _withdraw,
}
