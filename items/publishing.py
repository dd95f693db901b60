"""Writing a prepared change: row, tags, place, history, index, audit, in one transaction."""

from typing import Any

from conderis.accounts import audit
from conderis.common.json import JsonObject
from items.access import reference_of, subject_of
from items.assignees import holder_ids
from items.change import Change
from items.events import record_event
from items.kinds.registry import kind_of
from items.kinds.task import CLOSED, Work
from items.kinds.values import Assignee, ItemReference, Numbers, Position, Tags
from items.models import Item, ItemTag
from items.numbers import give_number, touch_project
from items.places import place_at
from items.relations import set_dependencies, waits_for
from items.search import index_item
from items.similar import similar_after
from items.state import holder_of, parent_entry, set_value, shown_fields, state_of

NOW_STANDS = ("status", "priority", "assignee")
WORK_COLUMNS = (
    "status",
    "assignee_person",
    "assignee_agent",
    "held_since",
    "blocked_reason",
    "status_before",
)


def publish(change: Change) -> JsonObject:
    """Write the change and answer what now stands (spec, section 9).

    Must run in the transaction that prepared it.
    """
    if change.changes_nothing:
        return {"outcome": "unchanged", **what_stands(change.item)}
    item, caller = change.item, change.place.caller
    _fill_row(change)
    if change.creates:
        item.created = change.now
    if change.creates and change.kind.numbered:
        give_number(item, change.now)
    else:
        touch_project(item, change.now)
    if change.content and not change.creates:
        item.version += 1
    if change.content or change.creates:
        item.changed = change.now
    _set_place(change)
    item.save(update_fields=None if change.creates else _columns(change))
    _set_rows(change)
    if change.content or change.creates:
        record_event(
            caller,
            item,
            event=_event_name(change),
            at=change.now,
            changed=change.content,
            reason=change.reason,
            signature=change.signature,
        )
    if change.creates or any(change.kind.by_name[name].searched for name in change.content):
        index_item(item)
    _audit(change)
    return _answer(change)


def _fill_row(change: Change) -> None:
    for field in change.kind.fields:
        if isinstance(field.type, Assignee | ItemReference | Numbers | Position):
            continue
        if change.creates or field.name in change.content:
            set_value(change.item, field, change.after[field.name])
    if change.work is not None:
        fill_work(change.item, change.work)


def _columns(change: Change) -> list[str]:
    """The columns that the change may have set."""
    columns = {"version", "changed", "parent", "rank"}
    for name in change.content:
        field = change.kind.by_name[name]
        if not isinstance(field.type, Assignee):
            columns.add(field.column or "data")
    return sorted(columns | (set(WORK_COLUMNS) if change.work is not None else set()))


def fill_work(item: Item, work: Work) -> None:
    """Set the columns of a task's state."""
    item.status = work.status
    item.held_since = work.held_since
    item.blocked_reason = work.blocked_reason
    item.status_before = work.status_before
    if work.assignee != holder_of(item):
        ids = holder_ids(work.assignee)
        item.assignee_person_id = ids["assignee_person_id"]
        item.assignee_agent_id = ids["assignee_agent_id"]


def _set_place(change: Change) -> None:
    item = change.item
    if "parent" in change.structure:
        item.parent = change.parent
    position = next((f for f in change.kind.fields if isinstance(f.type, Position)), None)
    if position is None:
        return
    if change.creates or {"parent", position.name} & set(change.structure):
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
    if change.creates:
        return "created"
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
    if change.item.visibility == "private":
        detail["private"] = True
    kept = "changed" if change.content else "moved"
    action = "created" if change.creates else kept
    audit.record(
        change.place.caller,
        action=f"item.{action}",
        subject=subject_of(change.item),
        project_id=change.item.project_id,
        organization_id=change.item.organization_id,
        **detail,
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
