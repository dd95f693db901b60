"""Short ways to propose and to decide, for tests."""

from typing import Any

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.models import Item, ItemEvent
from projects.models import Project
from proposals.models import Proposal
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at

TEXT = "# Deploying\n\nBuild the image.\n\nRun the tests.\n\nShip it."


def page(project: Project, owner: Person, title: str = "Deploying", **fields: Any) -> int:
    """A published page's number; its content is `TEXT` unless another is sent."""
    made = create(
        person_caller(owner), project, "page", **{"title": title, "content": TEXT} | fields
    )
    number: int = made["number"]
    return number


def propose(caller: Caller, project: Project, where: int | str, **fields: Any) -> str:
    """The reference of a proposal to change an item, based on it as it stands."""
    item = item_at(project, where) if isinstance(where, int) else None
    version = item.version if item else fields.pop("version", None)
    answer = change(caller, project, where, version, **fields)
    assert answer["outcome"] == "proposed", answer
    return str(answer["proposal"])


def propose_new(caller: Caller, project: Project, kind: str, **fields: Any) -> str:
    """The reference of a proposal to create an item."""
    answer = create(caller, project, kind, **fields)
    assert answer["outcome"] == "proposed", answer
    return str(answer["proposal"])


def propose_act(caller: Caller, project: Project, number: int, action: str) -> str:
    """The reference of a proposal to archive or restore an item as it stands."""
    answer = act(caller, project, number, action, item_at(project, number).version)
    assert answer["outcome"] == "proposed", answer
    return str(answer["proposal"])


def proposal_at(ref: str) -> Proposal:
    """The row."""
    return Proposal.objects.get(public_id=ref.removeprefix("proposal:"))


def events_of(item: Item) -> list[ItemEvent]:
    """The item's events, oldest first."""
    return list(item.events.order_by("id"))


def made(item: Item) -> JsonObject:
    """Whose the newest event is: names of author, agent and approver."""
    event = item.events.select_related("author", "author_agent", "approver").latest("id")
    return {
        "event": event.event,
        "version": event.version,
        "author": event.author.handle,
        "agent": event.author_agent.name if event.author_agent else None,
        "approver": event.approver.handle if event.approver else None,
    }


def robo(person: Person) -> Caller:
    """An agent of the person with every scope."""
    return agent_caller(person)
