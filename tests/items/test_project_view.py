"""What project_get says of a project, and to whom."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Agent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Denied, NotFound
from items import project_view
from items.kinds.base import Field, Kind
from items.kinds.registry import one_more
from items.kinds.values import Line
from items.project_view import add_count, project_get
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.recall_rows import days_ago, make_item, make_memory, make_page, make_task

pytestmark = pytest.mark.django_db

MOST_QUERIES = 18


def view(caller: Caller, project: Project) -> dict[str, object]:
    return project_get(caller, project.path)


def test_without_an_id_it_lists_the_projects_that_may_be_read(
    alice: Person, mallory: Person, project: Project
) -> None:
    make_project(alice, "open", is_public=True)

    assert project_get(person_caller(alice), None)["total"] == 2
    assert [each["name"] for each in project_get(person_caller(mallory), None)["items"]] == [
        "alice/open"
    ]


def test_it_says_what_the_caller_may_do_and_how_much_there_is(
    bob: Person, alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Shared")
    make_page(project, alice, "Read it")
    make_task(project, alice, "Do it")

    answer = view(person_caller(bob), project)

    assert answer["name"] == "alice/shop"
    assert answer["permissions"] == {
        "write": True,
        "moderate": False,
        "manage": False,
        "alwaysReviewed": False,
    }
    assert answer["recallMode"] == "flat"
    assert answer["counts"] == {
        "memories": 1,
        "pages": 1,
        "activeTasks": 1,
        "pendingProposals": 0,
    }
    hygiene: Any = answer["hygiene"]
    assert hygiene["score"] < 100
    assert hygiene["findings"][0]["check"] == "no_summary"


def test_what_is_archived_expired_locked_closed_or_anothers_does_not_count(
    alice: Person, bob: Person, project: Project
) -> None:
    bag = make_memory(project, alice, "Shared", weight="low")
    make_memory(project, alice, "Inside", parent=bag)
    make_memory(project, alice, "Gone", expires_at=days_ago(1))
    make_memory(project, alice, "Gone", category="session", changed=days_ago(40))
    make_memory(project, alice, "Gone", archived_at=days_ago(1))
    make_memory(project, alice, "Gone", locked_at=days_ago(1))
    make_memory(project, alice, "Hers", visibility="private")
    make_memory(None, bob, "Personal")
    make_page(project, alice, "Read it")
    make_page(project, alice, "Gone", archived_at=days_ago(1))
    for status in ("open", "in_progress", "blocked", "done", "canceled"):
        make_task(project, alice, status, status=status)
    make_task(project, alice, "Gone", locked_at=days_ago(1))
    make_item(project, alice, "instructions", content="Rules.")

    his = view(person_caller(bob), project)["counts"]
    hers = view(person_caller(alice), project)["counts"]

    assert his == {"memories": 2, "pages": 1, "activeTasks": 3, "pendingProposals": 0}
    assert hers == {"memories": 3, "pages": 1, "activeTasks": 3, "pendingProposals": 0}


def test_what_was_counted_once_ends_with_what_expires(
    alice: Person, bob: Person, project: Project
) -> None:
    now = timezone.now()
    make_memory(project, alice, "For a day", expires_at=now + timedelta(days=1))
    make_memory(project, alice, "This session", category="session")
    make_memory(project, alice, "For good")
    make_memory(project, alice, "Only mine", visibility="private")
    found = []

    for later in (0, 2, project.session_days + 1):
        with time_machine.travel(now + timedelta(days=later, minutes=1), tick=False):
            both = [view(person_caller(each), project)["counts"] for each in (alice, bob)]
            found.append([counts["memories"] for counts in both])  # type: ignore[index]

    assert found == [[4, 3], [3, 2], [2, 1]]


def test_the_recall_mode_is_the_one_that_this_caller_gets(
    alice: Person, bob: Person, project: Project
) -> None:
    for number in range(40):
        make_memory(project, alice, f"Memory {number}")
    make_memory(project, alice, "Hers", visibility="private")

    assert view(person_caller(alice), project)["recallMode"] == "grouped"
    assert view(person_caller(bob), project)["recallMode"] == "flat"

    project.recall_mode = "grouped"
    project.save()
    assert view(person_caller(bob), project)["recallMode"] == "grouped"


def test_an_agent_that_holds_a_task_is_an_assignee(alice: Person, project: Project) -> None:
    agent = Agent.objects.create(person=alice, name="Codex")
    idle = Agent.objects.create(person=alice, name="Idle")
    make_task(project, alice, "Do it", assignee_agent=agent)
    make_task(project, alice, "Done", assignee_agent=idle, status="done")

    answer = project_get(person_caller(alice), project.path)

    names = [each["name"] for each in answer["assignees"]]
    assert "Codex" in names
    assert "Idle" not in names


def test_a_project_that_may_not_be_read_is_not_found(mallory: Person, project: Project) -> None:
    with pytest.raises(NotFound) as hidden:
        project_get(person_caller(mallory), project.path)
    with pytest.raises(NotFound) as missing:
        project_get(person_caller(mallory), "nobody/nothing")

    assert hidden.value.as_answer() == missing.value.as_answer()


def test_a_key_without_the_scope_to_read_is_denied(alice: Person, project: Project) -> None:
    caller = agent_caller(alice, scopes=frozenset())

    for project_id in (None, project.path):
        with pytest.raises(Denied):
            project_get(caller, project_id)


def test_a_stranger_sees_the_counts_of_a_public_project(
    alice: Person, mallory: Person, project: Project
) -> None:
    project.is_public = True
    project.save()
    make_memory(project, alice, "Shared")
    make_memory(project, alice, "Hers", visibility="private")

    answer = project_get(person_caller(mallory), project.path)

    assert answer["permissions"]["write"] is False
    assert answer["counts"]["memories"] == 1


def test_an_app_above_counts_what_is_its_own(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_view, "_COUNTERS", dict(project_view._COUNTERS))
    add_count("pendingProposals", lambda access: len(access.project.name))

    assert project_get(person_caller(alice), project.path)["counts"]["pendingProposals"] == 4


def test_a_further_kind_is_counted(alice: Person, project: Project) -> None:
    with one_more(Kind(name="risk", plural="risks", fields=(Field("title", Line(9), "title"),))):
        make_item(project, alice, "risk", title="Fire")

        assert project_get(person_caller(alice), project.path)["counts"]["risks"] == 1


def test_the_number_of_queries_does_not_depend_on_the_number_of_items(
    alice: Person, project: Project
) -> None:
    project.upstream = make_project(alice, "upstream")
    project.save()
    caller = agent_caller(alice)
    counts = []
    for _ in range(2):
        for number in range(6):
            make_memory(project, alice, f"Memory {number}")
            make_task(project, alice, f"Task {number}", assignee_agent_id=caller.agent_id)
            make_page(project, alice, f"Page {number}")
        with CaptureQueriesContext(connection) as queries:
            project_get(caller, project.path)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES
