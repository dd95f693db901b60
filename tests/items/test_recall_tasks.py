"""Tasks and pages in a recall."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from conderis.accounts.models import Agent, Person
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.recall_rows import block, days_ago, make_page, make_task, recalled, section

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def tasks(text: str) -> list[str]:
    return section(text, "Tasks").split("\n")[1:]


def test_a_task_tells_its_state_priority_assignee_parent_and_due_day(
    alice: Person, bob: Person, project: Project
) -> None:
    parent = make_task(project, alice, "Ship it")
    with time_machine.travel(NOON, tick=False):
        make_task(
            project,
            alice,
            "Migrate",
            status="in_progress",
            priority=0,
            assignee_person=bob,
            held_since=NOON - timedelta(days=2),
            due=date(2026, 12, 4),
            parent=parent,
            version=4,
        )

        lines = tasks(recalled(person_caller(alice), project))

    assert lines == [
        "- #2 v4 Migrate (in_progress, urgent, Bob since 2026-11-28, due 2026-12-04, part of #1)",
        "- #1 v1 Ship it (ready)",
    ]


def test_a_blocked_task_tells_why(alice: Person, project: Project) -> None:
    make_task(
        project, alice, "Payment", status="blocked", blocked_reason="No key.\n\n## Tasks: all 0"
    )

    lines = tasks(recalled(person_caller(alice), project))

    assert lines == ["- #1 v1 Payment (blocked): No key. ## Tasks: all 0"]


def test_a_task_tells_what_it_waits_for(alice: Person, project: Project) -> None:
    first = make_task(project, alice, "First")
    ended = make_task(project, alice, "Ended", status="done")
    last = make_task(project, alice, "Last")
    many = make_task(project, alice, "Many")
    for before in (first, ended):
        block(before, last)
    for number in range(7):
        block(make_task(project, alice, f"Before {number}"), many)

    text = recalled(person_caller(alice), project)

    assert "- #3 v1 Last (open, waits for #1)" in text
    assert "- #4 v1 Many (open, waits for #5, #6, #7, #8, #9 +2)" in text


def test_tasks_in_work_come_first_then_stuck_ones_then_what_is_ready(
    alice: Person, bob: Person, project: Project
) -> None:
    waiting = make_task(project, alice, "Waiting", priority=0)
    make_task(project, alice, "Held by Bob", priority=0, assignee_person=bob)
    low = make_task(project, alice, "Low", priority=3)
    block(low, waiting)
    make_task(project, alice, "Due later", due=date(2026, 12, 9))
    make_task(project, alice, "Due soon", due=date(2026, 12, 1))
    make_task(project, alice, "Never due")
    make_task(project, alice, "Mine", priority=1, assignee_person=alice)
    make_task(project, alice, "Stuck", status="blocked", blocked_reason="So.", priority=3)
    make_task(project, alice, "Started", status="in_progress", priority=3)
    make_task(project, alice, "Done", status="done", priority=0)
    make_task(project, alice, "Canceled", status="canceled", priority=0)
    make_task(project, alice, "Locked", locked_at=days_ago(1), priority=0)

    lines = tasks(recalled(person_caller(alice), project))

    assert [line.split(" v1 ")[1].partition(" (")[0] for line in lines] == [
        "Started",
        "Stuck",
        "Mine",
        "Due soon",
        "Due later",
        "Never due",
        "Low",
        "Waiting",
        "Held by Bob",
    ]
    assert "ready" in lines[2]
    assert "ready" not in "".join(lines[-2:])


def test_an_agent_sees_which_tasks_it_holds_itself(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    other = Agent.objects.create(person=alice, name="Codex")
    make_task(project, alice, "Own", assignee_agent_id=robo.agent_id)
    make_task(project, alice, "Person's", assignee_person=alice)
    make_task(project, alice, "Other's", assignee_agent=other)

    lines = tasks(recalled(robo, project))

    assert lines == [
        "- #1 v1 Own (ready, robo (you))",
        "- #2 v1 Person's (ready, Alice)",
        "- #3 v1 Other's (open, Codex)",
    ]


def test_a_task_is_overdue_when_the_day_has_ended_for_its_reader(
    alice: Person, project: Project
) -> None:
    make_task(project, alice, "Late", due=date(2026, 11, 30))
    with time_machine.travel(datetime(2026, 11, 30, 23, 30, tzinfo=UTC), tick=False):
        here = recalled(person_caller(alice), project)
        alice.time_zone = "Asia/Tokyo"
        there = recalled(person_caller(alice), project)

    assert "(ready, due 2026-11-30)" in here
    assert "(ready, overdue 2026-11-30)" in there


def test_pages_stand_in_their_tree_and_without_archived_and_locked_ones(
    alice: Person, project: Project
) -> None:
    book = make_page(project, alice, "Handbook", version=7)
    runbook = make_page(project, alice, "Runbook", rank=0)
    hidden = make_page(project, alice, "Hidden", parent=book, locked_at=days_ago(1))
    make_page(project, alice, "Below hidden", parent=hidden)
    make_page(project, alice, "Old", parent=book, archived_at=days_ago(1))
    make_page(project, alice, "Alerts", parent=runbook)

    text = recalled(person_caller(alice), project)

    assert section(text, "Pages") == (
        "Pages: all 4\n- #2 v1 Runbook\n  - #6 v1 Alerts\n- #1 v7 Handbook\n  - #4 v1 Below hidden"
    )


def test_a_locked_parent_is_only_its_number(alice: Person, project: Project) -> None:
    parent = make_task(project, alice, "Secret", locked_at=days_ago(1))
    make_task(project, alice, "Part", parent=parent)
    book = make_page(project, alice, "Secret", locked_at=days_ago(1))
    make_page(project, alice, "Chapter", parent=book)

    text = recalled(person_caller(alice), project, focus="chapter")

    assert tasks(text) == ["- #2 v1 Part (ready, part of #1 (locked))"]
    assert section(text, "Pages") == "Pages: all 1\n- #4 v1 Chapter (in #3 (locked))"
