"""Earlier states of an item: put back into its row, and compared."""

from datetime import datetime
from typing import Any

from conderis.accounts.models import Agent, Person
from conderis.common.json import Json, JsonObject
from items.filling import fill_work
from items.kinds.base import Field, Kind
from items.kinds.registry import kind_of
from items.kinds.task import Holder, Work
from items.kinds.values import Assignee, Commits, ItemReference, Numbers, Position, SourceState
from items.models import Item
from items.state import set_value

_NOT_KEPT = (Assignee, ItemReference, Numbers, Position)
_AS_SHOWN = (Commits, SourceState)  # kept as they are shown, with the repository of their time


def fill_from_state(item: Item, state: JsonObject, *, now: datetime) -> None:
    """Set the row's fields to what they were in a state of its history; nothing is saved.

    Place, visibility, relations and whether it is archived stay. A task gets the status and
    the holder that it had, where that one still exists.
    """
    kind = kind_of(item.kind)
    for field in kind.fields:
        if field.historic and field.name != "visibility" and not isinstance(field.type, _NOT_KEPT):
            set_value(item, field, _value(field, state.get(field.name)))
    if kind.statuses:
        fill_work(item, _work(item, state, now))


def changed_fields(kind: Kind, before: JsonObject, after: JsonObject) -> list[str]:
    """The names of the kind's fields in which two states differ, in the kind's order."""
    return [name for name in kind.by_name if before.get(name) != after.get(name)]


def _value(field: Field, shown: Json) -> Any:
    if shown is None:
        return field.default if field.default is not None else field.type.empty
    return shown if isinstance(field.type, _AS_SHOWN) else field.type.read(shown, field.name)


def _work(item: Item, state: JsonObject, now: datetime) -> Work:
    status = str(state["status"])
    holder = _holder(state.get("assignee"))
    return Work(
        status=status,
        assignee=holder,
        held_since=(item.held_since or now) if holder and status == "in_progress" else None,
        blocked_reason=str(state.get("blockedReason", "")),
        status_before="open" if status == "blocked" else "",
    )


def _holder(shown: Json) -> Holder | None:
    """Whom the state names, as far as there is still such a person or agent."""
    ref = shown.get("ref") if isinstance(shown, dict) else None
    word, _, public_id = str(ref).partition(":")
    if word == "agent":
        agent = Agent.objects.select_related("person").filter(public_id=public_id).first()
        return Holder(agent.ref, agent.person.ref, agent.name) if agent is not None else None
    person = Person.objects.filter(public_id=public_id, left_at__isnull=True).first()
    return Holder(person.ref, person.ref, person.display_name) if person is not None else None
