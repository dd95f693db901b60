"""Who has a role in a project, who is in an organization, and who may see that."""

import dataclasses

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.errors import Denied, NotFound
from projects.capabilities import OrganizationRole, Role
from projects.members import MemberRow, Source, project_members
from projects.models import Project
from projects.organizations import (
    access_organization,
    list_organizations,
    organization_members,
)
from tests.factories import agent_caller, join, make_person, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import answer_to_strangers, refusal_of

pytestmark = pytest.mark.django_db


def short(rows: list[MemberRow]) -> list[tuple[str, str, str]]:
    return [(row.handle, row.role.value, row.source.value) for row in rows]


@pytest.mark.parametrize("handle", ["alice", "carol", "bob", "rita"])
def test_whoever_has_a_role_sees_all_members(project: Project, handle: str) -> None:
    rows = project_members(person_caller(Person.objects.get(handle=handle)), "alice/shop")

    assert short(rows) == [
        ("alice", "owner", "owner"),
        ("bob", "contributor", "direct"),
        ("carol", "moderator", "direct"),
        ("rita", "reader", "direct"),
    ]


def test_strangers_find_nothing_and_on_a_public_project_are_denied(
    project: Project, alice: Person, mallory: Person
) -> None:
    answer_to_strangers(project_members, project)
    Project.objects.update(is_public=True)

    assert refusal_of(lambda who: project_members(who, "alice/shop"), person_caller(mallory)) == (
        "denied role"
    )
    assert refusal_of(lambda who: project_members(who, "alice/shop"), agent_caller(alice)) == (
        "denied person"
    )


def test_a_row_holds_what_others_may_know_and_no_email_address(
    project: Project, alice: Person
) -> None:
    [row] = [each for each in project_members(person_caller(alice), "alice/shop")
             if each.handle == "bob"]  # fmt: skip

    bob = Person.objects.get(handle="bob")
    assert row == MemberRow(
        bob.public_id, "bob", "Bob", Role.CONTRIBUTOR, Source.DIRECT, active=True
    )
    assert "@" not in str(dataclasses.asdict(row))


@pytest.mark.parametrize(("override", "granted"), [("", "contributor"), ("moderator", "moderator")])
def test_members_of_the_organization_are_listed_with_what_they_have_here(
    alice: Person, bob: Person, override: str, granted: str
) -> None:
    acme = make_organization(alice, members=(bob,))
    site = make_organization_project(acme, member_role=override)
    join(site, bob, Role.OWNER)

    assert short(project_members(person_caller(bob), "acme/site")) == [
        ("bob", "owner", "direct"),
        ("alice", "owner", "organization"),
        ("bob", granted, "organization"),
    ]


def test_the_list_of_many_members_takes_as_many_queries_as_that_of_few(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice)
    site = make_organization_project(acme)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            project_members(person_caller(alice), "acme/site")
            organization_members(person_caller(alice), "acme")
            list_organizations(person_caller(alice))
        return len(captured)

    queries()
    few = queries()
    for place in range(12):
        person = make_person(f"p{place}")
        join(site, person, Role.READER)
        acme.members.create(person=person, role=OrganizationRole.MEMBER)
        make_organization(alice, f"org{place}")

    assert queries() == few


def test_a_deactivated_member_is_marked(project: Project, alice: Person, bob: Person) -> None:
    Person.objects.filter(pk=bob.pk).update(is_active=False)

    active = {row.handle: row.active for row in project_members(person_caller(alice), "alice/shop")}

    assert active == {"alice": True, "bob": False, "carol": True, "rita": True}


def test_the_members_of_an_organization_owners_first(
    alice: Person, bob: Person, carol: Person, mallory: Person
) -> None:
    acme = make_organization(carol, members=(bob, alice))
    acme.members.create(person=make_person("zoe"), role=OrganizationRole.OWNER)

    rows = organization_members(person_caller(bob), "acme")

    assert [(row.handle, row.role.value) for row in rows] == [
        ("carol", "owner"), ("zoe", "owner"), ("alice", "member"), ("bob", "member"),
    ]  # fmt: skip
    assert "@" not in str(rows)
    with pytest.raises(NotFound):
        organization_members(person_caller(mallory), "acme")


def test_everybody_lists_their_own_organizations_with_their_role_there(
    alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, "zeta", members=(bob,))
    make_organization(bob, "beta")

    found = list_organizations(person_caller(bob))

    assert [(each.organization.handle, each.role.value, each.owns) for each in found] == [
        ("beta", "owner", True),
        ("zeta", "member", False),
    ]
    assert list_organizations(person_caller(mallory)) == []
    with pytest.raises(Denied):
        list_organizations(agent_caller(bob))


def test_the_door_to_an_organization_is_for_its_people(
    alice: Person, bob: Person, mallory: Person
) -> None:
    acme = make_organization(alice, members=(bob,))

    assert access_organization(person_caller(alice), " Acme ").organization == acme
    access_organization(person_caller(alice), "acme").require_owner()
    with pytest.raises(Denied) as lacking:
        access_organization(person_caller(bob), "acme").require_owner()
    assert lacking.value.details["missing"] == "manage"
    with pytest.raises(Denied) as agent:
        access_organization(agent_caller(alice), "acme")
    assert agent.value.details["missing"] == "person"
    answers = []
    for handle in ("acme", "nothing", "alice"):
        with pytest.raises(NotFound) as hidden:
            access_organization(person_caller(mallory), handle)
        answers.append(hidden.value.as_answer())
    assert answers.count(answers[0]) == 3
