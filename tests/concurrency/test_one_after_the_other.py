"""A write in a project waits for the one before it, and then sees what that has done."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from conderis.accounts.models import Person
from conderis.common.errors import DomainError
from projects.access import access_project
from projects.capabilities import Use
from projects.models import Project
from tests.factories import agent_caller, make_person, make_project
from tests.items.calls import act, change, create

pytestmark = pytest.mark.django_db(transaction=True)

STARTED_SECONDS = 0.3  # for the second write to come to where it waits


@pytest.fixture
def owner() -> Person:
    return make_person("alice")


@pytest.fixture
def shop(owner: Person) -> Project:
    return make_project(owner)


def apart(work: Callable[[], Any], into: list[Any]) -> threading.Thread:
    """Work started in a thread with a connection of its own."""

    def run() -> None:
        try:
            into.append(work())
        except DomainError as refusal:
            into.append(refusal.code)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def pairs(owner: Person, shop: Project) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Two writes that must not both succeed, by what they would make together."""
    caller = agent_caller(owner)
    for title in ("One", "Two", "Three"):
        create(caller, shop, "memory", title=title, visibility="shared")
    for title in ("A", "B"):
        create(caller, shop, "page", title=title)
    create(caller, shop, "task", title="T")
    return {
        "a bag inside a bag": (
            lambda: change(caller, shop, 2, parent=1),
            lambda: change(caller, shop, 3, parent=2),
        ),
        "a circle of pages": (
            lambda: change(caller, shop, 4, parent=5),
            lambda: change(caller, shop, 5, parent=4),
        ),
        "two titles in one place": (
            lambda: create(caller, shop, "page", title="C"),
            lambda: create(caller, shop, "page", title="C"),
        ),
        "a lost change": (
            lambda: change(caller, shop, 6, 1, title="First"),
            lambda: change(caller, shop, 6, 1, title="Second"),
        ),
        "a claim of the claimed": (
            lambda: act(caller, shop, 6, "claim", 1),
            lambda: act(agent_caller(owner, "other"), shop, 6, "claim", 1),
        ),
    }


@pytest.mark.parametrize(
    "name",
    ["a bag inside a bag", "a circle of pages", "two titles in one place", "a lost change",
     "a claim of the claimed"],
)  # fmt: skip
def test_the_second_of_two_writes_waits_and_is_refused(
    owner: Person, shop: Project, name: str
) -> None:
    first, second = pairs(owner, shop)[name]
    outcome: list[Any] = []

    with transaction.atomic():
        access_project(agent_caller(owner), shop.path, use=Use.WORK, lock=True)
        first()
        thread = apart(second, outcome)
        thread.join(STARTED_SECONDS)
        waited = thread.is_alive()
    thread.join(30)

    assert waited
    assert outcome in (["conflict"], ["invalid"])
