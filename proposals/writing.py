"""The write door: every change of an item comes through here, from every surface.

It decides between publishing and proposing (`publication`). `items` holds the rules of content, the
doors those of reading; nobody else decides who may publish what.
"""

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from items import acting, changes
from items.publishing import publish
from items.requests import ActRequest, BatchRequest, StoreRequest
from proposals.access import proposal_id
from proposals.batching.storing import store_batch
from proposals.deciding import decide
from proposals.proposing import propose_action, propose_change
from proposals.publication import proposed_to


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
        access = proposed_to(
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
        access = proposed_to(doing.place, doing.use, reviewed=doing.reviewed, asked=False)
        if access is None or _already_stands(doing):
            return acting.run(doing)
        return propose_action(doing, access)


def batch(caller: Caller, request: BatchRequest) -> JsonObject:
    """Many new items at once; the answer says what came of each kind and of each item.

    Raises:
        DomainError: the batch is refused as a whole; nothing was stored then. What is wrong
            with single items is said in the answer.
    """
    return store_batch(caller, request)


def _already_stands(doing: acting.Doing) -> bool:
    """Whether the item is already as the action would make it: then nothing is proposed."""
    is_archived = doing.item.archived_at is not None
    return is_archived == (doing.request.action == "archive")
