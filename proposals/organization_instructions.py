"""The write door to an organization's instructions, and reading them in the browser."""

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.errors import Denied
from conderis.common.json import Json, JsonObject
from items.changes import check_base
from items.organization_instructions import (
    instructions_history,
    instructions_shown,
    prepare_instructions,
)
from items.publishing import publish
from projects.organization_access import OrganizationAccess, access_organization


def store_organization_instructions(
    caller: Caller, *, handle: str, content: Json, version: int | None
) -> JsonObject:
    """Have an organization's instructions say this; `outcome` is published or unchanged.

    At most 50,000 characters. `version` is the one that the text is based on: 0 or None for
    the first. The whole text is sent, so nothing is refused as cut off.

    Raises:
        Denied: an agent asks (`missing` person), or a member who is no owner (manage).
        NotFound: there is no such organization that the caller is in.
        Invalid, TooLarge: the text cannot be stored, looks like a secret, or has no version.
        Conflict: somebody has changed them since; it says who.
        Locked: a deletion request has locked them.
    """
    with transaction.atomic():
        access = _access(caller, handle, lock=True)
        access.require_owner()
        change = prepare_instructions(caller, access.organization, content=content, version=version)
        check_base(change)
        return publish(change)


def read_organization_instructions(
    caller: Caller, *, handle: str, version: int | None = None
) -> JsonObject:
    """The whole instructions for a member, as they stand or as they were at a version.

    Without any, they are empty and at version 0.

    Raises:
        Denied: an agent asks: it gets them through recall.
        NotFound: there is no such organization that the caller is in.
        Invalid: there never was this version.
    """
    return instructions_shown(_access(caller, handle).organization, version)


def organization_instructions_history(
    caller: Caller, *, handle: str, version: int | None = None
) -> JsonObject:
    """The events of the instructions for a member, newest first, 20 at a time.

    Older ones: send `nextVersion` as `version`.

    Raises:
        Denied: an agent asks.
        NotFound: there is no such organization that the caller is in.
        Invalid: there never was this version.
    """
    return instructions_history(caller, _access(caller, handle).organization, version)


def _access(caller: Caller, handle: str, *, lock: bool = False) -> OrganizationAccess:
    if caller.is_agent:
        raise Denied(
            "People read and change an organization's instructions in the browser; agents get "
            "them through recall.",
            missing="person",
        )
    return access_organization(caller, handle, lock=lock)
