"""Expired, kept too long, never looked at again; work that stands still."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from projects.models import Project
from tests.items.hygiene.judged import found
from tests.items.recall_rows import days_ago, make_memory, make_page, make_task

pytestmark = pytest.mark.django_db
SHA = {"commit": "a" * 40}


def test_what_has_expired_and_is_not_archived_is_found(alice: Person, project: Project) -> None:
    gone = make_memory(project, alice, "Gone", expires_at=days_ago(1))
    aged = make_memory(project, alice, "Aged", category="session", changed=days_ago(31))
    make_memory(project, alice, "Archived", expires_at=days_ago(1), archived_at=days_ago(1))
    make_memory(project, alice, "Later", expires_at=timezone.now() + timedelta(days=2))
    make_memory(project, alice, "Young", category="session", changed=days_ago(29))

    assert found(project, "expired") == [(gone.number,), (aged.number,)]


def test_what_has_expired_is_looked_at_by_no_other_check(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Gone", expires_at=days_ago(1), changed=days_ago(400))

    assert found(project, "no_summary") == found(project, "untouched") == []


def test_a_session_memory_that_is_kept_alive_is_found(alice: Person, project: Project) -> None:
    kept = make_memory(project, alice, "Kept", category="session", created=days_ago(61))
    late = timezone.now() + timedelta(days=90)
    far = make_memory(project, alice, "Far", category="session", expires_at=late)
    make_memory(project, alice, "Fresh", category="session", created=days_ago(59))
    make_memory(project, alice, "Fact", created=days_ago(300), expires_at=late)

    assert found(project, "long_lived_session") == [(kept.number,), (far.number,)]


def test_the_days_of_sessions_are_those_of_the_project(alice: Person, project: Project) -> None:
    project.session_days = 90
    project.save()
    make_memory(project, alice, "Kept", category="session", created=days_ago(61))

    assert found(project, "long_lived_session") == []


def test_what_nobody_has_touched_for_long_is_found(alice: Person, project: Project) -> None:
    memory = make_memory(project, alice, "Old", changed=days_ago(366))
    page = make_page(project, alice, "Old", changed=days_ago(366))
    task = make_task(project, alice, "Old", changed=days_ago(181))
    make_memory(project, alice, "Young", changed=days_ago(364))
    make_memory(project, alice, "Verified", changed=days_ago(366), verified_against=SHA)
    make_task(project, alice, "Done", status="done", changed=days_ago(900))
    make_task(project, alice, "Young", changed=days_ago(179))

    assert found(project, "untouched") == [(memory.number,), (page.number,), (task.number,)]


def test_what_was_verified_long_ago_is_found(alice: Person, project: Project) -> None:
    old = make_page(project, alice, "Old", changed=days_ago(181), verified_against=SHA)
    make_memory(project, alice, "New", changed=days_ago(179), verified_against=SHA)
    make_memory(project, alice, "Never", changed=days_ago(181))

    assert found(project, "verified_long_ago") == [(old.number,)]


@pytest.mark.parametrize(
    ("check", "status", "days"),
    [("stalled_in_progress", "in_progress", 14), ("blocked_for_long", "blocked", 30)],
)
def test_work_that_stands_still_is_found(
    alice: Person, project: Project, check: str, status: str, days: int
) -> None:
    still = make_task(project, alice, "Still", status=status, changed=days_ago(days + 1))
    make_task(project, alice, "Moving", status=status, changed=days_ago(days - 1))
    make_task(project, alice, "Open", changed=days_ago(days + 1))

    assert found(project, check) == [(still.number,)]


@pytest.mark.parametrize("status", ["done", "canceled"])
def test_an_active_task_under_a_closed_one_is_found_with_its_parent(
    alice: Person, project: Project, status: str
) -> None:
    closed = make_task(project, alice, "Closed", status=status)
    active = make_task(project, alice, "Active", parent=closed)
    make_task(project, alice, "Closed too", parent=closed, status="done")
    make_task(project, alice, "Fine", parent=make_task(project, alice, "Open"))

    assert found(project, "active_under_closed") == [(active.number, closed.number)]


def test_a_locked_parent_is_not_named(alice: Person, project: Project) -> None:
    locked: dict[str, Any] = {"locked_at": days_ago(1), "locked_by": "abc"}
    closed = make_task(project, alice, "Closed", status="done", **locked)
    make_task(project, alice, "Active", parent=closed)

    assert found(project, "active_under_closed") == []
