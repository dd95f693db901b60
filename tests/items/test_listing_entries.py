"""What the entries of lists say, and what a list costs."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, make_person, make_project, person_caller
from tests.items.listed import listed
from tests.items.rows import block, make_item

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_task_entry_names_its_parent_its_assignee_and_what_it_waits_for(
    project: Project, alice: Person, bob: Person
) -> None:
    robo = agent_caller(bob, "Robo")
    parent = make_item(project, "task", title="Whole", priority=1)
    first, closed = make_item(project, "task"), make_item(project, "task", status="done")
    item = make_item(
        project,
        "task",
        title="Part",
        parent=parent,
        assignee_agent_id=robo.agent_id,
        status="blocked",
        blocked_reason="No key yet",
        priority=0,
        due=date(2026, 12, 24),
        tags=["shop"],
        version=3,
    )
    block(first, item)
    block(closed, item)

    page = listed(person_caller(bob), project, "task", limit=1)

    assert page["items"] == [
        {
            "number": 4,
            "title": "Part",
            "version": 3,
            "status": "blocked",
            "priority": "urgent",
            "assignee": {"ref": robo.ref, "name": "Robo"},
            "due": "2026-12-24",
            "tags": ["shop"],
            "parent": {"number": 1, "title": "Whole"},
            "waitsFor": [2],
            "blockedReason": "No key yet",
            "age": "today",
        }
    ]


def test_a_locked_parent_is_named_by_its_number_alone(project: Project, bob: Person) -> None:
    parent = make_item(project, "page", title="secret", locked_at=NOW, locked_by="x")
    make_item(project, "page", title="child", parent=parent)

    [entry] = listed(person_caller(bob), project, "page")["items"]

    assert entry["parent"] == {"number": 1, "locked": True}


def test_entries_carry_no_content_and_a_memory_without_a_summary_shows_how_it_begins(
    project: Project, bob: Person
) -> None:
    make_item(project, title="told", summary="The gist.", content="Detail.")
    make_item(project, title="untold", content="Sentence  one.\n\n" + "and more words " * 30)
    make_item(project, title="empty")
    make_item(project, "page", content="Never shown.")

    entries = {
        entry["title"]: entry for entry in listed(person_caller(bob), project, "memory")["items"]
    }
    [page] = listed(person_caller(bob), project, "page")["items"]

    assert entries["told"]["summary"] == "The gist."
    assert entries["untold"]["summary"].startswith("Sentence one. and more words and")
    assert len(entries["untold"]["summary"]) <= 160
    assert entries["untold"]["summary"].endswith("…")
    assert "summary" not in entries["empty"]
    assert not any("content" in entry for entry in [page, *entries.values()])


def test_a_bag_says_how_many_children_the_caller_may_read(
    project: Project, alice: Person, bob: Person
) -> None:
    bag = make_item(project, title="bag")
    for _ in range(3):
        make_item(project, parent=bag)
    make_item(project, parent=bag, archived_at=NOW)
    make_item(project, parent=bag, locked_at=NOW, locked_by="x")
    make_item(project, parent=bag, expires_at=timezone.now() - DAY)
    own = make_item(project, title="own", visibility="private")
    make_item(project, parent=own, visibility="private")

    [entry] = listed(person_caller(bob), project, "memory", parent="none")["items"]
    counts = {
        entry["title"]: entry["children"]
        for entry in listed(person_caller(alice), project, "memory", parent="none")["items"]
    }

    assert entry["children"] == 3
    assert counts == {"bag": 3, "own": 1}


def test_the_age_is_told_for_seven_days_and_longer_for_active_work(
    project: Project, bob: Person
) -> None:
    with time_machine.travel(NOW, tick=False):
        for days in (0, 3, 8):
            make_item(project, title=f"memory {days}", changed=NOW - days * DAY)
            make_item(project, "task", title=f"task {days}", changed=NOW - days * DAY)
        make_item(project, "task", title="done", status="done", changed=NOW - 8 * DAY)

        memories = listed(person_caller(bob), project, "memory")["items"]
        tasks = listed(person_caller(bob), project, "task", includeClosed=True)["items"]

    assert [entry.get("age") for entry in memories] == ["today", "3d", None]
    assert [entry.get("age") for entry in tasks] == ["today", "3d", "7d+", None]


def _fill(project: Project, kind: str, how_many: int) -> None:
    top = make_item(project, kind, title="needle top", tags=["a", "b"])
    for place in range(how_many - 1):
        columns: dict[str, Any] = {"parent": top, "content": "A needle in it.", "tags": ["a"]}
        if kind == "task":
            columns["assignee_person"] = project.owner_person
        item = make_item(project, kind, title=f"needle {place}", **columns)
        if kind == "task":
            block(top, item)


@pytest.mark.parametrize("query", [None, "needle"])
@pytest.mark.parametrize(
    ("kind", "across"), [("memory", False), ("page", False), ("task", False), ("task", True)]
)
def test_a_list_costs_the_same_few_queries_however_long_it_is(
    project: Project, alice: Person, kind: str, query: str | None, *, across: bool
) -> None:
    larger = make_project(make_person("dora"), "larger")
    _fill(project, kind, 2)
    _fill(larger, kind, 12)
    counts = []

    for owner, place in ((alice, project), (larger.owner_person, larger)):
        assert owner is not None
        with CaptureQueriesContext(connection) as queries:
            page = listed(
                person_caller(owner), None if across else place, kind, query=query, tags=["a"]
            )
        counts.append(len(queries))
        assert page["total"] == Item.objects.filter(project=place).count()

    assert counts[0] == counts[1]
    assert counts[0] <= 6


def test_a_memory_without_a_summary_shows_its_beginning_but_no_heading_that_repeats_the_title(
    project: Project, alice: Person
) -> None:
    make_item(project, "memory", title="Alan Turing", content="# Alan Turing\n\nBroke Enigma.")
    make_item(project, "memory", title="Other", content="# Heading\nText.")

    entries = listed(person_caller(alice), project, "memory")["items"]

    assert {entry["title"]: entry["summary"] for entry in entries} == {
        "Alan Turing": "Broke Enigma.",
        "Other": "# Heading Text.",
    }
