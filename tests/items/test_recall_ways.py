"""Recall's shorter ways, taken where a project is large, come to the same as the whole one."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items import kept
from items.kept import Lately
from items.models import Item, Relation
from items.recall import memories, pages, tasks
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.items.recall_rows import days_ago, make_memory, make_page, make_task, recalled

LENGTHS = (1_000, 2_000)
Told = Callable[[], None]


@pytest.fixture
def crowd(alice: Person, bob: Person, project: Project) -> list[Item]:
    """Memories (1 to 60), tasks in work (61 to 120) and pages (121 to 150), many of each."""
    rows = [
        make_memory(
            project,
            (alice, bob)[number % 2],
            f"Memory {number} of the crowd",
            summary=f"what is told of {number} " * 8,
            weight="critical" if number % 20 == 0 else "normal",
            visibility="private" if number % 7 == 0 else "shared",
            changed=days_ago(number * 5 % 61),
        )
        for number in range(1, 61)
    ]
    for child, bag in ((2, 1), (3, 1), (9, 8), (10, 8)):
        Item.objects.filter(pk=rows[child - 1].pk).update(parent=rows[bag - 1])
    works = [
        make_task(
            project,
            alice,
            f"Task {number} that somebody has in work now, for long",
            status="in_progress",
            priority=number % 4,
        )
        for number in range(61, 121)
    ]
    for number in range(121, 151):
        above = None if number % 3 else Item.objects.get(project=project, number=number - 1)
        make_page(project, alice, f"Page {number}", parent=above)
    for number in (5, 13, 17, 30):
        Relation.objects.create(source=rows[number - 1], target=works[number], relation="documents")
    Relation.objects.create(source=works[0], target=works[1], relation="blocks")
    return rows


@pytest.fixture
def check(
    alice: Person, bob: Person, project: Project, crowd: list[Item], monkeypatch: pytest.MonkeyPatch
) -> Told:
    """That each caller is told the same as by the whole way, which keeps nothing."""
    callers: list[Caller] = [agent_caller(alice), person_caller(bob)]
    # Who writes cannot tell this process to forget: as another one.
    monkeypatch.setattr("items.hygiene.points.forget", lambda _project: None)

    def told() -> list[str]:
        return [
            recalled(caller, project, max_chars=length) for caller in callers for length in LENGTHS
        ]

    def compare() -> None:
        short = [told(), told()]
        with monkeypatch.context() as whole:
            whole.setattr(memories, "_ordered", lambda *_: None)
            whole.setattr(tasks, "_busy", lambda *_: [])
            whole.setattr(pages, "_drawn", Lately())
            whole.setattr("items.recall.counting._shared", kept.Kept())
            whole.setattr("items.recall.pages._trees", kept.Kept())
            whole.setattr("items.recall.tasks._total", kept.Kept())
            assert short == [told()] * 2

    return compare


def test_every_change_shows_by_the_shorter_ways_too(
    alice: Person, project: Project, check: Told
) -> None:
    robo = agent_caller(alice)
    act_on: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
        (create, ("memory",), {"title": "The newest", "visibility": "shared"}),
        (create, ("memory",), {"title": "The newest of mine", "visibility": "private"}),
        (change, (30, 1), {"summary": "Changed just now"}),
        (change, (17, 1), {"weight": "critical"}),
        (change, (13, 1), {"weight": "low"}),
        (change, (1, 1), {"weight": "low"}),
        (change, (4, 1), {"parent": 8}),
        (change, (3, 1), {"parent": None}),
        (act, (5, "archive", 1), {}),
        (act, (8, "archive", 1), {}),
        (act, (5, "restore", 2), {}),
        (act, (11,), {"action": "relate", "target": 70, "relation": "documents"}),
        (act, (100, "complete", 1), {}),
        (act, (61, "complete", 1), {}),
        (change, (90, 1), {"priority": "urgent"}),
        (change, (123, 1), {"parent": None, "position": 1}),
        (act, (121, "archive", 1), {}),
    ]
    check()
    for door, sent, fields in act_on:
        door(robo, project, *sent, **fields)
        check()


def test_what_a_deletion_request_locks_is_gone_by_the_shorter_ways_too(
    alice: Person, project: Project, check: Told
) -> None:
    check()
    for number in (30, 60, 62, 125):
        request_deletion(
            agent_caller(alice),
            DeletionCall(Address(project.path, number=number), reason="private"),
        )
        check()


def test_what_expires_is_gone_by_the_shorter_ways_too(
    alice: Person, project: Project, crowd: list[Item], check: Told
) -> None:
    now = timezone.now()
    gone = Item.objects.filter(project=project, number__in=(5, 6, 40, 41))
    gone.update(expires_at=now + timedelta(days=1))
    check()
    with time_machine.travel(now + timedelta(days=2)):
        check()


def test_the_shorter_ways_are_taken(
    alice: Person, project: Project, crowd: list[Item], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: dict[str, bool] = {}

    def watch(module: Any, name: str) -> None:
        way = getattr(module, name)

        def watched(*asked: Any) -> Any:
            found = way(*asked)
            taken[name] = bool(found)
            return found

        monkeypatch.setattr(module, name, watched)

    watch(memories, "_ordered")
    watch(tasks, "_busy")
    for _ in range(2):
        recalled(agent_caller(alice), project, max_chars=1_000)

    assert taken == {"_ordered": True, "_busy": True}


def test_a_section_that_grows_shorter_than_the_last_time_is_still_whole(
    alice: Person, project: Project, crowd: list[Item]
) -> None:
    robo = agent_caller(alice)
    for _ in range(2):
        recalled(robo, project, max_chars=1_000)
    Item.objects.filter(project=project, number__gt=70, kind="task").update(status="done")
    Project.objects.filter(pk=project.pk).update(changed=timezone.now())

    assert "## Tasks: all 10" in recalled(robo, project)
