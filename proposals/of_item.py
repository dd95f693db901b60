"""The proposals that wait on one item, for its page."""

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.access import access_item
from items.requests import Address
from proposals.access import visible_proposals, whole
from proposals.entries import proposal_entry
from proposals.models import Proposal

MOST = 20  # as many as may wait on an item


def pending_of_item(caller: Caller, project_id: str, number: int) -> list[JsonObject]:
    """The entries of those that the caller may see, as `item_list` has them, newest first.

    Raises:
        NotFound: there is no item of this number that the caller may read.
    """
    place, item = access_item(caller, Address(project_id, number=number))
    if place.access is None:
        return []
    rows = visible_proposals(caller, place.access).filter(item=item, state=Proposal.State.PENDING)
    now = timezone.now()
    return [
        proposal_entry(row, now=now) for row in whole(rows).order_by("-created", "public_id")[:MOST]
    ]
