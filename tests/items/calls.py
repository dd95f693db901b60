"""Short ways to the write door, as a surface calls it."""

from typing import Any

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.models import Item
from items.requests import ActRequest, Address, StoreRequest
from projects.models import Project
from proposals import writing


def create(caller: Caller, project: Project | None, kind: str, **fields: Any) -> JsonObject:
    """Create an item; keys that are no fields (`reason`, `propose`) go beside them."""
    more = {name: fields.pop(name) for name in ("reason", "propose") if name in fields}
    address = Address(project.path if project else None)
    return writing.store(caller, StoreRequest(address, kind=kind, fields=fields, **more))


def change(
    caller: Caller,
    project: Project | None,
    where: int | str,
    version: int | None = None,
    *,
    reason: str | None = None,
    **fields: Any,
) -> JsonObject:
    """Change the item at a number or reference."""
    address = (
        Address(project.path if project else None, number=where)
        if isinstance(where, int)
        else Address(project.path if project else None, ref=where)
    )
    request = StoreRequest(address, version=version, fields=fields, reason=reason)
    return writing.store(caller, request)


def act(
    caller: Caller,
    project: Project | None,
    where: int | str,
    action: str,
    version: int | None = None,
    **more: Any,
) -> JsonObject:
    """Act on the item at a number or reference."""
    place = project.path if project else None
    address = Address(place, number=where) if isinstance(where, int) else Address(place, ref=where)
    return writing.act(caller, ActRequest(address, action=action, version=version, **more))


def item_at(project: Project, number: int) -> Item:
    """The row of a number."""
    return Item.objects.get(project=project, number=number)
