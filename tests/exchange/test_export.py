"""Exports of projects: what is in them, for whom, and what never is."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped] # comes with mcp
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Scope, Surface, nobody
from conderis.common.errors import Denied, NotFound
from exchange.exporting import parts
from exchange.exporting.reading import Private
from exchange.exporting.writing import export_lines
from projects.models import Project
from tests.architecture.sources import ROOT
from tests.exchange.exports import (
    Line,
    exported,
    files_of,
    history,
    lines_of,
    numbered,
    of_type,
    rich_project,
    zipped,
)
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask, erased


@pytest.fixture
def rich(project: Project, alice: Person, bob: Person, carol: Person) -> Project:
    rich_project(project, alice, bob, carol)
    return project


def of_alice(project: Project, alice: Person) -> list[Line]:
    return lines_of(exported(person_caller(alice), project))


def test_the_first_line_says_what_it_is_and_the_last_counts(rich: Project, alice: Person) -> None:
    Project.objects.filter(pk=rich.pk).update(description="All of it.")

    lines = of_alice(rich, alice)

    head = lines[0]
    assert (head["type"], head["format"], head["version"]) == ("header", "conderis-export", "1.0")
    assert head["project"] == {
        "id": rich.public_id, "name": "alice/shop", "description": "All of it.",
    }  # fmt: skip
    assert head["by"] == {"name": "Alice"}
    assert head["exported"].endswith("Z")
    assert lines[-1] == {
        "type": "end",
        "items": len(of_type(lines, "item")),
        "events": len(of_type(lines, "event")),
        "tombstones": 0,
        "proposals": 2,
    }


def test_an_items_line_has_every_field_its_place_its_author_and_its_relations(
    rich: Project, alice: Person, bob: Person
) -> None:
    lines = of_alice(rich, alice)

    task = numbered(lines, 9)
    assert task.pop("id")
    assert all(task.pop(name) for name in ("created", "changed", "heldSince"))
    assert task == {
        "type": "item",
        "kind": "task",
        "number": 9,
        "version": 3,
        "fields": {
            "title": "Build",
            "status": "blocked",
            "priority": "normal",
            "assignee": {"ref": agent_caller(bob).agent_ref, "name": "robo"},
        },
        "blockedReason": "No key.\nAsk: #8",
        "relations": [{"relation": "blocks", "number": 8}],
        "author": {"name": "Alice", "agent": "Codex"},
    }
    assert numbered(lines, 1)["relations"] == [
        {"relation": "documents", "number": 2},
        {"relation": "relates", "number": 8},
    ]
    assert "relations" not in numbered(lines, 8)
    assert numbered(lines, 8)["fields"]["due"] == "2026-12-31"
    assert (numbered(lines, 4)["parent"], numbered(lines, 4)["position"]) == (2, 1)
    assert numbered(lines, 3)["archived"]
    assert numbered(lines, 3)["position"] == 2  # archived ones keep their place


def test_items_stand_by_number_what_has_none_first(rich: Project, alice: Person) -> None:
    lines = of_type(of_alice(rich, alice), "item")

    assert [line.get("number") for line in lines] == [None, 1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert lines[0]["kind"] == "instructions"


def test_histories_are_whole_with_who_approved_what(rich: Project, alice: Person) -> None:
    events = history(of_alice(rich, alice), 2)

    for each in events:
        assert each.pop("at")
        assert each.pop("type") == "event"
        assert each.pop("item")
    created, changed, approved = events
    assert (created["event"], created["version"], created["by"]) == (
        "created", 1, {"name": "Alice"},
    )  # fmt: skip
    assert created["state"] == {"title": "Setup", "content": "# One\n\nsee #1"}
    assert changed == {
        "event": "changed",
        "version": 2,
        "by": {"name": "Alice", "agent": "Codex"},
        "reason": "Clearer.",
        "changed": ["content", "verifiedAgainst"],
        "state": {
            "title": "Setup",
            "content": "# One\n\nbetter",
            "verifiedAgainst": {"commit": "b" * 40, "repository": "example.org/a/b"},
        },
    }
    assert approved["by"] == {"name": "Bob", "agent": "robo"}
    assert approved["approver"] == {"name": "Carol"}


def test_of_proposals_what_became_of_them_is_in_it_and_nothing_that_waits(
    rich: Project, alice: Person, bob: Person
) -> None:
    whole = exported(person_caller(alice), rich).decode()

    approved, rejected = of_type(lines_of(whole.encode()), "proposal")
    assert (approved["state"], approved["number"], approved["version"]) == ("approved", 2, 3)
    assert approved["by"] == {"name": "Bob", "agent": "robo"}
    assert (rejected["state"], rejected["decisionReason"]) == ("rejected", "No.")
    assert rejected["decidedBy"] == {"name": "Carol"}
    assert "rejected content" not in whole
    assert "ending" not in whole


def test_proposals_of_others_are_not_in_a_readers(rich: Project, rita: Person) -> None:
    assert of_type(lines_of(exported(person_caller(rita), rich)), "proposal") == []


def test_private_memories_are_their_authors_alone_and_can_be_left_out(
    rich: Project, alice: Person, bob: Person, rita: Person
) -> None:
    def titles(person: Person, private: Private = Private.OWN) -> set[str]:
        whole = exported(person_caller(person), rich, private).decode()
        return {title for title in ("Bob alone", "Alice alone") if title in whole}

    assert titles(alice) == {"Alice alone"}
    assert titles(bob) == {"Bob alone"}
    assert titles(rita) == set()
    assert titles(bob, Private.NONE) == set()


def test_a_hidden_memory_is_in_no_line_and_no_count(rich: Project, rita: Person) -> None:
    lines = lines_of(exported(person_caller(rita), rich))

    assert {6, 7} & {line.get("number") for line in lines} == set()
    assert lines[-1]["items"] == 9


@pytest.mark.parametrize("make", [exported, zipped])
def test_no_address_of_anybody_is_in_it(rich: Project, alice: Person, make: Any) -> None:
    content = make(person_caller(alice), rich)
    text = content.decode() if make is exported else "".join(files_of(content).values())

    assert "Alice" in text
    assert "canary" not in text


def test_what_is_locked_or_erased_is_a_number_alone(
    project: Project, alice: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="zanzibar", content="zanzibar")
    create(owner, project, "page", title="zanzibar 2", content="zanzibar")
    create(owner, project, "page", title="Below", parent=1)
    create(owner, project, "instructions", content="zanzibar")
    act(owner, project, 3, "relate", target=1, relation="relates")
    ask(owner, project, 1)
    erased(carol, project, 2)
    ask(owner, project, "instructions")

    whole = exported(owner, project)

    lines = lines_of(whole)
    third, first, second = of_type(lines, "tombstone")
    assert first == {"type": "tombstone", "kind": "page", "number": 1, "why": "not exported"}
    assert (second["number"], second["why"], second["by"]) == (2, "erased", "Carol")
    assert third == {
        "type": "tombstone", "kind": "instructions", "ref": "instructions", "why": "not exported",
    }  # fmt: skip
    assert numbered(lines, 3)["parent"] == 1
    assert "relations" not in numbered(lines, 3)
    assert b"zanzibar" not in whole
    assert b"zanzibar" not in b"".join(
        text.encode() for text in files_of(zipped(owner, project)).values()
    )


def test_a_locked_and_an_erased_version_are_entries_without_their_state(
    project: Project, alice: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Page", content="zanzibar", reason="zanzibar")
    change(owner, project, 1, 1, content="zanzibar two")
    change(owner, project, 1, 2, content="three")
    erased(carol, project, 1, 1)
    ask(owner, project, 1, 2)

    whole = exported(owner, project)

    entries = history(lines_of(whole), 1)
    by_version = {each["version"]: each for each in entries if "version" in each}
    assert by_version[1]["erased"] is True
    assert by_version[2]["locked"] is True
    assert by_version[3]["state"]["content"] == "three"
    assert [each["event"] for each in entries] == ["created", "changed", "changed", "erased"]
    assert b"zanzibar" not in whole


def test_whoever_may_read_exports_what_they_read_and_others_find_nothing(
    rich: Project, mallory: Person, alice: Person
) -> None:
    with pytest.raises(NotFound) as hidden:
        export_lines(person_caller(mallory), rich.path)
    with pytest.raises(NotFound) as never:
        export_lines(person_caller(mallory), "alice/ship")
    Project.objects.filter(pk=rich.pk).update(is_public=True)

    lines = lines_of(exported(person_caller(mallory), rich))

    assert hidden.value.message.replace("shop", "ship") == never.value.message
    assert lines[-1]["items"] == 9
    with pytest.raises(Denied) as unsigned:
        export_lines(nobody(Surface.WEB), rich.path)
    assert unsigned.value.details["missing"] == "account"


def test_a_key_needs_the_scope_to_read_and_its_project(rich: Project, alice: Person) -> None:
    with pytest.raises(Denied) as refusal:
        export_lines(agent_caller(alice, scopes=frozenset({Scope.WRITE})), rich.path)
    with pytest.raises(NotFound):
        export_lines(agent_caller(alice, "narrow", projects=[]), rich.path)

    assert refusal.value.details["missing"] == "read"


def test_the_log_says_that_it_was_exported_by_whom_and_how(rich: Project, rita: Person) -> None:
    zipped(person_caller(rita), rich)

    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.subject, event.project_id) == (
        "project.exported", rich.ref, rich.pk,
    )  # fmt: skip
    assert (event.person_id, event.detail) == (rita.pk, {"format": "markdown"})


def test_the_same_project_gives_the_same_bytes(rich: Project, alice: Person) -> None:
    owner = person_caller(alice)

    first, second = exported(owner, rich), exported(owner, rich)
    one, two = files_of(zipped(owner, rich)), files_of(zipped(owner, rich))

    assert first.partition(b"\n")[2] == second.partition(b"\n")[2]
    assert list(one) == list(two)
    differing = {name for name in one if one[name] != two[name]}
    assert differing <= {"README.md", "conderis.jsonl"}  # the time of the export


def test_an_export_of_more_items_takes_no_more_queries(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "FRESH_SECONDS", 60)  # however busy the machine is
    owner = person_caller(alice)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            exported(owner, project)
        return len(seen)

    def fill(count: int) -> None:
        for _ in range(count):
            made = create(owner, project, "task", title="T", tags=["a"], assignee=alice.ref)
            create(owner, project, "task", title="U", dependsOn=[made["number"]])

    fill(2)
    few = queries()
    fill(10)

    assert queries() == few
    assert few < 20


def test_no_text_breaks_a_line(project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    text = "a\u2028b\u2029c\x85d\x0be\n\nf"
    create(owner, project, "page", title="Page", content=text)

    whole = exported(owner, project)

    assert len(whole.split(b"\n")) == 5  # header, item, event, end, and nothing after it
    assert numbered(lines_of(whole), 1)["fields"]["content"] == text


def test_every_line_fits_the_schema_of_the_docs(
    rich: Project, alice: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    erased(carol, rich, 4)
    ask(owner, rich, 10)
    ask(owner, rich, 2, 1)
    schema = json.loads((ROOT / "docs" / "conderis-export-v1.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    lines = of_alice(rich, alice)

    assert {line["type"] for line in lines} == {
        "header", "item", "event", "tombstone", "proposal", "end",
    }  # fmt: skip
    assert [(line, error.message) for line in lines for error in validator.iter_errors(line)] == []
