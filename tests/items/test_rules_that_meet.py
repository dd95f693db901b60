"""Rules that meet in one call: which refusal wins, what an answer names, what is kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, DomainError, Invalid
from items.kinds.registry import all_kinds
from items.kinds.values import Line, SourceState, Tags, Text
from items.models import Item, ItemEvent
from items.requests import Address, DeletionCall
from mcp_surface.dispatch import call_tool
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import act, change, create, item_at

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
SHA = "a" * 40


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


@pytest.mark.parametrize(
    ("version", "fields"), [(2, {"title": "T2"}), (None, {"parent": 2}), (None, {})]
)
def test_a_reason_of_another_change_is_not_that_of_the_block(
    robo: Caller, project: Project, version: int | None, fields: dict[str, Any]
) -> None:
    create(robo, project, "task", title="T")
    create(robo, project, "task", title="Parent")
    act(robo, project, 1, "block", 1, reason="the vendor")

    answer = change(robo, project, 1, version, reason="typo", **fields)

    assert answer["blockedReason"] == "the vendor"
    assert item_at(project, 1).blocked_reason == "the vendor"
    assert "status" not in answer.get("changed", [])


@pytest.mark.parametrize("action", ["relate", "unrelate"])
def test_a_relation_answers_with_the_item_acted_on_and_its_target(
    robo: Caller, project: Project, action: str
) -> None:
    create(robo, project, "task", title="One")
    create(robo, project, "page", title="Two")
    if action == "unrelate":
        act(robo, project, 1, "relate", target=2, relation="relates")

    done = act(robo, project, 1, action, target=2, relation="relates")
    again = act(robo, project, 1, action, target=2, relation="relates")

    about = {"number": 1, "version": 1, "status": "open", "priority": "normal",
             "target": 2, "relation": "relates"}  # fmt: skip
    assert done == {"outcome": "done", **about}
    assert again == {"outcome": "unchanged", **about}


def text_fields() -> list[tuple[str, str, Any]]:
    """Every field of every kind that text can be sent in, with a value that holds a token."""
    found: list[tuple[str, str, Any]] = []
    for kind in all_kinds():
        for field in kind.fields:
            if isinstance(field.type, Line | Text):
                found.append((kind.name, field.name, TOKEN))
            elif isinstance(field.type, Tags):
                found.append((kind.name, field.name, [TOKEN]))
            elif isinstance(field.type, SourceState):
                source = {"commit": SHA, "repository": f"example.org/{TOKEN}/x"}
                found.append((kind.name, field.name, source))
    return found


@pytest.mark.parametrize(("kind", "field", "value"), text_fields())
def test_no_field_takes_a_secret(
    robo: Caller, project: Project, kind: str, field: str, value: Any
) -> None:
    sent: dict[str, Any] = {} if kind == "instructions" else {"title": "T"}
    sent |= {"visibility": "shared"} if kind == "memory" else {}

    with pytest.raises(Invalid) as refusal:
        create(robo, project, kind, **(sent | {field: value}))

    assert refusal.value.as_answer()["field"].startswith(field)
    assert TOKEN not in str(refusal.value.as_answer())
    assert not Item.objects.exists()


def test_no_project_takes_a_secret(robo: Caller, project: Project) -> None:
    arguments = {"projectId": project.path, "fields": {"description": f"use {TOKEN}"}}

    answer = call_tool(robo, "project_store", arguments)

    assert answer.is_error
    assert json.loads(answer.text)["field"] == "description"
    assert TOKEN not in answer.text


def test_a_repository_with_a_password_is_refused_unechoed(robo: Caller, project: Project) -> None:
    source = {"commit": SHA, "repository": "https://bob:hunter2horse@example.org/o/n"}

    with pytest.raises(DomainError) as refusal:
        create(robo, project, "page", title="P", verifiedAgainst=source)

    assert "hunter2horse" not in str(refusal.value.as_answer())


@pytest.mark.parametrize("field", ["verifiedAgainst", "tags"])
def test_json_text_nested_without_end_is_refused(
    robo: Caller, project: Project, field: str
) -> None:
    nested = '{"a":' * 100_000 if field == "verifiedAgainst" else "[" * 100_000

    with pytest.raises(Invalid) as refusal:
        create(robo, project, "page", title="P", **{field: nested})

    assert refusal.value.as_answer()["field"] == field


def test_relations_that_a_caller_cannot_see_are_not_counted_against_it(
    robo: Caller, bob: Person, project: Project
) -> None:
    theirs = agent_caller(bob)
    create(robo, project, "task", title="Shared")
    for number in range(2, 203):
        create(theirs, project, "memory", title=f"M{number}", visibility="private")
    for number in range(2, 202):
        act(theirs, project, 1, "relate", target=number, relation="relates")
    create(robo, project, "task", title="Other")

    with pytest.raises(Conflict):
        act(theirs, project, 1, "relate", target=202, relation="relates")
    answer = act(robo, project, 1, "relate", target=203, relation="blocks")

    assert answer["outcome"] == "done"


@pytest.mark.parametrize("status", ["done", "canceled"])
def test_closing_by_status_names_the_active_subtasks(
    robo: Caller, project: Project, status: str
) -> None:
    create(robo, project, "task", title="T")
    create(robo, project, "task", title="Part", parent=1)

    answer = change(robo, project, 1, 1, status=status)
    later = change(robo, project, 1, 2, title="T2")

    assert answer["activeSubtasks"] == [2]
    assert "activeSubtasks" not in later


def test_status_in_progress_on_a_closed_task_is_refused_as_claim_is(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "task", title="T", status="done")

    with pytest.raises(Conflict) as claimed:
        act(robo, project, 1, "claim", 1)
    with pytest.raises(Conflict) as stored:
        change(robo, project, 1, 1, status="in_progress")

    assert claimed.value.as_answer() == stored.value.as_answer()


@pytest.mark.parametrize(
    "fields",
    [
        {"edits": [{"find": "start", "replace": "end"}]},
        {"title": "Taken"},
        {"title": "New", "parent": 1},
    ],
)
def test_a_stale_version_is_said_before_what_follows_from_it(
    robo: Caller, project: Project, fields: dict[str, Any]
) -> None:
    create(robo, project, "page", title="P", content="start")
    create(robo, project, "page", title="Taken")
    change(robo, project, 1, 1, content="other")

    with pytest.raises(Conflict) as refusal:
        change(robo, project, 1, 1, **fields)

    assert refusal.value.as_answer()["currentVersion"] == 2


def test_a_stale_status_is_a_conflict_of_versions(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="T")
    act(robo, project, 1, "complete", 1)

    with pytest.raises(Conflict) as refusal:
        change(robo, project, 1, 1, status="blocked", reason="waits")

    assert refusal.value.as_answer()["changed"][0]["event"] == "completed"


def test_what_a_task_was_created_as_is_its_creators_doing(
    robo: Caller, bob: Person, project: Project
) -> None:
    other = agent_caller(bob)
    create(robo, project, "task", title="T", status="blocked", reason="r")
    create(robo, project, "task", title="Done", status="done")

    assert act(robo, project, 1, "block", 1, reason="r")["outcome"] == "unchanged"
    assert act(robo, project, 2, "complete", 1)["outcome"] == "unchanged"
    with pytest.raises(Conflict):
        act(other, project, 2, "complete", 1)


def test_archiving_around_a_locked_page_copies_nothing_of_it(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Parent")
    create(robo, project, "page", title="Child", content="zanzibar", parent=1)
    request_deletion(robo, DeletionCall(Address(project.path, number=2), 1, "personal data"))

    act(robo, project, 1, "archive", 1)
    archived = item_at(project, 2).archived_at
    act(robo, project, 1, "restore", 2)

    events = ItemEvent.objects.filter(item__number=2).order_by("id")
    assert archived is not None
    assert item_at(project, 2).archived_at is None
    assert item_at(project, 2).version == 1
    assert [(event.event, event.version) for event in events] == [
        ("created", 1), ("archived", None), ("restored", None),
    ]  # fmt: skip
    assert all("zanzibar" not in str(event.state) for event in events if not event.locked_by)


def test_appending_with_a_source_state_needs_the_version(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="P", content="a", verifiedAgainst=SHA)

    with pytest.raises(Invalid) as refusal:
        change(robo, project, 1, append="b", verifiedAgainst=SHA)

    assert refusal.value.as_answer()["field"] == "version"


def test_a_position_behind_the_last_is_unchanged_for_the_last(
    robo: Caller, project: Project
) -> None:
    for title in "AB":
        create(robo, project, "page", title=title)

    assert change(robo, project, 2, position=99)["outcome"] == "unchanged"


def test_a_private_memory_does_not_show_in_the_age_of_its_project(
    bob: Person, project: Project
) -> None:
    before = Project.objects.get(pk=project.pk).changed
    theirs = agent_caller(bob)

    create(theirs, project, "memory", title="Mine", visibility="private")
    change(theirs, project, 1, 1, summary="still mine")
    act(theirs, project, 1, "archive", 2)

    assert Project.objects.get(pk=project.pk).changed == before


def test_a_block_that_ends_by_status_open_leaves_the_assignee(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "task", title="T")
    act(robo, project, 1, "claim", 1)
    act(robo, project, 1, "block", 2, reason="r")

    answer = change(robo, project, 1, 3, status="open")

    assert (answer["status"], answer["assignee"]["name"]) == ("open", "robo")


def test_a_locked_item_is_no_target_of_a_relation(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="One")
    create(robo, project, "task", title="Two")
    request_deletion(robo, DeletionCall(Address(project.path, number=2), reason="personal data"))

    with pytest.raises(DomainError) as refusal:
        act(robo, project, 1, "relate", target=2, relation="relates")

    assert refusal.value.code == "locked"


def test_no_write_reads_the_texts_of_other_items(
    robo: Caller, project: Project, django_assert_max_num_queries: Any
) -> None:
    create(robo, project, "page", title="Top", content="top")
    create(robo, project, "page", title="Below", content="below", parent=1)
    create(robo, project, "page", title="Deep", content="deep", parent=2)
    create(robo, project, "page", title="Elsewhere", content="else")
    create(robo, project, "task", title="T")
    create(robo, project, "task", title="Before")

    writes: tuple[Callable[[], object], ...] = (
        lambda: change(robo, project, 2, parent=4),
        lambda: change(robo, project, 2, position=1),
        lambda: change(robo, project, 5, dependsOn=[6]),
        lambda: act(robo, project, 5, "relate", target=1, relation="relates"),
    )
    for write in writes:
        with django_assert_max_num_queries(17) as captured:
            write()
        selects = [
            query["sql"] for query in captured.captured_queries if query["sql"].startswith("SELECT")
        ]
        whole = [sql for sql in selects if '"items_item"."content"' in sql.partition(" FROM ")[0]]
        assert len(whole) == 1  # the item that is addressed
