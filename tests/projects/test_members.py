"""Direct members of a project: who sets them, and to what."""

import pytest

from conderis.accounts.actors import Actor, Operator
from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from projects.capabilities import Role
from projects.members import remove_member, set_member
from projects.models import Project, ProjectMember
from tests.factories import agent_caller, person_caller


def role_of(project: Project, person: Person) -> str | None:
    return (
        ProjectMember.objects.filter(project=project, person=person)
        .values_list("role", flat=True)
        .first()
    )


def set_role(
    actor: Actor, project_id: str, handle: str = "mallory", role: str = "reader"
) -> ProjectMember:
    return set_member(actor, project_id=project_id, handle=handle, role=role)


@pytest.mark.parametrize("by", ["path", "shouted", "id"])
def test_the_operator_adds_a_member_by_path_or_id(
    project: Project, mallory: Person, by: str
) -> None:
    spelling = {"path": "alice/shop", "shouted": " ALICE/Shop ", "id": project.public_id}[by]

    set_role(Operator(), spelling, role="moderator")

    event = AuditEvent.objects.get()
    assert role_of(project, mallory) == Role.MODERATOR
    assert (event.action, event.subject, event.project_id, event.detail) == (
        "member.added",
        mallory.ref,
        project.pk,
        {"role": "moderator"},
    )


def test_another_role_changes_it_and_the_same_changes_nothing(
    project: Project, bob: Person
) -> None:
    set_role(Operator(), "alice/shop", "bob", "reader")
    set_role(Operator(), "alice/shop", "bob", "reader")

    assert role_of(project, bob) == Role.READER
    assert [event.action for event in AuditEvent.objects.all()] == ["member.changed"]


@pytest.mark.parametrize("role", ["", "admin", "Owner", "READER"])
def test_an_unknown_role_is_refused_with_the_allowed_ones(
    project: Project, mallory: Person, role: str
) -> None:
    with pytest.raises(Invalid) as refused:
        set_role(Operator(), "alice/shop", role=role)

    assert refused.value.details["allowed"] == Role.values
    assert "reader, contributor, moderator, owner" in refused.value.message
    assert role_of(project, mallory) is None


@pytest.mark.parametrize(
    ("project_id", "handle"), [("alice/nothing", "mallory"), ("alice/shop", "nobody-here")]
)
def test_a_project_or_person_that_is_not_there_is_refused(
    project: Project, mallory: Person, project_id: str, handle: str
) -> None:
    with pytest.raises(NotFound):
        set_role(Operator(), project_id, handle)

    assert role_of(project, mallory) is None
    assert not AuditEvent.objects.exists()


def test_the_owner_of_a_project_stays_its_owner(project: Project, alice: Person) -> None:
    with pytest.raises(Conflict, match="stays its owner"):
        set_role(Operator(), "alice/shop", "alice", "reader")

    assert role_of(project, alice) is None


def test_who_manages_the_project_may_set_members_and_nobody_else(
    project: Project, alice: Person, bob: Person, carol: Person, mallory: Person
) -> None:
    for person in (bob, carol):
        with pytest.raises(Denied) as denied:
            set_role(person_caller(person), "alice/shop")
        assert denied.value.details["missing"] == "manage"
    with pytest.raises(NotFound):
        set_role(person_caller(mallory), "alice/shop")
    assert role_of(project, mallory) is None

    set_role(person_caller(alice), "alice/shop")

    assert role_of(project, mallory) == Role.READER
    assert AuditEvent.objects.get().person_id == alice.pk


def test_no_key_however_wide_sets_members(project: Project, alice: Person, mallory: Person) -> None:
    with pytest.raises(Denied) as denied:
        set_role(agent_caller(alice), "alice/shop")

    assert denied.value.details["missing"] == "person"
    assert role_of(project, mallory) is None


def test_who_has_deleted_the_account_is_nobody_to_give_a_role(
    project: Project, mallory: Person
) -> None:
    Person.objects.filter(pk=mallory.pk).update(is_active=False, left_at=mallory.created)

    refused = []
    for handle in ("mallory", "nobody-here"):
        with pytest.raises(NotFound) as refusal:
            set_role(Operator(), "alice/shop", handle)
        refused.append(refusal.value.message.replace(handle, "x"))

    assert refused[0] == refused[1]
    assert role_of(project, mallory) is None


def test_handles_are_read_in_any_case_when_roles_are_given_and_ended(
    project: Project, mallory: Person, bob: Person
) -> None:
    set_role(Operator(), "alice/shop", " MALLORY ")
    remove_member(person_caller(bob), project_id="alice/shop", handle="Bob")

    assert role_of(project, mallory) == Role.READER
    assert role_of(project, bob) is None
