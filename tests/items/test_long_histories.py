"""What is read of an item does not grow with how many versions lie behind it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items.listing import list_items
from items.models import Item, ItemEvent
from items.recall import recall
from items.requests import ListRequest, RecallRequest
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import create, item_at
from tests.items.test_reading import read
from tests.looking import looked_at

FEW, MANY = 30, 1500  # versions
MOST_RATIO = 1.3


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def give_history(item: Item, person: Person, versions: int) -> None:
    """Let so many versions lie behind the item."""
    item.events.all().delete()
    ItemEvent.objects.bulk_create(
        ItemEvent(
            item=item,
            event="changed",
            version=version,
            author=person,
            changed=["content"],
            state={"title": "Page", "content": f"Text {version}. " * 20},
        )
        for version in range(1, versions + 1)
    )
    item.version = versions
    item.save()


def events_looked_at(ask: Callable[[], object]) -> int:
    return looked_at(ask, naming="items_itemevent", relation="items_itemevent")


@pytest.mark.parametrize(
    "reading",
    [
        {},
        {"history": True},
        {"version": 3},
    ],
)
def test_an_item_is_read_alike_with_many_versions_behind_it(
    alice: Person, robo: Caller, project: Project, reading: dict[str, Any]
) -> None:
    create(robo, project, "page", title="Page")
    counts = []
    for versions in (FEW, MANY):
        give_history(item_at(project, 1), alice, versions)
        settle()
        read(robo, project, 1, **reading)
        counts.append(events_looked_at(lambda: read(robo, project, 1, **reading)))

    assert counts[1] <= MOST_RATIO * counts[0]


def test_lists_searches_and_recall_do_not_look_into_histories(
    alice: Person, robo: Caller, project: Project
) -> None:
    for place in range(5):
        create(robo, project, "page", title=f"Page {place}", content="A timeout of the webhook.")

    def ask() -> None:
        list_items(robo, ListRequest("page", project_id=project.path))
        list_items(robo, ListRequest("page", project_id=project.path, query="timeout"))
        recall(robo, RecallRequest(project_id=project.path))

    counts = []
    for versions in (FEW, MANY // 5):
        for number in range(1, 6):
            give_history(item_at(project, number), alice, versions)
        settle()
        ask()
        counts.append(events_looked_at(ask))

    assert counts[1] <= MOST_RATIO * counts[0]


def settle() -> None:
    """Have PostgreSQL's planner know of what was written."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE items_itemevent")
