"""Emptying items for good: what stays is a number, when it was decided and by whom.

Here is what becomes of an item, of one of its versions, and of what stands below it. Who
may decide, and where else the text stands, is the matter of `privacy`. All of it runs in
the caller's transaction, which holds the row of the item's place.
"""

from datetime import datetime

from django.db.models import Q, QuerySet

from items.events import Signature, sign_event
from items.kinds.memory import CRITICAL, NORMAL
from items.kinds.registry import kind_of
from items.kinds.values import Line
from items.models import Item, ItemEvent, ItemTag, Relation
from items.numbers import touch_project
from items.places import place_at, title_taken_by
from items.search import forget_item, index_item
from items.state import full_state
from items.versions import changed_fields, fill_from_state

# What stays of a tombstone's row; every other column is set back to that of a new one.
KEPT = frozenset(
    {
        "id",
        "public_id",
        "project",
        "organization",
        "number",
        "kind",
        "version",
        "author",
        "author_agent",
        "created",
        "visibility",  # who may know that there was something
        "locked_at",
        "locked_by",
        "rank",
    }
)


def empty_item(item: Item, *, by: Signature, now: datetime) -> dict[str, int]:
    """Empty an item with its whole history; its number stays as a tombstone.

    What stood below it moves up to its parent, its relations go. The instructions, of which
    there is one alone, go on as an empty text, which is a new version. Answers how many rows
    of each sort were emptied, moved or removed.
    """
    counts = {
        "children": _move_children_up(item, by=by, now=now),
        "relations": Relation.objects.filter(Q(source=item) | Q(target=item)).delete()[0],
        "versions": item.events.filter(state__isnull=False).count(),
    }
    item.events.update(state=None, reason="", credit=None, locked_by="")
    ItemTag.objects.filter(item=item).delete()
    Item.objects.filter(archived_with=item).update(archived_with=None)
    for field in Item._meta.concrete_fields:  # noqa: SLF001 - Django's public API
        if field.name not in KEPT:
            setattr(item, field.attname, field.get_default())
    item.changed = now
    if kind_of(item.kind).numbered:
        item.erased_at = now
        item.erased_by_id = by.person_id
        item.locked_at = item.locked_at or now
        item.save()
        forget_item(item.pk)
        _note(item, by, now)
    else:
        item.locked_at, item.locked_by = None, ""
        item.version += 1
        item.save()
        index_item(item)
        sign_event(item, event="erased", at=now, changed=["content"], signature=by)
    touch_project(item, now)
    return counts


def empty_version(item: Item, version: int, *, by: Signature, now: datetime) -> None:
    """Empty one version of an item that has others whose text remains.

    Where it was the current one, the newest that remains becomes current as a new version.
    Whether the item was archived stays as it is.
    """
    event = item.events.get(version=version)
    if version != item.version:
        _empty(event)
        _note(item, by, now)
        return
    before = full_state(item)
    remaining = remaining_versions(item, version).order_by("-version").first()
    if remaining is None or remaining.state is None:
        raise ValueError("no version remains: erase the item")
    _empty(event)
    fill_from_state(item, remaining.state, now=now)
    if item.parent_id is not None and item.weight == CRITICAL:
        item.weight = NORMAL  # nothing critical is inside a bag
    item.version += 1
    item.changed = now
    changed = changed_fields(kind_of(item.kind), before, full_state(item))
    _free_title(item, changed)
    item.save()
    ItemTag.objects.filter(item=item).delete()
    ItemTag.objects.bulk_create(ItemTag(item=item, tag=tag) for tag in item.tags)
    sign_event(item, event="erased", at=now, changed=changed, signature=by)
    index_item(item)
    touch_project(item, now)


def remaining_versions(item: Item, version: int) -> QuerySet[ItemEvent]:
    """The events of the other versions that have a text and that no request has locked."""
    return item.events.filter(version__isnull=False, state__isnull=False, locked_by="").exclude(
        version=version
    )


def free_title(item: Item, *, by: Signature, now: datetime) -> bool:
    """Give an active item another title where a sibling has its own: ` (#N)` is put behind.

    As a new version. Whether that was needed.
    """
    changed: list[str] = []
    _free_title(item, changed)
    if not changed:
        return False
    item.version += 1
    item.changed = now
    item.save(update_fields=["title", "version", "changed"])
    sign_event(item, event="changed", at=now, changed=changed, signature=by)
    index_item(item)
    touch_project(item, now)
    return True


def _free_title(item: Item, changed: list[str]) -> None:
    kind = kind_of(item.kind)
    if not kind.unique_sibling_titles or item.archived_at is not None:
        return
    limit = next(each.type.limit for each in kind.fields if isinstance(each.type, Line))
    title, tries = item.title, 0
    while title_taken_by(item) is not None:
        tries += 1
        behind = f" (#{item.number})" if tries == 1 else f" (#{item.number}, {tries})"
        item.title = title[: limit - len(behind)].rstrip() + behind
    if tries and "title" not in changed:
        changed.append("title")


def _move_children_up(item: Item, *, by: Signature, now: datetime) -> int:
    children = list(item.children.order_by("rank", "number", "pk"))
    for child in children:
        child.parent_id = item.parent_id
        place_at(child, None)
        child.save(update_fields=["parent", "rank"])
        if child.locked_at is None:
            free_title(child, by=by, now=now)
    return len(children)


def _empty(event: ItemEvent) -> None:
    event.state, event.reason, event.credit, event.locked_by = None, "", None, ""
    event.save(update_fields=["state", "reason", "credit", "locked_by"])


def _note(item: Item, by: Signature, now: datetime) -> None:
    """Note in the history that something of it was erased: an event without a version."""
    ItemEvent.objects.create(
        item=item, event="erased", at=now, author_id=by.person_id, author_agent_id=by.agent_id
    )
