"""Taking the name of a person who has left out of what stays."""

from collections.abc import Iterator
from contextlib import suppress

from django.db.models import Q

from conderis.accounts.handles import claim_handle
from conderis.accounts.models import Person
from conderis.common.errors import Conflict
from items.kinds.registry import all_kinds
from items.kinds.values import Assignee
from items.models import ItemEvent

FORMER_MEMBER = "Former member"
FORMER_AGENT = "agent"
CHUNK = 200


def remove_names(person: Person) -> None:
    """Show the person as a former member and the person's agents as `agent`, everywhere.

    Also in older versions, which name whom a task was assigned to. The handle gives way to
    a made-up one and stays taken for good; former names of projects go on holding it.
    """
    shown = {person.ref: FORMER_MEMBER}
    person.display_name = FORMER_MEMBER
    with suppress(Conflict):  # somebody is called so: the handle stays as it is
        person.handle = claim_handle(f"left-{person.public_id}", holder=person.ref)
    person.save(update_fields=["display_name", "handle"])
    for place, agent in enumerate(person.agents.order_by("pk"), start=1):
        # No two agents of a person have one name; first out of the way of the new names.
        agent.name = f"{FORMER_AGENT} {agent.ref}"
        agent.save(update_fields=["name"])
        shown[agent.ref] = FORMER_AGENT if place == 1 else f"{FORMER_AGENT} {place}"
    for agent in person.agents.all():
        agent.name = shown[agent.ref]
        agent.save(update_fields=["name"])
    _rename_in_states(shown)


def _rename_in_states(shown: dict[str, str]) -> None:
    for name in _assignee_fields():
        named = Q(**{f"state__{name}__ref__in": list(shown)})
        ids = list(ItemEvent.objects.filter(named).values_list("pk", flat=True))
        for start in range(0, len(ids), CHUNK):
            events = list(ItemEvent.objects.filter(pk__in=ids[start : start + CHUNK]))
            for event in events:
                state = event.state or {}
                holder = state[name]
                event.state = {**state, name: {**holder, "name": shown[holder["ref"]]}}
            ItemEvent.objects.bulk_update(events, ["state"])


def _assignee_fields() -> Iterator[str]:
    names = {f.name for kind in all_kinds() for f in kind.fields if isinstance(f.type, Assignee)}
    yield from sorted(names)
