"""Organizations: making one, its members, and that an owner always stays."""

import pytest

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Handle, Person
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound
from conderis.common.json import Json
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role, Use
from projects.models import Organization, OrganizationMember
from projects.organizations import (
    create_organization,
    remove_organization_member,
    set_organization_member,
)
from tests.factories import agent_caller, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db


def roles(organization: Organization) -> dict[str, str]:
    return dict(organization.members.order_by("pk").values_list("person__handle", "role"))


def test_who_creates_an_organization_is_its_owner(alice: Person) -> None:
    made = create_organization(person_caller(alice), handle="acme", name=" Acme ", owner="alice")

    assert (made.handle, made.name, made.member_role) == ("acme", "Acme", Role.CONTRIBUTOR)
    assert roles(made) == {"alice": "owner"}
    assert Handle.objects.get(name="acme").holder == made.ref
    assert AuditEvent.objects.get().action == "organization.created"


def test_an_organization_without_a_name_is_called_by_its_handle(alice: Person) -> None:
    made = create_organization(Operator(), handle="acme", name="", owner="alice")

    assert made.name == "acme"


@pytest.mark.parametrize("handle", ["bob", "acme"])
def test_persons_and_organizations_share_their_handles(
    alice: Person, bob: Person, handle: str
) -> None:
    make_organization(alice)

    with pytest.raises(Conflict):
        create_organization(person_caller(alice), handle=handle, name="x", owner="alice")

    assert Organization.objects.count() == 1


def test_nobody_founds_an_organization_for_others_and_no_agent_does(
    alice: Person, bob: Person
) -> None:
    for actor in (person_caller(bob), agent_caller(alice)):
        with pytest.raises(Denied):
            create_organization(actor, handle="acme", name="x", owner="alice")

    assert not Organization.objects.exists()


def test_an_owner_adds_raises_lowers_and_removes_members(alice: Person, bob: Person) -> None:
    acme = make_organization(alice)
    caller = person_caller(alice)

    for role in ("member", "owner", "member", "member"):
        set_organization_member(caller, handle="acme", person="bob", role=role)
        assert roles(acme) == {"alice": "owner", "bob": role}
    remove_organization_member(caller, handle="acme", person="bob")

    assert roles(acme) == {"alice": "owner"}
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    assert [action.removeprefix("organization_member.") for action in actions] == [
        "added", "changed", "changed", "removed",
    ]  # fmt: skip


def test_the_last_owner_can_neither_leave_nor_be_removed_nor_be_lowered(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,))

    for actor in (person_caller(alice), Operator()):
        with pytest.raises(Conflict, match="last owner"):
            remove_organization_member(actor, handle="acme", person="alice")
        with pytest.raises(Conflict, match="last owner"):
            set_organization_member(actor, handle="acme", person="alice", role="member")
    assert roles(acme) == {"alice": "owner", "bob": "member"}

    set_organization_member(person_caller(alice), handle="acme", person="bob", role="owner")
    remove_organization_member(person_caller(alice), handle="acme", person="alice")
    assert roles(acme) == {"bob": "owner"}


def test_a_member_may_leave_and_do_no_more(alice: Person, bob: Person, carol: Person) -> None:
    acme = make_organization(alice, members=(bob, carol))
    caller = person_caller(bob)

    with pytest.raises(Denied):
        remove_organization_member(caller, handle="acme", person="carol")
    for person, role in (("mallory", "member"), ("bob", "owner"), ("alice", "member")):
        with pytest.raises(DomainError):
            set_organization_member(caller, handle="acme", person=person, role=role)
    remove_organization_member(caller, handle="acme", person="bob")

    assert roles(acme) == {"alice": "owner", "carol": "member"}


def test_strangers_find_no_organization_and_agents_change_none(
    alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, members=(bob,))

    answers = []
    for handle in ("acme", "nobody"):
        with pytest.raises(NotFound) as refused:
            set_organization_member(
                person_caller(mallory), handle=handle, person="mallory", role="owner"
            )
        answers.append(refused.value.as_answer())
    with pytest.raises(Denied):
        remove_organization_member(agent_caller(alice), handle="acme", person="bob")

    assert answers[0] == answers[1]
    assert OrganizationMember.objects.count() == 2


@pytest.mark.parametrize("role", ["", "moderator", "Owner", None, 1, ["owner"]])
def test_another_role_is_refused_naming_the_two(alice: Person, bob: Person, role: Json) -> None:
    make_organization(alice)

    with pytest.raises(Invalid) as refused:
        set_organization_member(person_caller(alice), handle="acme", person="bob", role=role)

    assert refused.value.details["allowed"] == OrganizationRole.values


def test_who_is_no_member_cannot_be_removed(alice: Person, bob: Person) -> None:
    make_organization(alice)

    with pytest.raises(NotFound):
        remove_organization_member(person_caller(alice), handle="acme", person="bob")


def test_a_removed_member_loses_the_projects_on_the_next_call(alice: Person, bob: Person) -> None:
    make_organization_project(make_organization(alice, members=(bob,)))
    access_project(person_caller(bob), "acme/site", use=Use.WORK)

    remove_organization_member(person_caller(alice), handle="acme", person="bob")

    with pytest.raises(NotFound):
        access_project(person_caller(bob), "acme/site")


def test_an_owner_whose_account_is_deactivated_does_not_count_as_another_owner(
    alice: Person, bob: Person, carol: Person
) -> None:
    acme = make_organization(alice)
    for person in (bob, carol):
        acme.members.create(person=person, role="owner")
    Person.objects.filter(pk=bob.pk).update(is_active=False)
    remove_organization_member(person_caller(alice), handle="acme", person="carol")

    for actor in (person_caller(alice), Operator()):
        with pytest.raises(Conflict, match="last owner"):
            remove_organization_member(actor, handle="acme", person="alice")
        with pytest.raises(Conflict, match="last owner"):
            set_organization_member(actor, handle="acme", person="alice", role="member")
    assert roles(acme) == {"alice": "owner", "bob": "owner"}
    remove_organization_member(person_caller(alice), handle="acme", person="bob")
    assert roles(acme) == {"alice": "owner"}


def test_who_has_deleted_the_account_is_nobody_to_make_a_member_or_an_owner(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice)
    Person.objects.filter(pk=bob.pk).update(is_active=False, left_at=bob.created)

    refused = []
    for handle in ("bob", "nobody-here"):
        with pytest.raises(NotFound) as refusal:
            set_organization_member(
                person_caller(alice), handle="acme", person=handle, role="owner"
            )
        refused.append(refusal.value.message.replace(handle, "x"))
    with pytest.raises(NotFound):
        create_organization(Operator(), handle="apex", name="", owner="bob")

    assert refused[0] == refused[1]
    assert roles(acme) == {"alice": "owner"}


def test_handles_of_people_are_read_in_any_case(alice: Person, bob: Person) -> None:
    acme = make_organization(alice)

    set_organization_member(person_caller(alice), handle="Acme", person=" BOB ", role="member")

    assert roles(acme) == {"alice": "owner", "bob": "member"}
