"""The latest changes of all projects are found without looking at all of their items."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from items.events import record_event
from items.mine import recent_changes
from items.models import Item
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.recall_rows import make_memory, make_page, make_task

pytestmark = pytest.mark.django_db

MOST = 10


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def put(owner: Person, project: Project, title: str, at: datetime, kind: str = "task") -> Item:
    """An item with an event, both of this moment."""
    make = {"task": make_task, "page": make_page, "memory": make_memory}[kind]
    item = make(project, owner, title)
    item.changed = at
    item.save(update_fields=["changed"])
    record_event(person_caller(owner), item, event="created", at=at, changed=[])
    return item


def titles(owner: Person) -> list[str]:
    return [each.title for each in recent_changes(person_caller(owner), limit=MOST)]


def test_all_of_one_project_may_be_newer_than_those_of_all_others(
    alice: Person, now: datetime
) -> None:
    projects = [make_project(alice, f"p{place}") for place in range(MOST + 2)]
    for place, project in enumerate(projects):
        put(alice, project, f"Old {place}", now - timedelta(days=2, hours=place))
    for place in range(MOST + 5):
        put(alice, projects[-1], f"New {place}", now - timedelta(minutes=place))

    assert titles(alice) == [f"New {place}" for place in range(MOST)]


def test_projects_and_kinds_take_turns_by_time_alone(alice: Person, now: datetime) -> None:
    projects = [make_project(alice, f"p{place}") for place in range(4)]
    kinds = ("task", "page", "memory")
    for place in range(24):
        at = now - timedelta(minutes=place)
        put(alice, projects[place % 4], f"Item {place}", at, kinds[place % 3])

    assert titles(alice) == [f"Item {place}" for place in range(MOST)]


def test_of_changes_at_one_moment_the_later_made_come_first(alice: Person, now: datetime) -> None:
    projects = [make_project(alice, f"p{place}") for place in range(MOST + 4)]
    for place, project in enumerate(projects):
        put(alice, project, f"Item {place}", now)

    assert titles(alice) == [f"Item {place}" for place in reversed(range(4, MOST + 4))]


def test_what_is_locked_leaves_its_place_to_older_ones(alice: Person, now: datetime) -> None:
    project = make_project(alice, "p")
    for place in range(MOST + 3):
        put(alice, project, f"Item {place}", now - timedelta(minutes=place))
    Item.objects.filter(title__in=["Item 0", "Item 5"]).update(locked_at=now)

    shown = titles(alice)

    assert shown == [f"Item {place}" for place in range(MOST + 2) if place not in (0, 5)]
    assert len(shown) == MOST
