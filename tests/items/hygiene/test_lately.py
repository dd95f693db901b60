"""A judgement is made once for a state, and never outlives it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from items.hygiene import Assessment
from items.project_view import project_get
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create


def hygiene(person: Person, project: Project) -> JsonObject:
    return dict(project_get(person_caller(person), project.path)["hygiene"])


def found(person: Person, project: Project) -> dict[str, list[object]]:
    return {each["check"]: each["items"] for each in hygiene(person, project)["findings"]}


def test_reading_again_judges_nothing_anew(alice: Person, project: Project) -> None:
    create(agent_caller(alice), project, "memory", title="Bare", visibility="shared")
    with CaptureQueriesContext(connection) as first:
        before = hygiene(alice, project)
    with CaptureQueriesContext(connection) as second:
        after = hygiene(alice, project)

    assert before == after
    assert before["findings"]
    assert len(second) < len(first)


def test_each_change_is_in_the_next_answer(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    for number in (1, 2):
        create(robo, project, "memory", title=f"Bare {number}", visibility="shared")
        assert found(alice, project)["no_summary"] == list(range(1, number + 1))

    act(robo, project, 1, "archive", 1)

    assert found(alice, project)["no_summary"] == [2]


def test_what_a_deletion_request_locks_is_judged_no_more(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    for number in (1, 2):
        create(robo, project, "memory", title=f"Bare {number}", visibility="shared")
    assert found(alice, project)["no_summary"] == [1, 2]

    request_deletion(robo, DeletionCall(Address(project.path, number=2), reason="too much"))

    assert found(alice, project)["no_summary"] == [1]


def test_another_length_of_sessions_is_judged_anew(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []

    def judge(project: Project) -> Assessment:
        judged.append(project.session_days)
        return Assessment(100, ())

    monkeypatch.setattr("items.hygiene.lately.assess", judge)
    for days in (30, 31, 31):
        Project.objects.filter(pk=project.pk).update(session_days=days)
        hygiene(alice, project)

    assert judged == [30, 31]
