"""Archiving takes the active descendants along; restoring brings those back.

A locked descendant goes along too, but nothing of it is copied: its event has no state
and makes no version.
"""

from collections.abc import Iterable
from datetime import datetime

from conderis.common.caller import Caller
from conderis.common.errors import Conflict
from items.access import subject_of
from items.events import Signature, record_event, signed_by
from items.kinds.registry import kind_of
from items.models import Item, ItemEvent
from items.places import levels, refuse_same_title
from items.search import index_items


def archive(
    caller: Caller,
    item: Item,
    reason: str,
    now: datetime,
    *,
    signature: Signature | None = None,
) -> list[Item]:
    """Archive the item and its active descendants; answers those that went along.

    It is the caller's doing, unless a `signature` says whose.
    """
    signature = signature or signed_by(caller)
    along = [
        below
        for below in _items(pk for level in levels(item) for pk in level)
        if below.archived_at is None and kind_of(below.kind).archived_with_parent
    ]
    for each in [item, *along]:
        each.archived_at = now
        each.archived_with = None if each is item else item
        _save(caller, each, "archived", reason, now, signature=signature)
    index_items([item, *along])
    return along


def restore(
    caller: Caller,
    item: Item,
    reason: str,
    now: datetime,
    *,
    signature: Signature | None = None,
) -> list[Item]:
    """Restore the item and what went along when it was archived; answers the latter.

    It is the caller's doing, unless a `signature` says whose.

    Raises:
        Conflict: it stands under an archived parent, or its title is now taken.
    """
    refuse_to_restore(item)
    signature = signature or signed_by(caller)
    back = _items(Item.objects.filter(archived_with=item).values_list("pk", flat=True))
    for each in [item, *back]:
        each.archived_at = None
        each.archived_with = None
        _save(caller, each, "restored", reason, now, signature=signature)
    index_items([item, *back])
    return back


def refuse_to_restore(item: Item) -> None:
    """Refuse to bring back what cannot stand where it would.

    Raises:
        Conflict: it stands under an archived parent, or its title is now taken.
    """
    parent = item.parent
    if parent is not None and parent.archived_at is not None:
        raise Conflict(
            f"{subject_of(item)} stands under {subject_of(parent)}, which is archived. Restore "
            f"{subject_of(parent)} first.",
            parent=parent.number,
        )
    if kind_of(item.kind).unique_sibling_titles:
        refuse_same_title(item)


def _items(ids: Iterable[int]) -> list[Item]:
    rows = Item.objects.filter(pk__in=list(ids)).select_related(
        "parent", "assignee_person", "assignee_agent__person"
    )
    return list(rows.order_by("number", "pk"))


def _save(
    caller: Caller, item: Item, event: str, reason: str, now: datetime, *, signature: Signature
) -> None:
    kept = ["archived_at", "archived_with"]
    if item.locked_at is not None:
        item.save(update_fields=kept)
        ItemEvent.objects.create(
            item=item,
            event=event,
            at=now,
            author_id=signature.person_id,
            author_agent_id=signature.agent_id,
            approver_id=signature.approver_id,
            changed=["archived"],
        )
        return
    item.version += 1
    item.changed = now
    item.save(update_fields=[*kept, "version", "changed"])
    record_event(
        caller, item, event=event, at=now, changed=["archived"], reason=reason, signature=signature
    )
