"""The filters of lists, one by one."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from conderis.accounts.models import Person
from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json
from items.filters import SELECTORS
from items.kinds.registry import all_kinds
from projects.models import Project
from tests.factories import agent_caller, make_person, make_project, person_caller
from tests.items.listed import listed, titles
from tests.items.rows import block, make_item, make_personal

NOW = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)


def test_every_filter_of_every_kind_selects_something_or_includes_something() -> None:
    names = {
        name
        for kind in all_kinds()
        for name in kind.filter_names
        if name not in SELECTORS and name not in kind.by_name
    }

    assert names == {
        "includeArchived",
        "includeClosed",
        "includeExpired",
    }


def test_an_unknown_filter_is_refused_with_those_that_there_are(
    project: Project, bob: Person
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(bob), project, "page", priority="high")

    assert refused.value.details["allowed"] == ["parent", "tags", "includeArchived"]
    assert "includeArchived" in refused.value.message


def test_a_status_filter_is_refused_saying_what_tasks_are_listed(
    project: Project, bob: Person
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(bob), project, "task", status="open")

    assert "open, in_progress, blocked" in refused.value.message
    assert "includeClosed" in refused.value.message
    assert "status" not in refused.value.details["allowed"]


@pytest.mark.parametrize("value", [None, "", " ", "null"])
def test_an_empty_filter_is_none(project: Project, bob: Person, value: Json) -> None:
    make_item(project, "task", title="one")

    assert titles(person_caller(bob), project, "task", priority=value, tags=value) == ["one"]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("task", "priority", "highest"),
        ("task", "priority", 1),
        ("task", "assignee", "bob"),
        ("task", "parent", "top"),
        ("task", "due", "2026-12-01"),
        ("task", "ready", "maybe"),
        ("task", "tags", "a,b"),
        ("memory", "type", "idea"),
        ("memory", "visibility", "public"),
        ("memory", "weight", "heavy"),
        ("memory", "includeArchived", "only"),
    ],
)
def test_a_value_that_a_filter_does_not_take_is_refused_with_its_name(
    project: Project, bob: Person, kind: str, name: str, value: Json
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(bob), project, kind, **{name: value})

    assert refused.value.details["field"] == f"filter.{name}"


def test_more_tags_than_an_item_can_have_are_refused(project: Project, bob: Person) -> None:
    with pytest.raises(TooLarge):
        listed(person_caller(bob), project, "memory", tags=[f"t{n}" for n in range(21)])


def test_tasks_are_listed_by_priority(project: Project, bob: Person) -> None:
    for place, title in enumerate(("urgent", "high", "normal", "low")):
        make_item(project, "task", title=title, priority=place)

    assert titles(person_caller(bob), project, "task", priority="high") == ["high"]


def test_tasks_are_listed_by_who_has_them(project: Project, alice: Person, bob: Person) -> None:
    robo = agent_caller(bob, "robo")
    make_item(project, "task", title="nobody")
    make_item(project, "task", title="bob", assignee_person=bob)
    make_item(project, "task", title="robo", assignee_agent_id=robo.agent_id)
    make_item(project, "task", title="alice", assignee_person=alice)

    def by(value: str) -> list[str]:
        return titles(robo, project, "task", assignee=value)

    assert by("none") == ["nobody"]
    assert by("me") == ["robo"]
    assert titles(person_caller(bob), project, "task", assignee="me") == ["bob"]
    assert by(bob.ref) == ["bob"]
    assert by(robo.ref) == ["robo"]
    assert by(alice.ref) == ["alice"]
    assert by("person:nobody") == []


def test_items_are_listed_by_their_parent(project: Project, bob: Person) -> None:
    top = make_item(project, "page", title="top", number=7)
    make_item(project, "page", title="child", parent=top)
    same_number = make_item(make_project(bob, "other"), "page", number=7)
    make_item(same_number.project, "page", title="elsewhere", parent=same_number)
    caller = person_caller(bob)

    for value in (7, "7", "#7"):
        assert titles(caller, project, "page", parent=value) == ["child"]
    assert titles(caller, project, "page", parent="none") == ["top"]
    assert titles(caller, project, "page", parent=99) == []
    assert titles(caller, project, "page", parent=f"memory:{top.public_id}") == []


def test_items_are_listed_by_their_parent_among_personal_memories(alice: Person) -> None:
    bag = make_personal(alice, title="bag")
    make_personal(alice, title="child", parent=bag)
    caller = person_caller(alice)

    assert titles(caller, None, "memory", parent=f"memory:{bag.public_id}") == ["child"]
    assert titles(caller, None, "memory", parent="none") == ["bag"]
    with pytest.raises(Invalid):
        listed(caller, None, "memory", parent=1)


def test_a_parents_number_across_projects_is_refused_with_the_way(
    project: Project, bob: Person
) -> None:
    with pytest.raises(Invalid) as refused:
        listed(person_caller(bob), None, "task", parent=1)

    assert refused.value.details == {"field": "filter.parent", "allowed": ["none"]}
    assert "projectId" in refused.value.message


def test_items_are_listed_by_all_of_their_tags(project: Project, bob: Person) -> None:
    make_item(project, title="both", tags=["api", "db", "more"])
    make_item(project, title="one", tags=["api"])
    make_item(project, title="none")
    caller = person_caller(bob)

    assert titles(caller, project, "memory", tags=["db", "api"]) == ["both"]
    assert titles(caller, project, "memory", tags='["api"]', sort="title") == ["both", "one"]
    assert titles(caller, project, "memory", tags=["ap"]) == []
    assert len(titles(caller, project, "memory", tags=[])) == 3


@pytest.mark.parametrize(
    ("zone", "overdue"), [("UTC", ["yesterday"]), ("Asia/Tokyo", ["yesterday", "today"])]
)
def test_listed_by_due_a_day_is_overdue_when_it_has_ended_where_the_reader_is(
    project: Project, zone: str, overdue: list[str]
) -> None:
    reader = make_person("dora", time_zone=zone)
    project.is_public = True
    project.save()
    for title, due in [
        ("yesterday", date(2026, 11, 29)),
        ("today", date(2026, 11, 30)),
        ("tomorrow", date(2026, 12, 1)),
        ("no day", None),
    ]:
        make_item(project, "task", title=title, due=due)

    with time_machine.travel(NOW, tick=False):
        for caller in (person_caller(reader), agent_caller(reader)):
            assert titles(caller, project, "task", due="overdue") == overdue
            assert titles(caller, project, "task", due="none") == ["no day"]


def test_ready_tasks_are_open_free_and_nothing_unfinished_before_it(
    project: Project, alice: Person, bob: Person
) -> None:
    robo, other = agent_caller(bob, "robo"), agent_caller(bob, "other")
    made: dict[str, Any] = {
        "free": {},
        "of bob": {"assignee_person": bob},
        "of robo": {"assignee_agent_id": robo.agent_id},
        "of another agent": {"assignee_agent_id": other.agent_id},
        "of alice": {"assignee_person": alice},
        "begun": {"status": "in_progress", "assignee_agent_id": robo.agent_id},
        "stuck": {"status": "blocked"},
        "waits": {},
        "waited": {},
        "closed": {"status": "done"},
    }
    rows = {title: make_item(project, "task", title=title, **more) for title, more in made.items()}
    block(rows["stuck"], rows["waits"])
    block(rows["closed"], rows["waited"])

    ready = titles(robo, project, "task", ready=True)

    assert ready == ["free", "of bob", "of robo", "waited"]
    assert titles(person_caller(bob), project, "task", ready="true") == ["free", "of bob", "waited"]
    assert titles(robo, project, "task", ready=False) == [
        title for title in made if title not in (*ready, "closed")
    ]


def test_memories_are_listed_by_type_visibility_and_weight(project: Project, bob: Person) -> None:
    make_item(project, title="fact")
    make_item(project, title="decision", category="decision", weight="critical")
    make_item(project, title="own", visibility="private", author=bob, weight="low")
    caller = person_caller(bob)

    assert titles(caller, project, "memory", type="decision") == ["decision"]
    assert titles(caller, project, "memory", visibility="private") == ["own"]
    assert titles(caller, project, "memory", weight="critical") == ["decision"]
    assert titles(caller, project, "memory", weight="low", type="decision") == []


def test_filters_and_query_select_together(project: Project, bob: Person) -> None:
    make_item(project, title="one", content="deploy windows", tags=["ops"])
    make_item(project, title="two", content="deploy windows")
    caller = person_caller(bob)

    page = listed(caller, project, "memory", query="deploying", tags=["ops"])

    assert [entry["title"] for entry in page["items"]] == ["one"]
    assert page["total"] == 1
