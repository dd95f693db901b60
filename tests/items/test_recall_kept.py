"""What recall counts is kept while it stands, and never outlives it."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items import kept
from items.models import Item
from items.recall import recall
from items.requests import Address, DeletionCall, RecallRequest
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(params=["this process", "another one"])
def worker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes: this process, or one that cannot tell this one to forget."""
    if request.param == "another one":
        monkeypatch.setattr("items.hygiene.points.forget", lambda _project: None)


def told(caller: Caller, project: Project) -> str:
    return recall(caller, RecallRequest(project_id=project.path))


def anew(caller: Caller, project: Project) -> str:
    kept.forget(project.pk)
    return told(caller, project)


def test_reading_again_counts_nothing_anew(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    create(robo, project, "memory", title="One", visibility="shared")
    assert "## Memories: all 1" in told(robo, project)
    Item.objects.update(weight="low")  # past all that notes a change

    assert "## Memories: 0 of 1" in told(robo, project)
    assert "## Memories: all 0" in anew(robo, project)


def test_every_change_is_in_the_next_recall(
    alice: Person, bob: Person, project: Project, worker: None
) -> None:
    robo, other = agent_caller(alice), person_caller(bob)

    def check(words: str, *, there: bool = True) -> None:
        text = told(robo, project)
        assert (words in text) is there
        assert text == anew(robo, project)
        assert told(other, project) == anew(other, project)

    check("## Memories: all 0")
    create(robo, project, "memory", title="Bag", visibility="shared")
    check("## Memories: all 1")
    create(robo, project, "memory", title="Child", visibility="shared", parent=1)
    check("## Memories: all 1")
    change(robo, project, 2, parent=None)
    check("## Memories: all 2")
    change(robo, project, 2, 1, weight="critical")
    check("## Critical memories: all 1")
    change(robo, project, 1, 1, weight="low")
    check("## Memories: all 0")
    change(robo, project, 1, 2, weight="normal")
    act(robo, project, 1, "archive", 3)
    check("## Memories: all 0")
    act(robo, project, 1, "restore", 4)
    check("## Memories: all 1")
    request_deletion(robo, DeletionCall(Address(project.path, number=2), reason="too much"))
    check("Critical memories", there=False)


def test_what_is_private_counts_for_its_author_alone(
    alice: Person, bob: Person, project: Project
) -> None:
    first, second = person_caller(alice), person_caller(bob)
    create(first, project, "memory", title="Ours", visibility="shared")
    assert "## Memories: all 1" in told(second, project)

    create(first, project, "memory", title="Mine", visibility="private")

    assert "## Memories: all 2" in told(first, project)
    assert "## Memories: all 1" in told(second, project)


@pytest.mark.parametrize(
    "fields",
    [{"expiresAt": (NOW + timedelta(days=3)).isoformat()}, {"type": "session"}],
    ids=["expiresAt", "session"],
)
def test_time_alone_takes_a_memory_out(
    alice: Person, project: Project, fields: dict[str, str]
) -> None:
    robo = agent_caller(alice)
    with time_machine.travel(NOW, tick=False) as clock:
        create(robo, project, "memory", title="Passing", visibility="shared", **fields)
        Project.objects.filter(pk=project.pk).update(session_days=3)
        assert "Passing" in told(robo, project)
        clock.move_to(NOW + timedelta(days=3, seconds=-1))
        assert "## Memories: all 1" in told(robo, project)
        clock.move_to(NOW + timedelta(days=3))
        assert "## Memories: all 0" in told(robo, project)
        clock.move_to(NOW)
        assert "## Memories: all 1" in told(robo, project)


def test_every_change_of_pages_and_tasks_is_in_the_next_recall(
    alice: Person, project: Project, worker: None
) -> None:
    robo = agent_caller(alice)

    def check(*lines: str) -> None:
        text = told(robo, project)
        assert [line for line in lines if line not in text] == []
        assert text == anew(robo, project)

    create(robo, project, "page", title="Over")
    create(robo, project, "page", title="Under")
    check("- #1 v1 Over\n- #2 v1 Under", "## Pages: all 2")
    change(robo, project, 2, parent=1)
    check("- #1 v1 Over\n  - #2 v1 Under")
    change(robo, project, 2, parent=None, position=1)
    check("- #2 v1 Under\n- #1 v1 Over")
    act(robo, project, 1, "archive", 1)
    check("## Pages: all 1")
    create(robo, project, "task", title="Do")
    create(robo, project, "task", title="Wait")
    check("## Tasks: all 2")
    act(robo, project, 3, "complete", 1)
    check("## Tasks: all 1")
    create(robo, project, "memory", title="Of it", visibility="private")
    act(robo, project, 5, "relate", target=4, relation="documents")
    check("#5 v1 Of it")
    request_deletion(robo, DeletionCall(Address(project.path, number=2), reason="too much"))
    check("## Pages: all 0")


def test_what_was_found_the_last_time_is_kept_of_the_latest_projects_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "MOST_KEPT", 2)
    found: kept.Lately[int] = kept.Lately()
    first, second, third = (Project(public_id=name) for name in ("a", "b", "c"))
    for value, each in enumerate((first, second, first, third)):
        found.keep(each, value)

    assert [found.find(each) for each in (first, second, third)] == [2, None, 3]
