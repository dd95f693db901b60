"""What is in a list, and what its entries say."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Scope
from conderis.common.errors import Denied, Invalid, NotFound
from items.kinds.registry import all_kinds
from projects.models import Project
from tests.factories import agent_caller, make_person, make_project, person_caller
from tests.items.listed import listed, titles
from tests.items.rows import block, make_item, make_personal

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def test_tasks_are_the_active_ones_unless_closed_ones_are_asked_for(
    project: Project, bob: Person
) -> None:
    for status in ("open", "in_progress", "blocked", "done", "canceled"):
        make_item(project, "task", title=status, status=status)
    caller = person_caller(bob)

    assert titles(caller, project, "task") == ["open", "in_progress", "blocked"]
    assert titles(caller, project, "task", includeClosed=True) == [
        "open",
        "in_progress",
        "blocked",
        "done",
        "canceled",
    ]
    assert len(titles(caller, project, "task", includeClosed="false")) == 3


@pytest.mark.parametrize("kind", [kind.name for kind in all_kinds() if kind.listed])
def test_archived_items_are_left_out_unless_asked_for_and_locked_ones_always(
    project: Project, bob: Person, kind: str
) -> None:
    make_item(project, kind, title="here")
    make_item(project, kind, title="archived", archived_at=NOW)
    make_item(project, kind, title="locked", locked_at=NOW, locked_by="x")
    caller = person_caller(bob)
    takes = next(each for each in all_kinds() if each.name == kind).filter_names

    assert titles(caller, project, kind) == ["here"]
    if "includeArchived" in takes:
        page = listed(caller, project, kind, sort="title", includeArchived=True)
        assert [entry["title"] for entry in page["items"]] == ["archived", "here"]
        assert [entry.get("archived") for entry in page["items"]] == [True, None]
        assert page["total"] == 2


def test_expired_memories_are_left_out_unless_asked_for(project: Project, bob: Person) -> None:
    now = timezone.now()
    make_item(project, title="live", expires_at=now + DAY)
    make_item(project, title="over", expires_at=now - DAY)

    assert titles(person_caller(bob), project, "memory") == ["live"]
    page = listed(person_caller(bob), project, "memory", includeExpired=True, sort="title")
    assert [(entry["title"], entry.get("expired")) for entry in page["items"]] == [
        ("live", None),
        ("over", True),
    ]


def test_a_session_memory_expires_so_many_days_after_its_last_version_as_the_project_says(
    project: Project, alice: Person
) -> None:
    project.session_days = 10
    project.save()
    now = timezone.now()
    rows: list[tuple[str, int, dict[str, Any]]] = [
        ("fresh", 9, {}),
        ("old", 11, {}),
        ("old, but says when", 11, {"expires_at": now + DAY}),
        ("old, but another type", 11, {"category": "fact"}),
    ]
    for title, days, more in rows:
        columns: dict[str, Any] = {"category": "session", "changed": now - days * DAY} | more
        make_item(project, title=title, **columns)
    make_personal(alice, title="personal", category="session", changed=now - 29 * DAY)
    make_personal(alice, title="personal, old", category="session", changed=now - 31 * DAY)
    caller = person_caller(alice)

    assert titles(caller, project, "memory", sort="title") == [
        "fresh",
        "old, but another type",
        "old, but says when",
    ]
    assert titles(caller, None, "memory") == ["personal"]
    flags = {
        entry["title"]: entry.get("expired", False)
        for entry in listed(caller, project, "memory", includeExpired=True)["items"]
    }
    assert flags == {
        "fresh": False,
        "old": True,
        "old, but says when": False,
        "old, but another type": False,
    }


def test_private_memories_of_others_are_in_no_entry_and_no_count(
    project: Project, alice: Person, bob: Person
) -> None:
    make_item(project, title="shared")
    make_item(project, title="alice's own", visibility="private")
    make_item(project, title="bob's own", visibility="private", author=bob)

    page = listed(person_caller(bob), project, "memory", sort="title")

    assert [entry["title"] for entry in page["items"]] == ["bob's own", "shared"]
    assert page["total"] == 2
    assert len(titles(person_caller(alice), project, "memory")) == 2


def test_without_a_project_memories_are_the_personal_ones(project: Project, alice: Person) -> None:
    mine = make_personal(alice, title="mine")
    make_personal(make_person("dora"), title="hers")
    make_item(project, title="of the project")

    page = listed(person_caller(alice), None, "memory")

    assert page["items"] == [
        {
            "ref": f"memory:{mine.public_id}",
            "title": "mine",
            "version": 1,
            "type": "fact",
            "visibility": "private",
            "weight": "normal",
            "age": "today",
        }
    ]


def test_a_key_for_chosen_projects_has_no_personal_memories_and_no_other_projects(
    project: Project, alice: Person
) -> None:
    other = make_project(alice, "other")
    make_item(project, "task", title="here")
    make_item(other, "task", title="there")
    caller = agent_caller(alice, projects=[other])

    with pytest.raises(Denied):
        listed(caller, None, "memory")
    with pytest.raises(NotFound):
        listed(caller, project, "task")
    assert titles(caller, None, "task") == ["there"]


@pytest.mark.parametrize("place", ["project", "across", "personal"])
def test_a_key_without_the_scope_to_read_lists_nothing(
    project: Project, alice: Person, place: str
) -> None:
    caller = agent_caller(alice, scopes=frozenset({Scope.WRITE}))

    with pytest.raises(Denied) as refused:
        listed(
            caller,
            project if place == "project" else None,
            "memory" if place == "personal" else "task",
        )

    assert refused.value.details["missing"] == "read"


def test_without_a_project_tasks_are_those_of_all_projects_under_their_long_reference(
    project: Project, alice: Person, mallory: Person
) -> None:
    other = make_project(alice, "Other")
    hidden = make_project(mallory, "hidden")
    first = make_item(project, "task", title="first", priority=0)
    second = make_item(other, "task", title="second", priority=1, parent=None)
    make_item(hidden, "task", title="hidden")
    block(first, second)

    page = listed(person_caller(alice), None, "task")

    assert [(entry["ref"], entry["title"]) for entry in page["items"]] == [
        ("alice/shop#1", "first"),
        ("alice/Other#1", "second"),
    ]
    assert all("number" not in entry for entry in page["items"])
    assert page["total"] == 2
    assert titles(person_caller(alice), None, "task", query="second") == ["second"]
    assert titles(person_caller(alice), None, "task", query="hidden") == []


def test_pages_are_listed_by_project_alone(alice: Person) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(alice), None, "page")

    assert refused.value.details["field"] == "projectId"


def test_a_kind_that_is_not_listed_is_refused_with_those_that_are(
    project: Project, alice: Person
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(alice), project, "instructions")

    assert refused.value.details["allowed"] == ["memory", "page", "task"]


@pytest.mark.parametrize(
    ("kind", "sort", "allowed"),
    [
        ("task", "position", ["priority", "due", "updated", "created", "title"]),
        ("memory", "relevance", ["updated", "created", "title"]),
        ("page", "", ["position", "updated", "created", "title"]),
    ],
)
def test_an_order_that_the_kind_has_not_is_refused_with_those_that_it_has(
    project: Project, alice: Person, kind: str, sort: str, allowed: list[str]
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(alice), project, kind, sort=sort)

    assert refused.value.details == {"field": "sort", "allowed": allowed}
    with pytest.raises(Invalid) as searching:
        listed(person_caller(alice), project, kind, sort="nonsense", query="x")
    assert searching.value.details["allowed"] == ["relevance", *allowed]


def test_tasks_are_sorted_by_priority_then_due_then_number(project: Project, bob: Person) -> None:
    for title, priority, due in [
        ("normal", 2, None),
        ("high without a day", 1, None),
        ("high, later", 1, date(2026, 12, 2)),
        ("high, first", 1, date(2026, 12, 1)),
        ("high, first, higher number", 1, date(2026, 12, 1)),
        ("urgent", 0, None),
    ]:
        make_item(project, "task", title=title, priority=priority, due=due)
    by_priority = [
        "urgent",
        "high, first",
        "high, first, higher number",
        "high, later",
        "high without a day",
        "normal",
    ]

    assert titles(person_caller(bob), project, "task") == by_priority
    assert titles(person_caller(bob), project, "task", sort="due") == [
        "high, first",
        "high, first, higher number",
        "high, later",
        "normal",
        "high without a day",
        "urgent",
    ]


def test_memories_are_sorted_by_change_or_creation_the_latest_first_or_by_title(
    project: Project, bob: Person
) -> None:
    for title, changed, created in [("beta", 3, 1), ("Alpha", 2, 3), ("gamma", 1, 2)]:
        make_item(project, title=title, changed=NOW - changed * DAY, created=NOW - created * DAY)
    caller = person_caller(bob)

    assert titles(caller, project, "memory") == ["gamma", "Alpha", "beta"]
    assert titles(caller, project, "memory", sort="created") == ["beta", "gamma", "Alpha"]
    assert titles(caller, project, "memory", sort="title") == ["Alpha", "beta", "gamma"]


def test_pages_are_sorted_by_their_place_among_siblings(project: Project, bob: Person) -> None:
    for title, rank in [("third", 30), ("first", -10), ("second", 20)]:
        make_item(project, "page", title=title, rank=rank)

    assert titles(person_caller(bob), project, "page") == ["first", "second", "third"]
