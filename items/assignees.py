"""Who a task can be assigned to."""

from conderis.accounts.models import Agent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from items.access import Place
from items.kinds.task import Holder, Work, held_by_other
from projects.assignees import agents_at_work, people_who_write
from projects.models import Project


def caller_as_holder(caller: Caller) -> Holder:
    """The caller as one who holds a task: the agent for an agent, else the person."""
    return Holder(caller.ref, caller.person_ref, caller.agent_name or caller.person_name)


def is_held_by_other(caller: Caller, assignee: str, status: str) -> bool:
    """Whether somebody else holds a task that is assigned to this reference."""
    holder = Holder(assignee, assignee, "")
    return held_by_other(Work(status, holder), caller_as_holder(caller))


def find_assignee(place: Place, reference: str, standing: Holder | None) -> Holder:
    """Who the reference names: `me`, somebody who may work here, or who holds it now.

    Raises:
        Invalid: nobody who may work in this project.
    """
    if reference == "me":
        return caller_as_holder(place.caller)
    if standing is not None and reference == standing.ref:
        return standing
    word, _, public_id = reference.partition(":")
    find = _agent if word == "agent" else _person
    holder = find(place.project, public_id) if place.project is not None else None
    if holder is None:
        raise Invalid(
            "Nobody who may work in this project has this reference. project_get lists its "
            "assignees.",
            field="assignee",
            allowed=["me", "a ref of project_get's assignees", None],
        )
    return holder


def row_of(holder: Holder | None, known: dict[str, Person | Agent]) -> Person | Agent | None:
    """The row of who holds a task; `known` keeps those that were read."""
    if holder is None:
        return None
    if holder.ref not in known:
        word, _, public_id = holder.ref.partition(":")
        if word == "agent":
            known[holder.ref] = Agent.objects.select_related("person").get(public_id=public_id)
        else:
            known[holder.ref] = Person.objects.get(public_id=public_id)
    return known[holder.ref]


def _agent(project: Project, public_id: str) -> Holder | None:
    found = agents_at_work(project).filter(public_id=public_id).select_related("person").first()
    return Holder(found.ref, found.person.ref, found.name) if found else None


def _person(project: Project, public_id: str) -> Holder | None:
    found = people_who_write(project).filter(public_id=public_id).first()
    return Holder(found.ref, found.ref, found.display_name) if found else None
