"""Reading one item: as it stands, as it was, a part or a section of it, its history.

A locked item answers with its number and the lock, and nothing of its content. Apps above
add what they know about an item as rows of `SECTIONS`, when they are ready.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db.models import Case, Count, QuerySet, Value, When, Window
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from conderis.common.prepared import Prepared, PreparedByKey
from conderis.common.times import iso
from items import parts
from items.access import Place, access_item, items_of_project, subject_of
from items.crediting import author_of
from items.expiry import is_expired
from items.history import (
    gone_shown,
    item_history,
    locked_shown,
    refuse_never_was,
    version_event,
    version_shown,
)
from items.kinds.base import Field, Kind
from items.kinds.registry import kind_of
from items.kinds.relations import BLOCKS, INVERSE
from items.kinds.values import ItemReference, Numbers, Position
from items.models import Item
from items.places import position_of
from items.relations import relations_shown, waits_for
from items.requests import ReadRequest
from items.state import parent_entry, shown, value_of

MAX_CHILDREN = 20
CHILD_COLUMNS = ("public_id", "number", "kind", "version", "title", "status", "category",
                 "changed", "expires_at", "archived_at", "locked_at")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """An item that is being read whole, as it stands; `relations` are the ones to show."""

    place: Place
    item: Item
    now: datetime
    relations: list[JsonObject]

    @property
    def depends_on(self) -> list[int]:
        """The numbers of the tasks that block this one."""
        blockers = (each for each in self.relations if each["relation"] == INVERSE[BLOCKS])
        return sorted(each["number"] for each in blockers)


def read_item(caller: Caller, request: ReadRequest) -> JsonObject:
    """The item at the address, as the request asks for it (spec, section 9).

    Raises:
        Invalid: something sent cannot be, or does not go together; several or no
            sections fit; part reading goes on without a version.
        NotFound: there is nothing at the address that the caller may read.
        Denied: the key has not the scope to read.
    """
    place, item = access_item(caller, request.address)
    version = read_whole(request.version, "version", least=1)
    if request.history:
        _refuse_beside_history(request)
        return item_history(place, item, version)
    take = parts.read_take(request.take)
    offset = read_whole(request.offset, "offset", least=0)
    if offset and version is None:
        raise _unpinned(item, offset)
    if version is not None:
        refuse_never_was(item, version)
    now = timezone.now()
    head: JsonObject = {**place.named(item), "kind": item.kind, "version": item.version}
    if item.locked_at is not None:
        return head | locked_shown(item)
    if version is None or version == item.version:
        then = None
        text = item.content
        head |= flags_shown(item, now)
    else:
        event = version_event(item, version)
        head |= {"version": version, "currentVersion": item.version}
        if event.locked_by or event.state is None:
            return head | gone_shown(event)
        then = version_shown(item, event)
        text = then.get("content", "")
    if request.section is not None or offset:
        return head | parts.passage(text, request.section, offset, take)
    whole = then if then is not None else _whole_item(place, item, now)
    return head | whole | ({} if request.in_full else parts.first_part(text, take))


def flags_shown(item: Item, now: datetime) -> JsonObject:
    """`archived` and `expired`, each only where it is so."""
    flags: JsonObject = {}
    if item.archived_at is not None:
        flags["archived"] = True
    if is_expired(item, now):
        flags["expired"] = True
    return flags


def read_whole(value: Json, field: str, *, least: int) -> int | None:
    """The number sent, or None.

    Raises:
        Invalid: it is no whole number from `least` on.
    """
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise Invalid(
        f"{field} must be a whole number from {least}.", field=field, allowed=[f"{least}, …"]
    )


def _refuse_beside_history(request: ReadRequest) -> None:
    for field in ("section", "offset", "take"):
        if getattr(request, field) is not None:
            raise Invalid(
                f"history goes with version alone (the nextVersion of its last page), not with "
                f"{field}. Leave out one of the two.",
                field=field,
                allowed=["version"],
            )


def _unpinned(item: Item, offset: int) -> Invalid:
    return Invalid(
        f"Reading on takes the version of the first part, so that all parts are of one text. "
        f"The current one of {subject_of(item)} is {item.version}: if the first part said so, "
        f'send "offset": {offset}, "version": {item.version}.',
        field="version",
        allowed=[item.version],
        currentVersion=item.version,
    )


def _whole_item(place: Place, item: Item, now: datetime) -> JsonObject:
    relations = relations_shown(place, item) if kind_of(item.kind).related else []
    reading = Reading(place, item, now, relations)
    answer: JsonObject = {}
    for row in SECTIONS:
        answer |= row(reading)
    return answer


def _fields_shown(reading: Reading) -> JsonObject:
    values = {
        field.name: _field_shown(reading, field) for field in kind_of(reading.item.kind).fields
    }
    return {name: value for name, value in values.items() if value is not None}


def _field_shown(reading: Reading, field: Field) -> Json:
    item = reading.item
    if isinstance(field.type, ItemReference):
        return parent_entry(item)
    if isinstance(field.type, Numbers):
        return reading.depends_on or None
    if isinstance(field.type, Position):
        return position_of(item) if item.archived_at is None else None
    return shown(field, value_of(item, field))


def _work_shown(reading: Reading) -> JsonObject:
    """Why a task is stuck, since when it is held, and which unfinished ones it waits for."""
    item = reading.item
    answer: JsonObject = {}
    if item.blocked_reason:
        answer["blockedReason"] = item.blocked_reason
    if item.held_since is not None and item.status in kind_of(item.kind).active_statuses:
        answer["heldSince"] = iso(item.held_since)
    if reading.depends_on:
        waiting = waits_for([item.pk]).get(item.pk)
        answer |= {"waitsFor": waiting} if waiting else {}
    return answer


def _origin_shown(reading: Reading) -> JsonObject:
    item = reading.item
    return {
        "author": author_of(item).shown(),
        "created": iso(item.created),
        "changed": iso(item.changed),
    }


def _children_shown(reading: Reading) -> JsonObject:
    """The first 20 children, active ones first, and how many there are.

    Archived ones are left out, unless the item is archived itself.
    """
    item = reading.item
    kind = kind_of(item.kind)
    if kind.max_depth == 1:
        return {}
    person, with_archived = reading.place.caller.person_id, item.archived_at is not None
    if item.project_id is None:
        children = list(_children(reading.place.items(), item.pk, kind, with_archived))
    else:
        children = _children_of(kind.name, with_archived=with_archived).rows(
            project=item.project_id, person=person, parent=item.pk
        )
    if not children:
        return {}
    return {
        "children": [_child_shown(reading, child) for child in children],
        "childrenTotal": vars(children[0])["total"],
    }


@cache
def _children_of(kind: str, *, with_archived: bool) -> Prepared[Item]:
    def build(project: int, person: int, parent: int) -> QuerySet[Item]:
        rows = items_of_project(project, person)
        return _children(rows, parent, kind_of(kind), with_archived)

    return PreparedByKey(build, project=int, person=int, parent=int)


def _children(
    rows: QuerySet[Item],
    parent: int,
    kind: Kind,
    with_archived: bool,  # noqa: FBT001
) -> QuerySet[Item]:
    closed = Case(When(status__in=["", *kind.active_statuses], then=Value(0)), default=Value(1))
    rows = rows.filter(parent=parent)
    if not with_archived:
        rows = rows.filter(archived_at__isnull=True)
    return (
        rows.only(*CHILD_COLUMNS)
        .annotate(total=Window(Count("pk")))
        .order_by(closed, "rank", "number", "pk")[:MAX_CHILDREN]
    )


def _child_shown(reading: Reading, child: Item) -> JsonObject:
    named = reading.place.named(child)
    if child.locked_at is not None:
        return named | {"locked": True}
    child.project = reading.item.project  # already here: no query for each child's expiry
    entry = named | {"version": child.version, "title": child.title}
    if child.status:
        entry["status"] = child.status
    return entry | flags_shown(child, reading.now)


def _relations_shown(reading: Reading) -> JsonObject:
    return {"relations": reading.relations} if reading.relations else {}


# What an item answers with when it is read whole, in the order of the answer.
SECTIONS: list[Callable[[Reading], JsonObject]] = [
    _fields_shown,
    _work_shown,
    _origin_shown,
    _children_shown,
    _relations_shown,
]
