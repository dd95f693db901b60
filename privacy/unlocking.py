"""Lifting the lock of a request that was refused or withdrawn: all is back as it was."""

from django.utils import timezone

from items.erasing import free_title
from items.events import Signature
from items.models import Item
from items.search import index_item
from privacy.access import item_of
from privacy.models import DeletionRequest
from proposals.models import Proposal


def unlock(request: DeletionRequest, *, by: Signature) -> None:
    """Lift what this request, which is not pending any more, has locked.

    What another pending request is of stays locked, by that one. A page whose title a
    sibling has taken meanwhile gets ` (#N)` behind it, as a new version. Runs in the
    caller's transaction, which holds the row of the place.
    """
    if request.proposal_id is not None:
        Proposal.objects.filter(pk=request.proposal_id, locked_by=request.public_id).update(
            locked_by=""
        )
        return
    item = item_of(request)
    if request.version is not None:
        item.events.filter(locked_by=request.public_id).update(locked_by="")
    release(item, by=by)


def release(item: Item, *, by: Signature) -> None:
    """Have the item be locked by the pending request that is of what now stands, or by none."""
    if item.locked_at is None or item.erased_at is not None:
        return
    other = _other_request(item)
    if other is not None:
        item.locked_by = other.public_id
        item.save(update_fields=["locked_by"])
        return
    item.locked_at = None
    item.locked_by = ""
    item.save(update_fields=["locked_at", "locked_by"])
    index_item(item)
    free_title(item, by=by, now=timezone.now())


def _other_request(item: Item) -> DeletionRequest | None:
    """The oldest pending request that keeps the item as it now stands locked."""
    pending = DeletionRequest.objects.filter(
        item=item, state=DeletionRequest.State.PENDING
    ).order_by("pk")
    return next((each for each in pending if each.version in (None, item.version)), None)
