"""Writing a prepared change: row, tags, place, history, index, audit, in one transaction."""

from typing import Any

from conderis.accounts import audit
from conderis.common.json import JsonObject
from items.access import reference_of, subject_of
from items.change import Change
from items.creating import create_items
from items.events import proposer_of, record_event
from items.filling import WORK_COLUMNS, fill_row
from items.kinds.registry import kind_of
from items.kinds.task import CLOSED
from items.kinds.values import Assignee, Numbers, Position, Tags
from items.metering import count_change
from items.models import Item, ItemTag
from items.numbers import touch_project
from items.places import place_at
from items.relations import set_dependencies, waits_for
from items.search import index_item, stands
from items.similar import similar_after
from items.state import parent_entry, shown_fields, state_of

NOW_STANDS = ("status", "priority", "assignee")


def publish(change: Change) -> JsonObject:
    """Write the change and answer what now stands (spec, section 9).

    Must run in the transaction that prepared it.
    """
    if change.changes_nothing:
        return {"outcome": "unchanged", **what_stands(change.item)}
    if change.creates:
        create_items([change])
    else:
        _change(change)
    return _answer(change)


def _change(change: Change) -> None:
    item = change.item
    stood = stands(item)
    fill_row(change)
    touch_project(item, change.now)
    if change.content:
        item.version += 1
        item.changed = change.now
    _set_place(change)
    item.save(update_fields=_columns(change))
    _set_rows(change)
    if change.content:
        record_event(
            change.place.caller,
            item,
            event=_event_name(change),
            at=change.now,
            changed=change.content,
            reason=change.reason,
            signature=change.signature,
        )
    searched = any(change.kind.by_name[name].searched for name in change.content)
    if searched or stands(item) != stood:
        index_item(item)
    _audit(change)
    count_change(change.place.caller, item)


def _columns(change: Change) -> list[str]:
    """The columns that the change may have set."""
    columns = {"version", "changed", "parent", "rank"}
    for name in change.content:
        field = change.kind.by_name[name]
        if not isinstance(field.type, Assignee):
            columns.add(field.column or "data")
    return sorted(columns | (set(WORK_COLUMNS) if change.work is not None else set()))


def _set_place(change: Change) -> None:
    item = change.item
    if "parent" in change.structure:
        item.parent = change.parent
    position = next((f for f in change.kind.fields if isinstance(f.type, Position)), None)
    if position is None:
        return
    if {"parent", position.name} & set(change.structure):
        place_at(item, change.patch.values.get(position.name))


def _set_rows(change: Change) -> None:
    for field in change.kind.fields:
        if isinstance(field.type, Tags) and field.name in change.content:
            ItemTag.objects.filter(item=change.item).delete()
            ItemTag.objects.bulk_create(
                ItemTag(item=change.item, tag=tag) for tag in change.after[field.name]
            )
        if isinstance(field.type, Numbers) and field.name in change.structure:
            set_dependencies(change.place, change.item, change.after[field.name])


def _event_name(change: Change) -> str:
    work, before = change.work, change.before
    if work is None or before is None or "status" not in change.content:
        return "changed"
    if work.status == "blocked":
        return "blocked"
    if before["status"] == "blocked" and work.status not in CLOSED:
        return "unblocked"
    return {"in_progress": "claimed", "done": "completed"}.get(work.status, "changed")


def _audit(change: Change) -> None:
    detail: dict[str, Any] = {}
    if change.content:
        detail["fields"] = list(change.content)
    if change.structure:
        detail["moved"] = list(change.structure)
    if change.content:
        detail["version"] = change.item.version
    if change.item.visibility == "private":
        detail["private"] = True
    action = "changed" if change.content else "moved"
    audit.record(
        change.place.caller,
        action=f"item.{action}",
        subject=subject_of(change.item),
        project_id=change.item.project_id,
        organization_id=change.item.organization_id,
        **detail,
        **proposer_of(change.signature),
    )


def what_stands(item: Item) -> JsonObject:
    """Number or ref, version, and a task's state, as every write answers them."""
    kind = kind_of(item.kind)
    answer: JsonObject = {**reference_of(item), "version": item.version}
    if kind.statuses:
        names = tuple(name for name in NOW_STANDS if name in kind.by_name)
        answer |= shown_fields(kind, state_of(item), names)
        if item.blocked_reason:
            answer["blockedReason"] = item.blocked_reason
    if item.archived_at is not None:
        answer["archived"] = True
    return answer


def active_subtasks(item: Item) -> JsonObject:
    """The member that names the active children of a task that has just been closed."""
    numbers = list(
        item.children.filter(status__in=kind_of(item.kind).active_statuses)
        .order_by("number")
        .values_list("number", flat=True)
    )
    return {"activeSubtasks": numbers} if numbers else {}


def _answer(change: Change) -> JsonObject:
    item = change.item
    answer: JsonObject = {"outcome": "published", **what_stands(item)}
    if change.work is not None and item.status in CLOSED and "status" in change.content:
        answer |= active_subtasks(item)
    if item.parent_id is not None or "parent" in change.structure:
        answer["parent"] = parent_entry(item) or "none"
    numbers = next((f for f in change.kind.fields if isinstance(f.type, Numbers)), None)
    if numbers is not None and numbers.name in change.structure:
        answer[numbers.name] = change.after[numbers.name]
        waiting = waits_for([item.pk]).get(item.pk)
        if waiting:
            answer["waitsFor"] = waiting
    answer |= similar_after(change)
    if not change.creates:
        answer["changed"] = [*change.content, *change.structure]
    if change.warnings:
        answer["warnings"] = change.warnings
    return answer
