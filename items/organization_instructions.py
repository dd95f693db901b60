"""The instructions of an organization: one text for the agents in all of its projects.

They belong to no project, so their door is membership, which the write door above asks;
here is what the text may be, and how it and its history are shown. Agents read them
through recall.
"""

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from conderis.common.times import iso
from items.access import Place, refuse_locked, whole
from items.change import Change
from items.differences import work_out
from items.history import (
    gone_shown,
    item_history,
    locked_shown,
    refuse_never_was,
    signature,
    version_event,
    version_shown,
)
from items.kinds.instructions import INSTRUCTIONS
from items.models import Item
from items.patches import read_patch
from items.state import state_of
from projects.capabilities import Use
from projects.models import Organization

_NAMED: JsonObject = {"ref": INSTRUCTIONS.name, "kind": INSTRUCTIONS.name}
NONE_YET = 0  # the version that organizations without instructions are at


def prepare_instructions(
    caller: Caller, organization: Organization, *, content: Json, version: int | None
) -> Change:
    """The change that has the instructions say this, checked whole; nothing is written.

    `content` counts as the whole text, read by whoever sends it. The caller's transaction
    holds the organization's row and goes on to publish it.

    Raises:
        Invalid, TooLarge: the text cannot be stored, or looks like a secret, or a version
            is sent that never was.
        Locked: a deletion request has locked them.
    """
    item = _standing(organization)
    if item is None and version not in (None, NONE_YET):
        raise Invalid(
            f"{organization.handle} has no instructions yet. Leave version out to store the first.",
            field="version",
            allowed=[NONE_YET],
        )
    if item is not None:
        refuse_locked(item)
    patch = read_patch(INSTRUCTIONS, {"content": content, "complete": True})
    before = state_of(item) if item is not None else None
    change = Change(
        place=Place(caller),
        kind=INSTRUCTIONS,
        item=item or _new(caller, organization),
        before=before,
        after={**(before or {}), **patch.values},
        use=Use.PUBLISH_INSTRUCTIONS,
        now=timezone.now(),
        patch=patch,
        version=version,
    )
    work_out(change, standing=item.content if item is not None else "")
    return change


def instructions_shown(organization: Organization, version: int | None = None) -> JsonObject:
    """The whole text with its author and times, as it stands or as it was at a version.

    Without instructions it is empty and at version 0, which storing the first takes.

    Raises:
        Invalid: there never was this version; the refusal gives the current one.
    """
    item = _standing(organization)
    if item is None:
        if version not in (None, NONE_YET):
            raise Invalid(
                f"{organization.handle} has no instructions yet.",
                field="version",
                allowed=[NONE_YET],
            )
        return {**_NAMED, "version": NONE_YET, "content": ""}
    if version is not None:
        refuse_never_was(item, version)
    if item.locked_at is not None:
        return {**_NAMED, "version": item.version, **locked_shown(item)}
    if version is not None and version != item.version:
        event = version_event(item, version)
        then = {**_NAMED, "version": version, "currentVersion": item.version}
        if event.locked_by or event.state is None:
            return then | gone_shown(event)
        return then | {"content": ""} | version_shown(item, event)
    return {
        **_NAMED,
        "version": item.version,
        "content": item.content,
        "author": signature(item.author, item.author_agent),
        "created": iso(item.created),
        "changed": iso(item.changed),
    }


def instructions_history(
    caller: Caller, organization: Organization, version: int | None = None
) -> JsonObject:
    """The events newest first, 20 at a time, as `items.history.item_history` shows them.

    Raises:
        Invalid: there never was this version; the refusal gives the current one.
    """
    item = _standing(organization)
    if item is None:
        return {**_NAMED, "version": NONE_YET, "events": [], "hasMore": False}
    return item_history(Place(caller), item, version)


def _standing(organization: Organization) -> Item | None:
    return whole(Item.objects.filter(organization=organization, kind=INSTRUCTIONS.name)).first()


def _new(caller: Caller, organization: Organization) -> Item:
    return Item(
        organization=organization,
        kind=INSTRUCTIONS.name,
        author_id=caller.person_id,
        author_agent_id=caller.agent_id,
    )
