"""Opening an invitation: what it gives, that it works once, and when it works no more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Denied, NotFound
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role
from projects.ending import delete_project, restore_project
from projects.invitations import (
    accept_invitation,
    access_invitation,
    create_invitation,
)
from projects.models import Invitation, OrganizationMember, Project, ProjectMember
from projects.organizations import delete_organization, set_organization_member
from tests.factories import agent_caller, join, make_person, person_caller
from tests.projects.making import make_organization

pytestmark = pytest.mark.django_db


def token_for(inviter: Person, role: str = "contributor") -> str:
    return create_invitation(person_caller(inviter), project_id="alice/shop", role=role).token


def role_in(project: Project, person: Person) -> str | None:
    members = ProjectMember.objects.filter(project=project, person=person)
    return members.values_list("role", flat=True).first()


def refusal_words(token: str) -> object:
    with pytest.raises(NotFound) as refused:
        access_invitation(token)
    return refused.value.as_answer()


def test_whoever_opens_it_has_the_role(project: Project, alice: Person, mallory: Person) -> None:
    token = token_for(alice)

    accepted = accept_invitation(person_caller(mallory), token=token)

    assert access_project(person_caller(mallory), "alice/shop").role == Role.CONTRIBUTOR
    assert (accepted.used_by, accepted.project) == (mallory, project)
    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.person_id, event.project_id, event.detail) == (
        "invitation.accepted",
        mallory.pk,
        project.pk,
        {"role": "contributor", "given": True},
    )


def test_it_works_once_for_the_same_person_and_for_others(
    project: Project, alice: Person, mallory: Person
) -> None:
    token = token_for(alice)
    accept_invitation(person_caller(mallory), token=token)

    for person in (mallory, make_person("dora")):
        with pytest.raises(NotFound):
            accept_invitation(person_caller(person), token=token)
    assert refusal_words(token) == refusal_words("no such secret")
    assert ProjectMember.objects.filter(person__handle="dora").count() == 0


@pytest.mark.parametrize(("handle", "role", "after"), [
    ("rita", "moderator", "moderator"),
    ("rita", "reader", "reader"),
    ("carol", "contributor", "moderator"),
    ("carol", "owner", "owner"),
    ("alice", "reader", None),
    ("alice", "owner", None),
])  # fmt: skip
def test_it_raises_a_role_and_never_lowers_one(
    project: Project, alice: Person, handle: str, role: str, after: str | None
) -> None:
    person = Person.objects.get(handle=handle)
    before = role_in(project, person)

    accept_invitation(person_caller(person), token=token_for(alice, role))

    assert role_in(project, person) == after
    assert AuditEvent.objects.latest("pk").detail["given"] is (before != after)


@pytest.mark.parametrize(("held", "role", "after"), [
    (None, "member", "member"),
    (None, "owner", "owner"),
    ("member", "owner", "owner"),
    ("owner", "member", "owner"),
])  # fmt: skip
def test_an_invitation_to_an_organization_gives_its_role_and_lowers_nobody(
    alice: Person, bob: Person, held: str | None, role: str, after: str
) -> None:
    acme = make_organization(alice)
    if held is not None:
        acme.members.create(person=bob, role=held)
    made = create_invitation(person_caller(alice), organization="acme", role=role)

    accept_invitation(person_caller(bob), token=made.token)

    assert OrganizationMember.objects.get(organization=acme, person=bob).role == after
    assert AuditEvent.objects.latest("pk").organization_id == acme.pk


def test_an_invitation_to_the_server_is_used_up_and_gives_no_role(mallory: Person) -> None:
    made = create_invitation(Operator())

    accepted = accept_invitation(person_caller(mallory), token=made.token)

    assert accepted.used_by == mallory
    assert not ProjectMember.objects.exists()
    assert AuditEvent.objects.latest("pk").detail == {"role": "", "given": False}
    with pytest.raises(NotFound):
        access_invitation(made.token)


def test_no_agent_accepts_and_the_invitation_stays(
    project: Project, alice: Person, mallory: Person
) -> None:
    token = token_for(alice)

    with pytest.raises(Denied) as refused:
        accept_invitation(agent_caller(mallory), token=token)

    assert refused.value.details["missing"] == "person"
    assert access_invitation(token).used_at is None


def test_it_ends_with_its_time(project: Project, alice: Person, mallory: Person) -> None:
    token = token_for(alice)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert refusal_words(token) == refusal_words("no such secret")
    with pytest.raises(NotFound):
        accept_invitation(person_caller(mallory), token=token)
    assert role_in(project, mallory) is None


@pytest.mark.parametrize("how", ["lowered", "removed", "deactivated"])
def test_it_ends_with_the_right_of_who_made_it(project: Project, mallory: Person, how: str) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    token = token_for(dora)
    if how == "lowered":
        ProjectMember.objects.filter(person=dora).update(role=Role.MODERATOR)
    elif how == "removed":
        ProjectMember.objects.filter(person=dora).delete()
    else:
        Person.objects.filter(pk=dora.pk).update(is_active=False)

    assert refusal_words(token) == refusal_words("no such secret")
    with pytest.raises(NotFound):
        accept_invitation(person_caller(mallory), token=token)

    assert role_in(project, mallory) is None
    assert Invitation.objects.get().used_at is None


def test_it_ends_with_the_ownership_of_an_organization_and_with_the_admin(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice)
    acme.members.create(person=bob, role=OrganizationRole.OWNER)
    Person.objects.filter(pk=bob.pk).update(is_staff=True)
    to_acme = create_invitation(person_caller(bob), organization="acme", role="member").token
    to_server = create_invitation(person_caller(bob)).token

    set_organization_member(Operator(), handle="acme", person="bob", role="member")
    Person.objects.filter(pk=bob.pk).update(is_staff=False)

    for token in (to_acme, to_server):
        assert refusal_words(token) == refusal_words("no such secret")


def test_a_deleted_project_takes_its_invitations_along_and_brings_them_back(
    project: Project, alice: Person, mallory: Person
) -> None:
    token = token_for(alice)
    delete_project(person_caller(alice), "alice/shop", typed_name="alice/shop")

    assert refusal_words(token) == refusal_words("no such secret")

    restore_project(person_caller(alice), project_id=project.public_id)
    assert accept_invitation(person_caller(mallory), token=token).project == project


def test_an_organization_that_ended_has_no_invitations(alice: Person) -> None:
    make_organization(alice)
    token = create_invitation(person_caller(alice), organization="acme", role="member").token

    delete_organization(person_caller(alice), handle="acme")

    assert refusal_words(token) == refusal_words("no such secret")


@pytest.mark.parametrize("ended", ["deleted", "shut"])
def test_whose_account_is_deleted_or_shut_meanwhile_gets_nothing_and_uses_nothing_up(
    project: Project, alice: Person, mallory: Person, ended: str
) -> None:
    token = token_for(alice)
    caller = person_caller(mallory)
    Person.objects.filter(pk=mallory.pk).update(
        is_active=False, left_at=mallory.created if ended == "deleted" else None
    )

    with pytest.raises(NotFound) as refused:
        accept_invitation(caller, token=token)

    assert refused.value.as_answer() == refusal_words("nothing")
    assert role_in(project, mallory) is None
    assert access_invitation(token).used_at is None
