"""Deleting an organization whole: its instructions are erased with it."""

from django.db import transaction

from conderis.common.caller import Caller
from items.models import Item
from privacy.erasing import erase_items
from projects.organization_access import access_organization
from projects.organizations import delete_organization


@transaction.atomic
def end_organization(caller: Caller, *, handle: str) -> None:
    """Delete the organization with its memberships, invitations and instructions.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: there is no such organization that the caller is in.
        Conflict: it still has projects; nothing was deleted then.
    """
    access = access_organization(caller, handle, lock=True)
    access.require_owner()
    erase_items(Item.objects.filter(organization=access.organization), by=caller.person_ref)
    delete_organization(caller, handle=handle)
