"""The score: its bounds, its formula, who gets it, and that it is the same all day."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items.hygiene import all_checks, assess, check_named
from items.hygiene.assessing import cost
from items.project_view import project_get
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.hygiene.judged import findings
from tests.items.recall_rows import days_ago, make_memory, make_page, make_task

MOST_QUERIES = 10


def seen(caller: Caller, project: Project) -> dict[str, object]:
    answer: dict[str, object] = project_get(caller, project.path)["hygiene"]
    return answer


@pytest.mark.no_database
def test_the_weights_make_a_hundred_and_the_names_are_different() -> None:
    names = [check.name for check in all_checks()]

    assert sum(check.weight for check in all_checks()) == 100
    assert len(set(names)) == len(names)
    assert check_named("expired") is not None
    assert check_named("nothing") is None
    assert all((check.mark is None) != (check.find is None) for check in all_checks())


@pytest.mark.no_database
@given(st.integers(0, 20), st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_check_costs_no_more_than_its_weight_and_more_items_never_cost_less(
    weight: int, count: int, of: int
) -> None:
    lost = cost(weight, count, of)

    assert 0 <= lost <= weight * 1000
    assert cost(weight, count + 1, of) >= lost
    assert cost(weight, count, of + 1) <= lost, "a healthy item more never lowers the score"


@pytest.mark.no_database
def test_a_check_costs_by_the_square_root_of_the_share() -> None:
    assert cost(10, 1, 1) == 10_000
    assert cost(10, 25, 100) == 5_000
    assert cost(10, 1, 100) == 1_000
    assert cost(10, 1, 10**9) == 10, "never nothing"


@pytest.mark.django_db
def test_a_project_without_items_has_a_hundred(project: Project) -> None:
    assessed = assess(project)

    assert (assessed.score, list(assessed.findings)) == (100, [])


@pytest.mark.django_db
def test_a_project_of_healthy_items_has_a_hundred(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Deploy windows", summary="Tuesday to Thursday, 9 to 15 UTC.")
    make_page(project, alice, "Home")
    make_task(project, alice, "Do it")

    assert findings(project) == {}
    assert assess(project).score == 100


@pytest.mark.django_db
def test_a_healthy_item_more_never_lowers_the_score_and_a_mended_one_raises_it(
    alice: Person, project: Project
) -> None:
    bare = make_memory(project, alice, "Deploy windows")
    one = assess(project).score
    make_memory(project, alice, "Retention", summary="Events are kept for 30 days.")
    two = assess(project).score
    bare.summary = "Tuesday to Thursday, 9 to 15 UTC."
    bare.save()

    assert (one, two, assess(project).score) == (90, 92, 100)


@pytest.mark.django_db
def test_the_findings_that_cost_most_come_first(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Bare")
    make_memory(project, alice, "Told", summary="Told")
    make_memory(project, alice, "Naked")

    assessed = assess(project)

    assert [each.check.name for each in assessed.findings] == [
        "no_summary",
        "summary_repeats_title",
    ]
    assert [each.points for each in assessed.findings] == [8, 3]
    assert assessed.score == 100 - 12


@pytest.mark.django_db
def test_an_answer_names_some_items_and_says_how_many_there_are(
    alice: Person, bob: Person, project: Project
) -> None:
    for number in range(9):
        make_memory(project, alice, f"Fact {number}")

    answer = seen(agent_caller(bob), project)

    assert answer["score"] == 90
    (finding,) = answer["findings"]  # type: ignore[misc]
    assert finding["check"] == "no_summary"  # type: ignore[has-type]
    assert finding["count"] == 9  # type: ignore[has-type]
    assert finding["items"] == [1, 2, 3, 4, 5]  # type: ignore[has-type]
    assert "summary" in finding["do"]  # type: ignore[has-type]


@pytest.mark.django_db
def test_an_answer_says_how_many_findings_it_leaves_out(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Told", summary="Told")
    make_memory(project, alice, "Gone", expires_at=days_ago(1))
    make_memory(project, alice, "Old", changed=days_ago(400), content="#900")
    make_task(project, alice, "Still", status="in_progress", changed=days_ago(20))
    make_task(project, alice, "Stuck", status="blocked", changed=days_ago(40))

    answer = seen(person_caller(alice), project)

    assert len(answer["findings"]) == 5  # type: ignore[arg-type]
    assert answer["more"] == len(findings(project)) - 5 == 2


@pytest.mark.django_db
def test_all_readers_get_the_same_whatever_is_private_archived_or_locked(
    alice: Person, bob: Person, rita: Person, project: Project
) -> None:
    make_memory(project, alice, "Bare")
    before = seen(person_caller(rita), project)
    make_memory(project, bob, "His", visibility="private")
    make_memory(project, alice, "Hers", visibility="private", expires_at=days_ago(3))
    make_memory(project, alice, "Archived", archived_at=days_ago(1))
    make_memory(project, alice, "Locked", locked_at=days_ago(1))
    make_memory(None, bob, "Personal")

    for person in (alice, bob, rita):
        assert seen(person_caller(person), project) == before


@pytest.mark.django_db
def test_another_projects_items_do_not_count(alice: Person, project: Project, bob: Person) -> None:
    other = make_project(bob, "other")
    make_memory(other, bob, "Bare")

    assert findings(project) == {}


@pytest.mark.django_db
def test_the_same_state_gives_the_same_answer_all_day(alice: Person, project: Project) -> None:
    day = datetime(2026, 11, 30, tzinfo=UTC)
    make_memory(project, alice, "Ends", summary="At noon.", expires_at=day + timedelta(hours=12))
    task = make_task(project, alice, "Still", status="in_progress")
    task.changed = day - timedelta(days=14) + timedelta(hours=8)
    task.save()

    scores = []
    for hour in (0, 11, 23.9, 24):
        with time_machine.travel(day + timedelta(hours=hour), tick=False):
            scores.append(assess(project))

    assert scores[0].score == scores[1].score == scores[2].score == 100
    assert {each.check.name for each in scores[3].findings} == {"expired", "stalled_in_progress"}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_depend_on_the_number_of_items(
    alice: Person, project: Project
) -> None:
    counts = []
    for upto in (2, 12):
        for number in range(project.last_number // 6, upto):
            bag = make_memory(project, alice, f"Bag {number}", weight="normal")
            make_memory(project, alice, f"Child {number}", parent=bag, content=f"#{number + 1}")
            make_memory(project, alice, f"Rule {number}", weight="critical")
            make_page(project, alice, f"Page {number}")
            done = make_task(project, alice, f"Done {number}", status="done")
            make_task(project, alice, f"Open {number}", parent=done, content="#9000")
        with CaptureQueriesContext(connection) as queries:
            assess(project)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES
