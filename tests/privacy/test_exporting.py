"""Export of one's own data: all of it, and nothing of others."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AgentKey, Handle, Person
from conderis.common.caller import Caller
from conderis.common.errors import Denied
from items.requests import Address, DeletionCall
from privacy import exporting
from privacy.exporting import export_account
from privacy.requesting import request_deletion
from projects.models import Project, ProjectMember
from tests.exchange.jobs_world import beads, done
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create
from tests.items.recall_rows import make_organization


@pytest.fixture
def carols(carol: Person) -> Caller:
    """An agent of carol's, who moderates alice/shop."""
    return agent_caller(carol)


def exported(person: Person) -> dict[str, Any]:
    found = json.loads("".join(export_account(person_caller(person))))
    assert isinstance(found, dict)
    return found


def test_the_account_its_agents_and_places_are_in_it(
    alice: Person, carol: Person, carols: Caller, project: Project
) -> None:
    make_organization(carol)
    make_project(alice, "public", is_public=True)
    Handle.objects.create(name="old-carol", holder=carol.ref)
    agent_caller(carol, "limited", projects=[project])

    found = exported(carol)

    assert found["account"]["email"] == carol.email
    assert found["account"]["formerHandles"] == ["old-carol"]
    assert [agent["name"] for agent in found["agents"]] == ["robo", "limited"]
    assert found["agents"][1]["keys"][0]["projects"] == ["alice/shop"]
    assert found["organizations"] == [{"handle": "acme", "name": "Acme", "role": "owner"}]
    assert [(each["name"], each["role"]) for each in found["projects"]] == [
        ("alice/shop", "moderator")
    ]


def test_what_the_person_wrote_is_in_it_version_by_version(
    carol: Person, carols: Caller, alice: Person, project: Project
) -> None:
    create(carols, None, "memory", title="Personal", content="mine")
    create(carols, project, "memory", title="Private", visibility="private", content="first")
    change(carols, project, 1, 1, content="second", reason="because")
    create(agent_caller(alice), project, "page", title="Alice's", content="hers")
    change(carols, project, 2, 1, content="both")
    change(agent_caller(alice), project, 2, 2, content="hers again")

    found = exported(carol)

    (personal,) = found["personalMemories"]
    (private,) = found["privateMemories"]
    (shared,) = found["sharedItems"]
    assert (personal["content"], len(personal["history"])) == ("mine", 1)
    assert (private["project"], private["number"], private["content"]) == (
        "alice/shop",
        1,
        "second",
    )
    assert [event["state"]["content"] for event in private["history"]] == ["first", "second"]
    assert private["history"][1]["reason"] == "because"
    assert (shared["project"], shared["number"]) == ("alice/shop", 2)
    assert [(each["version"], each["state"]["content"]) for each in shared["versions"]] == [
        (2, "both")
    ]
    assert "hers" not in json.dumps(found)


def test_requests_and_audit_events_are_in_it_and_locked_text_is_not(
    carol: Person, carols: Caller, project: Project
) -> None:
    create(carols, project, "page", title="Zanzibar", content="zanzibar")
    create(carols, None, "memory", title="Zanzibar mine")
    request_deletion(carols, DeletionCall(Address(project.path, number=1), reason="a name"))
    request_deletion(
        carols,
        DeletionCall(Address(ref=exported(carol)["personalMemories"][0]["ref"]), reason="mine"),
    )

    found = exported(carol)

    assert [request["reason"] for request in found["deletionRequests"]] == ["a name", "mine"]
    assert found["deletionRequests"][0]["of"]["number"] == 1
    assert "anzibar" not in json.dumps(found)
    assert [event["action"] for event in found["auditEvents"]] == [
        "item.created", "item.created", "deletion.requested", "deletion.requested",
    ]  # fmt: skip
    assert found["auditEvents"][0]["agent"] == "robo"


def test_a_project_that_may_no_longer_be_read_leaves_the_private_memories_alone(
    carol: Person, carols: Caller, project: Project
) -> None:
    create(carols, project, "page", title="Shared", content="of the shop")
    create(carols, project, "memory", title="Private", visibility="private", content="mine")
    ProjectMember.objects.filter(person=carol).delete()
    Project.objects.update(path="alice/renamed", name="renamed")

    found = exported(carol)

    assert found["sharedItems"] == []
    assert [each["content"] for each in found["privateMemories"]] == ["mine"]
    assert "of the shop" not in json.dumps(found)
    assert "renamed" not in json.dumps(found)


def test_neither_secrets_of_keys_nor_anything_of_others_is_in_it(
    carol: Person, carols: Caller, alice: Person, bob: Person, project: Project
) -> None:
    AgentKey.objects.update(digest="d1g3st" * 10, lookup="l00kupXY")
    create(agent_caller(bob), project, "memory", title="Bob's own", visibility="private")
    create(agent_caller(bob), None, "memory", title="Bob's own")
    create(carols, project, "task", title="T", assignee=bob.ref)

    text = "".join(export_account(person_caller(carol)))

    assert carol.email in text
    assert "Bob" in text  # the task names whom it is assigned to
    for other in (alice, bob):
        assert other.email not in text
    for secret in ("d1g3st", "l00kupXY", "Bob's own", carol.password):
        assert not secret or secret not in text


def test_the_persons_own_proposals_are_in_it_and_what_was_decided(
    bob: Person, carol: Person, alice: Person, project: Project
) -> None:
    create(agent_caller(alice), project, "page", title="Page", content="old")
    robo = agent_caller(bob)
    changed = change(robo, project, 1, 1, content="new", tags=[], reason="Better.")["proposal"]
    made = create(person_caller(bob), project, "page", title="Mine")["proposal"]
    create(agent_caller(carol, always_review=True), project, "page", title="Carol's")
    act(person_caller(carol), project, changed, "reject", reason="Worse.")

    first, second = exported(bob)["proposals"]

    times = first.pop("created"), first.pop("decided"), second.pop("created")
    assert all(times)
    assert first == {
        "ref": changed,
        "project": "alice/shop",
        "number": 1,
        "kind": "page",
        "action": "change",
        "agent": "robo",
        "state": "rejected",
        "baseVersion": 1,
        "reason": "Better.",
        "decisionReason": "Worse.",
        "fields": {"content": "new"},
    }
    assert (second["ref"], second["state"], second["action"]) == (made, "pending", "create")
    assert second["fields"]["title"] == "Mine"
    assert "agent" not in second


def test_a_locked_proposal_shows_no_text_and_one_of_an_unreadable_project_nothing(
    bob: Person, alice: Person, project: Project
) -> None:
    create(agent_caller(alice), project, "page", title="Page", content="old")
    change(agent_caller(bob), project, 1, 1, content="zanzibar", reason="zanzibar")
    request_deletion(agent_caller(alice), DeletionCall(Address(project.path, number=1), reason="r"))

    locked = exported(bob)
    ProjectMember.objects.filter(person=bob).delete()
    gone = exported(bob)

    (shown,) = locked["proposals"]
    assert (shown["locked"], shown["number"], shown["state"]) == (True, 1, "pending")
    assert "zanzibar" not in json.dumps(locked)
    assert gone["proposals"] == []


def test_the_persons_imports_are_in_it_and_no_report_names_what_is_locked(
    alice: Person, carol: Person, project: Project
) -> None:
    content = beads("Zanzibar")
    done(person_caller(carol), project, content)
    done(agent_caller(carol), project, beads("Zanzibar", description="Slowly."))
    done(person_caller(alice), project, beads("Of Alice", prefix="a"))

    before = exported(carol)["imports"]
    request_deletion(
        person_caller(carol), DeletionCall(Address(project.path, number=1), reason="a name")
    )
    during = exported(carol)["imports"]

    assert [each["project"] for each in before] == ["alice/shop"] * 2
    assert [each.get("agent") for each in before] == [None, "robo"]
    assert (before[0]["file"], before[0]["report"]["made"]) == ("issues.jsonl", {"task": 1})
    assert before[1]["report"]["differing"] == ["line 1 (Zanzibar)"]
    assert during[1]["report"]["locked"]
    assert "anzibar" not in json.dumps(during)


def test_of_an_import_into_a_project_that_may_no_longer_be_read_it_has_the_counts(
    carol: Person, project: Project
) -> None:
    done(person_caller(carol), project, beads("Zanzibar"))
    done(person_caller(carol), project, beads("Zanzibar", description="Slowly."))
    ProjectMember.objects.filter(person=carol).delete()

    first, second = exported(carol)["imports"]

    assert (first["report"]["made"], second["report"]["known"]) == ({"task": 1}, 1)
    assert "project" not in first
    assert "anzibar" not in json.dumps([first, second])


def test_many_imports_cost_no_more_queries_than_one(carol: Person, project: Project) -> None:
    def cost(many: int) -> int:
        for number in range(many):
            done(person_caller(carol), project, beads(f"{number}", prefix=f"x{many}-{number}"))
        with CaptureQueriesContext(connection) as asked:
            list(exporting._imports(carol, exporting._Names(person_caller(carol))))
        return len(asked)

    assert cost(1) == cost(4)


def test_an_agent_is_denied_before_anything_is_read(carols: Caller) -> None:
    with pytest.raises(Denied) as refusal:
        export_account(carols)

    assert refusal.value.as_answer()["missing"] == "person"


def test_it_comes_in_pieces_and_is_json_however_they_are_cut(
    carol: Person, carols: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        create(carols, project, "page", title=f'Page "{number}"', content="ü\n" * 2_000)
    monkeypatch.setattr(exporting, "PIECE", 1_000)

    pieces = list(export_account(person_caller(carol)))

    assert len(pieces) > 4
    assert len(json.loads("".join(pieces))["sharedItems"]) == 5
