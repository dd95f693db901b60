"""Creating and ending agent keys: what a key may be, and who may make one."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey, revoke_key
from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import Agent, AgentKey, AuditEvent, Person
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound
from projects.access import visible_projects
from projects.keys import create_agent_key
from projects.models import KeyProject, Project
from tests.factories import agent_caller, make_project, person_caller


def create(
    person: Person, name: str = "Codex", *, projects: list[str] | None = None, **wish: Any
) -> MadeKey:
    return create_agent_key(
        Operator(), person=person, wish=KeyWish(name=name, **wish), projects=projects
    )


def seen_with(made: MadeKey) -> list[str]:
    caller = caller_of_key(made.text, surface=Surface.MCP)
    return sorted(visible_projects(caller).values_list("path", flat=True))


def test_a_new_key_reads_writes_and_asks_for_deletions_everywhere_and_leaves_an_audit_row(
    alice: Person,
) -> None:
    made = create(alice)

    event = AuditEvent.objects.get()
    assert made.key.scopes == ["read", "write", "delete"]
    assert made.key.all_projects
    assert made.key.expires_at is None
    assert (event.action, event.subject) == ("key.created", f"key:{made.key.public_id}")
    assert event.detail["scopes"] == ["read", "write", "delete"]
    assert made.text not in str(event.detail)
    assert made.text not in repr(made)


def test_a_key_for_chosen_projects_sees_those_alone(alice: Person, project: Project) -> None:
    make_project(alice, "other")
    chosen = create(alice, "Chosen", projects=["alice/shop", project.public_id, "ALICE/SHOP"])
    everywhere = create(alice, "Everywhere")

    assert KeyProject.objects.filter(key=chosen.key).count() == 1
    assert seen_with(chosen) == ["alice/shop"]
    assert seen_with(everywhere) == ["alice/other", "alice/shop"]


@pytest.mark.parametrize(
    "projects", [[], ["alice/nothing"], ["mallory/secret"], ["alice/shop", ""]]
)
def test_a_project_that_the_person_may_not_read_is_refused_and_nothing_stored(
    alice: Person, mallory: Person, project: Project, projects: list[str]
) -> None:
    make_project(mallory, "secret")

    with pytest.raises(DomainError) as refused:
        create(alice, projects=projects)

    assert refused.value.details["field"] in {"projects", "projectId"}
    assert "mallory/secret" not in refused.value.details.get("allowed", [])
    assert not AgentKey.objects.exists()
    assert not Agent.objects.exists()


def test_hidden_and_missing_projects_get_the_same_refusal(
    alice: Person, mallory: Person, project: Project
) -> None:
    make_project(mallory, "secret")

    answers = []
    for name in ("mallory/secret", "mallory/nothing"):
        with pytest.raises(Invalid) as refused:
            create(alice, projects=[name])
        answers.append(str(refused.value.as_answer()).replace(name, "X"))

    assert answers[0] == answers[1]


def test_a_name_with_a_key_that_works_is_refused(alice: Person, bob: Person) -> None:
    first = create(alice, "Cafe\u0301 laptop")

    with pytest.raises(Conflict) as refused:
        create(alice, "  Caf\u00e9 laptop ")

    assert refused.value.message == (
        "You have a key with this name. Add where it runs, such as 'Codex on laptop'."
    )
    assert AgentKey.objects.get() == first.key
    assert create(bob, "Caf\u00e9 laptop").key.agent.person == bob


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_name_whose_keys_have_ended_gets_a_new_key_for_the_same_agent(
    alice: Person, end: str
) -> None:
    first = create(alice)
    if end == "revoked":
        revoke_key(Operator(), key_id=first.key.public_id)
    else:
        AgentKey.objects.update(expires_at=timezone.now())

    second = create(alice)

    assert second.key.agent == first.key.agent
    assert second.text != first.text


@pytest.mark.parametrize(
    ("field", "wish"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "   "}),
        ("name", {"name": "two\nlines"}),
        ("name", {"name": "a" * 81}),
        ("name", {"name": "a\x00b"}),
        ("name", {"name": "a\ud800"}),
        ("scopes", {"scopes": []}),
        ("scopes", {"scopes": ["read", "admin"]}),
        ("scopes", {"scopes": ["Read"]}),
        ("scopes", {"scopes": ["read", "review"], "always_review": True}),
        ("expires", {"expires_at": timezone.now() - timedelta(seconds=1)}),
    ],
)
def test_a_bad_wish_is_refused_with_its_field_and_nothing_stored(
    alice: Person, field: str, wish: dict[str, Any]
) -> None:
    with pytest.raises(DomainError) as refused:
        create(alice, **{"name": "Codex", **wish})

    assert refused.value.details["field"] == field
    assert not Agent.objects.exists()
    assert not AuditEvent.objects.exists()


def test_an_unknown_scope_is_answered_with_the_allowed_ones(alice: Person) -> None:
    with pytest.raises(Invalid) as refused:
        create(alice, scopes=["everything"])

    assert refused.value.details["allowed"] == ["read", "write", "delete", "review"]


def test_review_is_given_only_when_it_is_chosen(alice: Person) -> None:
    assert create(alice, "One").key.scopes == ["read", "write", "delete"]
    assert create(alice, "Two", scopes=["review", "read", "read"]).key.scopes == ["read", "review"]


def test_people_create_and_end_their_own_keys_alone(alice: Person, bob: Person) -> None:
    with pytest.raises(Denied):
        create_agent_key(person_caller(bob), person=alice, wish=KeyWish(name="Codex"))
    made = create_agent_key(person_caller(alice), person=alice, wish=KeyWish(name="Codex"))

    with pytest.raises(NotFound):
        revoke_key(person_caller(bob), key_id=made.key.public_id)
    ended = revoke_key(person_caller(alice), key_id=made.key.public_id)

    assert ended.revoked_at is not None


def test_no_key_however_wide_makes_or_ends_keys(alice: Person) -> None:
    robo = agent_caller(alice)
    made = create(alice)

    with pytest.raises(Denied):
        create_agent_key(robo, person=alice, wish=KeyWish(name="More"))
    with pytest.raises(Denied):
        revoke_key(robo, key_id=made.key.public_id)

    assert not Agent.objects.filter(name="More").exists()
    assert AgentKey.objects.get(pk=made.key.pk).revoked_at is None


def test_ending_a_key_again_keeps_the_first_time_and_adds_no_audit_row(alice: Person) -> None:
    made = create(alice)

    first = revoke_key(Operator(), key_id=made.key.public_id)
    again = revoke_key(Operator(), key_id=made.key.public_id)

    assert again.revoked_at == first.revoked_at
    assert AuditEvent.objects.filter(action="key.revoked").count() == 1


@pytest.mark.parametrize("key_id", ["", "nothing", "a" * 200, "\udcff"])
def test_ending_a_key_that_is_not_there_is_refused(alice: Person, key_id: str) -> None:
    with pytest.raises(DomainError) as refused:
        revoke_key(Operator(), key_id=key_id)

    assert refused.value.details["field"] == "id"
