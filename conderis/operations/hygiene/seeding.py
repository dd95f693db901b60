"""A made-up project in which every check has something to find; the same one every time."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import create_owner
from conderis.common.caller import Caller, Surface
from conderis.operations.retrieval.scale import Words
from items.kinds.memory import MEMORY
from items.kinds.page import PAGE
from items.kinds.task import STATUSES, TASK
from items.models import Item, Relation
from projects.models import Project
from projects.services import create_project

CHUNK = 500
PAGE_WORDS, MEMORY_WORDS, TASK_WORDS = 500, 80, 40
A_YEAR = 500  # days that the items are spread over


def owner() -> Caller:
    """The person whose project it is."""
    with transaction.atomic():
        person = create_owner(Operator(), handle="bench", display_name="Benno Bench")
    return caller_of_person(person, Surface.COMMAND)


def make_project(caller: Caller, count: int) -> Project:
    """A project of so many items: of ten six memories, two tasks, two pages."""
    project: Project = create_project(caller, fields={"name": "hygiene"})
    made = Item.objects.bulk_create(_items(project, caller.person_id, count), CHUNK)
    memories = [item for item in made if item.kind == MEMORY.name]
    for place, item in enumerate(memories):
        if place % 12 < 3 and place >= 12:
            item.parent = memories[place // 12 * 12 - 1]
    tasks = [item for item in made if item.kind == TASK.name]
    for one, other in pairwise(tasks):
        if other.number is not None and other.number % 7 == 0:
            other.parent = one
    Item.objects.bulk_update([each for each in made if each.parent_id], ["parent"], CHUNK)
    Relation.objects.bulk_create(
        (
            Relation(source=one, target=other, relation="relates")
            for one, other in zip(made[::5], made[3::5], strict=False)
        ),
        CHUNK,
    )
    project.last_number = count
    project.save(update_fields=["last_number"])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE items_item, items_relation")
    return project


def _items(project: Project, author: int, count: int) -> Iterator[Item]:
    words, chance = Words(3), Random(11)  # noqa: S311 - nothing secret
    start = timezone.now() - timedelta(days=A_YEAR)
    title = gist = ""
    for number in range(1, count + 1):
        if chance.random() > 0.03:  # else nearly the same again
            title, gist = words.text(5)[:80], words.text(14)[:280]
        moment = start + timedelta(days=A_YEAR) * (number / count)
        common: dict[str, Any] = {"project": project, "number": number, "author_id": author}
        common |= {"title": title, "created": moment, "changed": moment, "rank": number}
        naming = f" See #{chance.randint(1, count + 20)}." if chance.random() < 0.2 else ""
        if number % 10 < 6:
            yield Item(
                kind=MEMORY.name,
                visibility="shared",
                category=chance.choice(("fact", "decision", "session")),
                weight="critical" if number % 100 == 0 else "normal",
                summary=gist if chance.random() < 0.7 else "",
                content=words.text(MEMORY_WORDS) + naming,
                **common,
            )
        elif number % 10 < 8:
            status = chance.choice(STATUSES).name
            content = words.text(TASK_WORDS) + naming
            yield Item(kind=TASK.name, status=status, priority=2, content=content, **common)
        else:
            yield Item(kind=PAGE.name, content=words.text(PAGE_WORDS) + naming, **common)
