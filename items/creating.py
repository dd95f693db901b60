"""Writing new items: one, or many that are made together, in as many statements.

Their changes have been checked whole (`items.changes`); what they name of each other stands
before them in the list.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from conderis.accounts import audit
from conderis.accounts.models import AuditEvent
from conderis.common.json import JsonObject
from items.access import subject_of
from items.change import Change
from items.events import Signature, event_of, proposer_of, signed_by
from items.filling import fill_row
from items.kinds.relations import BLOCKS
from items.kinds.values import Numbers, Position, Tags
from items.metering import count_new
from items.models import Item, ItemEvent, ItemTag, Relation
from items.numbers import give_numbers, touch_project
from items.places import rank_among, siblings
from items.search import index_items


def create_items(changes: Sequence[Change]) -> None:
    """Write the new items of one kind at one place, with history, tags, index and audit.

    Must run in the transaction that prepared them, which holds the place's row.

    Raises:
        TooLarge: the project holds no more items.
        RateLimited: the agent has stored too much; nothing of it stands then.
    """
    if not changes:
        return
    kind, now = changes[0].kind, changes[0].now
    items = [change.item for change in changes]
    for change in changes:
        change.now = now
        fill_row(change)
        change.item.created = change.item.changed = now
        change.item.parent = change.parent
    if kind.numbered:
        give_numbers(items, now)
    else:
        touch_project(items[0], now)
    _rank(changes)
    for level in _levels(items):
        Item.objects.bulk_create(level)
    ItemTag.objects.bulk_create(_tags(changes))
    Relation.objects.bulk_create(
        Relation(source=blocker, target=change.item, relation=BLOCKS)
        for change in changes
        for blocker in change.blockers
    )
    ItemEvent.objects.bulk_create(_event(change) for change in changes)
    index_items(items)
    audit.record_all(_audit_events(changes))
    count_new(changes[0].place.caller, items)


def _rank(changes: Sequence[Change]) -> None:
    """Give each its rank among its siblings, those before it included."""
    position = next((f for f in changes[0].kind.fields if isinstance(f.type, Position)), None)
    if position is None:
        return
    places: dict[int | None, list[Item]] = {}
    crowded: dict[int, Item] = {}
    for change in changes:
        item = change.item
        key = id(item.parent) if item.parent is not None else None
        if key not in places:
            made_now = item.parent is not None and item.parent.is_new
            places[key] = [] if made_now else list(siblings(item).only("pk", "rank"))
        others = places[key]
        wanted = change.patch.values.get(position.name)
        if rank_among(others, item, wanted):
            crowded |= {other.pk: other for other in others if not other.is_new}
        others.insert(len(others) if wanted is None else min(wanted - 1, len(others)), item)
    if crowded:
        Item.objects.bulk_update(crowded.values(), ["rank"])


def _levels(items: Sequence[Item]) -> Iterator[list[Item]]:
    """The items by how deep they stand below each other, so that parents come first."""
    waiting = list(items)
    while waiting:
        level = [item for item in waiting if item.parent is None or not item.parent.is_new]
        yield level
        waiting = [item for item in waiting if item.is_new]


def _tags(changes: Sequence[Change]) -> Iterator[ItemTag]:
    for change in changes:
        for field in change.kind.fields:
            if isinstance(field.type, Tags):
                for tag in change.after[field.name]:
                    yield ItemTag(item=change.item, tag=tag)


def _event(change: Change) -> ItemEvent:
    for field in change.kind.fields:
        if isinstance(field.type, Numbers):
            change.after[field.name] = [blocker.number for blocker in change.blockers]
    return event_of(
        change.item,
        event="created",
        at=change.now,
        changed=change.content,
        reason=change.reason,
        signature=change.signature or signed_by(change.place.caller),
    )


def _audit_events(changes: Sequence[Change]) -> Iterator[AuditEvent]:
    proposers: dict[Signature | None, JsonObject] = {}
    for change in changes:
        if change.signature not in proposers:
            proposers[change.signature] = proposer_of(change.signature)
        detail: dict[str, Any] = {}
        if change.content:
            detail["fields"] = list(change.content)
        if change.structure:
            detail["moved"] = list(change.structure)
        detail["version"] = change.item.version
        if change.item.visibility == "private":
            detail["private"] = True
        yield audit.event_of(
            change.place.caller,
            action="item.created",
            subject=subject_of(change.item),
            project_id=change.item.project_id,
            organization_id=change.item.organization_id,
            **detail,
            **proposers[change.signature],
        )
