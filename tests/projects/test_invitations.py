"""Invitations: who makes, sees and revokes them, and that their secret is not kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conderis.accounts.actors import Actor, Operator
from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from projects import invitations
from projects.capabilities import OrganizationRole, Role
from projects.invitations import (
    MadeInvitation,
    access_invitation,
    create_invitation,
    list_invitations,
    revoke_invitation,
)
from projects.models import Invitation, Project
from tests.factories import agent_caller, join, make_person, person_caller
from tests.projects.making import make_organization
from tests.projects.refused import NO_OWNERS, answer_to_strangers, refusal_of, refusals

pytestmark = pytest.mark.django_db


def invite(actor: Actor, project_id: str = "alice/shop", role: str = "reader") -> MadeInvitation:
    return create_invitation(actor, project_id=project_id, role=role)


def test_the_secret_is_given_once_and_only_its_digest_is_kept(
    project: Project, alice: Person
) -> None:
    made = invite(person_caller(alice))

    row = Invitation.objects.values().get()
    assert len(made.token) >= 40
    assert made.token not in str(row) + str(list(AuditEvent.objects.values()))
    assert access_invitation(made.token).pk == row["id"]
    assert (row["inviter_id"], row["project_id"], row["role"]) == (alice.pk, project.pk, "reader")


def test_an_invitation_leaves_one_event_without_its_secret(project: Project, alice: Person) -> None:
    made = invite(person_caller(alice), role="moderator").invitation

    event = AuditEvent.objects.get()
    assert (event.action, event.subject, event.project_id, event.person_id) == (
        "invitation.created", made.ref, project.pk, alice.pk,
    )  # fmt: skip
    assert event.detail["role"] == "moderator"


@pytest.mark.usefixtures("mallory")
def test_only_owners_invite_to_a_project_and_no_agent_does(project: Project) -> None:
    assert refusals(invite) == NO_OWNERS
    answer_to_strangers(invite, project)
    assert not Invitation.objects.exists()


def test_a_direct_owner_and_an_owner_of_the_organization_invite(
    project: Project, alice: Person, bob: Person
) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    make_organization(bob)

    assert invite(person_caller(dora)).invitation.project == project
    made = create_invitation(person_caller(bob), organization="acme", role="member")
    assert made.invitation.organization is not None
    assert AuditEvent.objects.latest("pk").organization_id == made.invitation.organization.pk


def test_members_do_not_invite_to_an_organization_and_strangers_find_none(
    alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, members=(bob,))

    def call(caller: Caller, handle: str = "acme") -> object:
        return create_invitation(caller, organization=handle, role="owner")

    assert refusal_of(call, person_caller(bob)) == "denied manage"
    assert refusal_of(call, agent_caller(alice)) == "denied person"
    answers = []
    for handle in ("acme", "nothing"):
        with pytest.raises(NotFound) as refused:
            call(person_caller(mallory), handle)
        answers.append(refused.value.as_answer())
    assert answers[0] == answers[1]


def test_admins_and_the_operator_invite_to_the_server_and_nobody_else(
    alice: Person, bob: Person
) -> None:
    Person.objects.filter(pk=bob.pk).update(is_staff=True)

    assert refusal_of(create_invitation, person_caller(alice)) == "denied admin"
    assert refusal_of(create_invitation, agent_caller(bob)) == "denied person"
    assert create_invitation(person_caller(bob)).invitation.inviter == bob
    made = create_invitation(Operator())
    assert made.invitation.inviter is None
    assert access_invitation(made.token) == made.invitation


def test_the_operator_invites_to_projects_and_organizations(
    project: Project, alice: Person
) -> None:
    acme = make_organization(alice)

    assert invite(Operator()).invitation.project == project
    made = create_invitation(Operator(), organization="acme", role="owner").invitation
    assert made.organization == acme
    with pytest.raises(NotFound):
        create_invitation(Operator(), organization="nothing", role="owner")


@pytest.mark.parametrize(("place", "allowed"), [
    ({"project_id": "alice/shop"}, Role.values),
    ({"organization": "acme"}, OrganizationRole.values),
    ({}, [""]),
])  # fmt: skip
@pytest.mark.parametrize("role", ["admin", "Owner", "members"])
def test_a_role_that_the_place_does_not_have_is_refused_with_those_it_has(
    project: Project, alice: Person, place: dict[str, str], allowed: list[str], role: str
) -> None:
    make_organization(alice)

    with pytest.raises(Invalid) as refused:
        create_invitation(
            Operator(),
            role=role,
            project_id=place.get("project_id"),
            organization=place.get("organization"),
        )

    assert (refused.value.details["field"], refused.value.details["allowed"]) == ("role", allowed)


def test_a_project_needs_a_role_and_one_place_is_named(project: Project, alice: Person) -> None:
    make_organization(alice)

    with pytest.raises(Invalid):
        create_invitation(Operator(), project_id="alice/shop")
    with pytest.raises(Invalid, match="not both"):
        create_invitation(Operator(), project_id="alice/shop", organization="acme", role="owner")
    with pytest.raises(Invalid):
        list_invitations(person_caller(alice))
    with pytest.raises(Invalid):
        list_invitations(person_caller(alice), project_id="alice/shop", server=True)


@pytest.mark.parametrize("days", [0, -1, 31, True])
def test_days_out_of_bounds_are_refused(project: Project, alice: Person, days: int) -> None:
    with pytest.raises(Invalid) as refused:
        create_invitation(person_caller(alice), project_id="alice/shop", role="reader", days=days)

    assert refused.value.details["field"] == "days"


def test_it_lasts_seven_days_unless_told_otherwise(project: Project, alice: Person) -> None:
    week = invite(person_caller(alice)).invitation
    month = create_invitation(Operator(), days=30).invitation

    assert week.expires_at - week.created == timedelta(days=7)
    assert month.expires_at - month.created == timedelta(days=30)


def test_only_so_many_are_open_at_a_place(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST_OPEN", 2)
    first = invite(person_caller(alice)).invitation
    invite(person_caller(alice))

    with pytest.raises(Conflict):
        invite(person_caller(alice))
    create_invitation(Operator())
    revoke_invitation(person_caller(alice), invitation_id=first.public_id)
    invite(person_caller(alice))


def test_the_list_holds_those_that_work_newest_first(
    project: Project, alice: Person, bob: Person
) -> None:
    caller = person_caller(alice)
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    kept = [invite(actor).invitation for actor in (caller, Operator())]
    used, revoked, expired = (invite(caller).invitation for _ in range(3))
    now = timezone.now()
    Invitation.objects.filter(pk=used.pk).update(used_at=now, used_by=bob)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=now)
    revoke_invitation(caller, invitation_id=revoked.public_id)
    invite(person_caller(dora))
    project.members.filter(person=dora).update(role=Role.MODERATOR)
    create_invitation(Operator())

    assert list_invitations(caller, project_id="alice/shop") == kept[::-1]


def test_the_list_is_for_those_who_could_invite(
    project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, members=(bob,))

    assert refusals(lambda who: list_invitations(who, project_id="alice/shop")) == NO_OWNERS
    assert refusal_of(
        lambda who: list_invitations(who, organization="acme"), person_caller(bob)
    ) == "denied manage"  # fmt: skip
    assert refusal_of(
        lambda who: list_invitations(who, server=True), person_caller(alice)
    ) == "denied admin"  # fmt: skip


def test_the_list_of_a_place_holds_its_own_alone(project: Project, alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(is_staff=True)
    make_organization(alice)
    caller = person_caller(alice)
    in_project = invite(caller).invitation
    in_organization = create_invitation(caller, organization="acme", role="member").invitation
    on_server = create_invitation(caller).invitation

    assert list_invitations(caller, project_id="alice/shop") == [in_project]
    assert list_invitations(caller, organization="acme") == [in_organization]
    assert list_invitations(caller, server=True) == [on_server]


def test_a_revoked_invitation_works_no_more(project: Project, alice: Person) -> None:
    made = invite(person_caller(alice))

    revoke_invitation(person_caller(alice), invitation_id=made.invitation.public_id)

    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.project_id) == ("invitation.revoked", project.pk)
    with pytest.raises(NotFound):
        access_invitation(made.token)
    with pytest.raises(NotFound):
        revoke_invitation(person_caller(alice), invitation_id=made.invitation.public_id)


def test_who_could_not_make_it_finds_nothing_to_revoke(
    project: Project, alice: Person, mallory: Person
) -> None:
    made = invite(person_caller(alice))

    def revoke(caller: Caller) -> None:
        revoke_invitation(caller, invitation_id=made.invitation.public_id)

    assert refusals(revoke) == {
        "carol": "not_found", "bob": "not_found", "rita": "not_found", "mallory": "not_found",
        "robo": "denied person",
    }  # fmt: skip
    with pytest.raises(NotFound) as missing:
        revoke_invitation(person_caller(mallory), invitation_id="zzzzzzzzzzzz")
    with pytest.raises(NotFound) as hidden:
        revoke(person_caller(mallory))
    assert missing.value.as_answer() == hidden.value.as_answer()
    assert access_invitation(made.token).revoked_at is None


def test_another_owner_and_the_operator_revoke_too(project: Project, alice: Person) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)

    for actor in (person_caller(dora), Operator()):
        made = invite(person_caller(alice))
        revoke_invitation(actor, invitation_id=made.invitation.public_id)
        with pytest.raises(NotFound):
            access_invitation(made.token)


def test_admins_have_no_say_in_projects_that_are_not_theirs(
    project: Project, alice: Person, mallory: Person
) -> None:
    Person.objects.filter(pk=mallory.pk).update(is_staff=True, is_superuser=True)
    made = invite(person_caller(alice))

    with pytest.raises(NotFound):
        invite(person_caller(mallory))
    with pytest.raises(NotFound):
        revoke_invitation(person_caller(mallory), invitation_id=made.invitation.public_id)


def test_a_readers_refusal_names_the_capability(project: Project, rita: Person) -> None:
    with pytest.raises(Denied) as refused:
        invite(person_caller(rita))

    assert refused.value.details["missing"] == "manage"
