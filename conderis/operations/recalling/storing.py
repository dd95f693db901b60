"""Made-up projects as rows, with all that recall looks at."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import create_owner
from conderis.common.caller import Caller, Surface
from conderis.operations.recalling.worlds.making import made_items
from conderis.operations.recalling.worlds.world import Known, World
from items.kinds.instructions import INSTRUCTIONS
from items.kinds.memory import MEMORY
from items.kinds.task import PRIORITIES, TASK
from items.models import Item, Relation
from projects.models import Project
from projects.services import create_project

HANDLE = "recalling"


@dataclass(frozen=True, slots=True)
class Stored:
    """A project as it is stored; `must` are the numbers of the items that one must know."""

    caller: Caller
    project: Project
    must: frozenset[int]


def make_caller() -> Caller:
    """Who owns the projects."""
    person = create_owner(Operator(), handle=HANDLE, display_name="Rea Recall")
    return caller_of_person(person, Surface.COMMAND)


def store_world(caller: Caller, world: World) -> Stored:
    """The project with all its items. The index is rebuilt by whoever stores the last one."""
    project: Project = create_project(caller, fields={"name": world.name})
    now = timezone.now()
    known = _in_order([*world.known, *made_items(world)])
    items: dict[str, Item] = {}
    for number, each in enumerate(known, start=1):
        item = _row(caller, project, each, now)
        item.number, item.rank = number, number
        item.parent = items.get(each.bag)
        item.save()
        items[each.key] = item
    Relation.objects.bulk_create(
        Relation(source=items[each.key], target=items[key], relation="documents")
        for each in known
        for key in each.about
    )
    Item(
        project=project, kind=INSTRUCTIONS.name, author_id=caller.person_id,
        content=world.instructions,
    ).save()  # fmt: skip
    project.last_number = len(known)
    project.save(update_fields=["last_number"])
    must = frozenset(items[each.key].number or 0 for each in known if each.must)
    return Stored(caller, project, must)


def _in_order(known: Sequence[Known]) -> list[Known]:
    """The oldest first, as they were written; what holds others before these."""
    ages = {each.key: each.days for each in known}
    holders = {each.bag for each in known if each.bag}
    return sorted(
        known,
        key=lambda each: (
            each.bag != "",
            -max(ages[each.key], ages.get(each.bag, 0)) - (each.key in holders),
            each.key,
        ),
    )


def _row(caller: Caller, project: Project, known: Known, now: datetime) -> Item:
    changed = now - timedelta(days=known.days, minutes=sum(map(ord, known.key)) % 600)
    item = Item(
        project=project, kind=known.kind, author_id=caller.person_id, title=known.title,
        tags=list(known.tags), created=changed, changed=changed,
    )  # fmt: skip
    if known.kind == MEMORY.name:
        item.summary, item.category, item.weight = known.text, known.category, known.weight
        item.visibility = "shared"
    else:
        item.content = known.text
    if known.kind == TASK.name:
        item.status, item.priority = known.status, PRIORITIES.index(known.priority)
        if known.status == "blocked":
            item.blocked_reason, item.status_before = known.text, "open"
        if known.status == "in_progress":
            item.assignee_person_id, item.held_since = caller.person_id, changed
        if known.due_in is not None:
            item.due = now.date() + timedelta(known.due_in)
    return item
