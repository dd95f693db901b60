"""Between rows and values: an item's fields as Python values, as JSON, and back.

Whatever depends on how a kind's fields are kept is here and nowhere else.
"""

from collections.abc import Mapping
from typing import Any

from conderis.common.json import Json, JsonObject
from items.kinds.base import Field, Kind
from items.kinds.registry import kind_of
from items.kinds.task import Holder, Work
from items.kinds.values import Assignee, Choice, ItemReference, Numbers, Position
from items.models import Item

_STRUCTURE = (ItemReference, Assignee, Numbers, Position)  # more than a column says


def value_of(item: Item, field: Field) -> Any:
    """The field's value as Python holds it.

    A parent is its number or `memory:<id>`; an assignee a `Holder`; dependencies and
    positions are no columns of the item and answered as None (see `items.relations`).
    """
    if isinstance(field.type, _STRUCTURE):
        if isinstance(field.type, ItemReference):
            return parent_reference(item)
        return holder_of(item) if isinstance(field.type, Assignee) else None
    if field.column is None:
        return item.data.get(field.name, field.type.empty)
    value = getattr(item, field.column)
    if isinstance(field.type, Choice) and field.type.ranked:
        return field.type.words[value] if value is not None else ""
    return value


def state_of(item: Item) -> dict[str, Any]:
    """The item's fields as Python values by name."""
    return {field.name: value_of(item, field) for field in kind_of(item.kind).fields}


def set_value(item: Item, field: Field, value: Any) -> None:
    """Set a field's value on the row; structure is the services' matter."""
    if isinstance(field.type, Assignee):
        raise TypeError("an assignee is set by items.publishing, which looks it up")
    if field.column is None:
        item.data = {**item.data, field.name: value}
    elif isinstance(field.type, Choice) and field.type.ranked:
        setattr(item, field.column, field.type.words.index(value))
    else:
        setattr(item, field.column, value)


def shown(field: Field, value: Any) -> Json:
    """The value as an answer and the history carry it; None where there is nothing."""
    if isinstance(value, Holder):
        return {"ref": value.ref, "name": value.name}
    return field.type.show(value)


def shown_fields(kind: Kind, values: Mapping[str, Any], names: tuple[str, ...]) -> JsonObject:
    """The named fields as an answer carries them, in that order, without empty ones."""
    answer: JsonObject = {}
    for name in names:
        value = shown(kind.by_name[name], values[name])
        if value is not None:
            answer[name] = value
    return answer


def full_state(item: Item) -> JsonObject:
    """The item's whole content as the history keeps it: JSON by field name.

    Structure (parent, position, dependencies) is not part of it: moves and relations
    are in the activity log, and restoring an old version does not move.
    """
    kind = kind_of(item.kind)
    state = {
        field.name: shown(field, value_of(item, field)) for field in kind.fields if field.historic
    }
    state = {name: value for name, value in state.items() if value is not None}
    if item.archived_at is not None:
        state["archived"] = True
    if item.blocked_reason:
        state["blockedReason"] = item.blocked_reason
    return state


def parent_reference(item: Item) -> int | str | None:
    """The parent's number or `memory:<id>`, or None at the top level."""
    if item.parent is None:
        return None
    return item.parent.number or f"memory:{item.parent.public_id}"


def parent_entry(item: Item) -> JsonObject | None:
    """The parent as an answer names it: number or ref, and its title unless locked."""
    parent = item.parent
    if parent is None:
        return None
    named: JsonObject = (
        {"number": parent.number} if parent.number else {"ref": f"memory:{parent.public_id}"}
    )
    return named | ({"locked": True} if parent.locked_at else {"title": parent.title})


def work_of(item: Item) -> Work:
    """The part of a task that its state machine changes."""
    return Work(
        status=item.status,
        assignee=holder_of(item),
        held_since=item.held_since,
        blocked_reason=item.blocked_reason,
        status_before=item.status_before,
    )


def holder_of(item: Item) -> Holder | None:
    """Who the task is assigned to."""
    if item.assignee_agent is not None:
        agent = item.assignee_agent
        return Holder(agent.ref, agent.person.ref, agent.name)
    if item.assignee_person is not None:
        person = item.assignee_person
        return Holder(person.ref, person.ref, person.display_name)
    return None


def searchable(item: Item) -> dict[str, str]:
    """The text of the fields that search looks into, by field name."""
    kind = kind_of(item.kind)
    texts: dict[str, str] = {}
    for field in kind.fields:
        if not field.searched:
            continue
        value = value_of(item, field)
        texts[field.name] = " ".join(value) if isinstance(value, list) else str(value or "")
    return texts
