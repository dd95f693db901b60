"""What an earlier version says again when it is restored, and what stays as it stands.

What people do to an item stays: the status of a task, who it is assigned to, why it is
blocked, and whether it is archived. So does what is fixed (who can see it), and what
versions do not keep (where it stands, its relations).
"""

from typing import Final

from conderis.common.caller import Caller
from conderis.common.errors import Conflict
from conderis.common.json import Json, JsonObject
from items.access import access_item, refuse_locked
from items.history import version_event, version_shown
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.requests import Address

ARCHIVED, BLOCKED_REASON = "archived", "blockedReason"
_TEXT: Final = "content"


def fields_of_version(caller: Caller, address: Address, version: int) -> JsonObject:
    """The fields of a version as the write door takes them to make it stand again.

    Raises:
        NotFound: there is nothing at the address that the caller may read.
        Locked: the item is locked.
        Invalid: it never had this version.
        Conflict: the version is locked or erased.
    """
    _, item = access_item(caller, address)
    refuse_locked(item)
    event = version_event(item, version)
    if event.locked_by or event.state is None:
        raise Conflict(f"Version {version} is locked or erased.", current_version=item.version)
    kind = kind_of(item.kind)
    fields = restored_fields(kind, version_shown(item, event))
    return fields | {"complete": True} if _TEXT in fields else fields


def restored_fields(kind: Kind, state: JsonObject) -> JsonObject:
    """What of a version's state is restored; a field that it had not is cleared."""
    found: dict[str, Json] = {}
    for field in kind.fields:
        value = state.get(field.name)
        if field.historic and field.restored and (value is not None or field.clearable):
            found[field.name] = value
    return found


def kept_fields(kind: Kind, then: JsonObject, now: JsonObject) -> list[str]:
    """The names of what differs between two states of an item and is not restored."""
    fields = [each for each in kind.fields if each.historic and not each.restored]
    names = [each.name for each in fields if then.get(each.name) != now.get(each.name)]
    if then.get(BLOCKED_REASON) != now.get(BLOCKED_REASON) and "status" not in names:
        names.append("status")
    if bool(then.get(ARCHIVED)) != bool(now.get(ARCHIVED)):
        names.append(ARCHIVED)
    return names
