"""The write door: every change of an item comes through here, from every surface.

It decides between publishing and proposing. `items` holds the rules of content, the
doors those of reading; nobody else decides who may publish what.
"""

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.errors import Invalid, Unavailable
from conderis.common.json import JsonObject
from items import acting, changes
from items.access import Place
from items.publishing import publish
from items.requests import ActRequest, BatchRequest, StoreRequest
from projects.access import ProjectAccess
from projects.capabilities import Use
from proposals.access import proposal_id
from proposals.deciding import decide
from proposals.proposing import propose_action, propose_change


def store(caller: Caller, request: StoreRequest) -> JsonObject:
    """Create or change an item, or propose to; the answer's `outcome` says which.

    Raises:
        DomainError: any refusal of the contract; nothing was stored then.
    """
    if proposal_id(request.address.ref) is not None:
        raise Invalid(
            "A proposal is never changed. Propose the other text as you proposed this one, and "
            "withdraw this one (item_action withdraw).",
            field="ref",
            allowed=["number", "instructions", "memory:<id>"],
        )
    with transaction.atomic():
        change = changes.prepare(caller, request)
        if change.changes_nothing:
            return publish(change)
        access = _proposed_to(
            change.place, change.use, reviewed=change.reviewed, asked=request.propose
        )
        changes.check_base(change)
        return publish(change) if access is None else propose_change(change, access)


def act(caller: Caller, request: ActRequest) -> JsonObject:
    """Act on an item or a proposal; the answer says what now stands.

    Raises:
        DomainError: any refusal of the contract; nothing was done then.
    """
    if proposal_id(request.address.ref) is not None:
        return decide(caller, request)
    with transaction.atomic():
        doing = acting.prepare(caller, request)
        access = _proposed_to(doing.place, doing.use, reviewed=doing.reviewed, asked=False)
        if access is None or _already_stands(doing):
            return acting.run(doing)
        return propose_action(doing, access)


def batch(_caller: Caller, _request: BatchRequest) -> JsonObject:
    """Many items at once. Not built yet: refused with a clear word, nothing is stored."""
    raise Unavailable(
        "This server takes no batches yet. Store the items one by one with item_store fields."
    )


def _proposed_to(place: Place, use: Use, *, reviewed: bool, asked: bool) -> ProjectAccess | None:
    """The project that the change becomes a proposal in; None where it is published.

    It becomes one where the caller lacks what publishing needs, must be reviewed here, or
    has `asked` for it.

    Raises:
        Denied: the caller may not even propose it.
        Invalid: a review was asked for of what is never reviewed.
    """
    if asked and not reviewed:
        raise Invalid(
            "Tasks and private memories are never reviewed. Leave out propose.", field="propose"
        )
    access = place.access
    if not reviewed or access is None:
        place.require(use)
        return None
    if access.may(use) and not (asked or access.always_reviewed):
        return None
    access.require(Use.PROPOSE)
    return access


def _already_stands(doing: acting.Doing) -> bool:
    """Whether the item is already as the action would make it: then nothing is proposed."""
    is_archived = doing.item.archived_at is not None
    return is_archived == (doing.request.action == "archive")
