"""Transfers: to whom, by whom, what the old and the new owner have, and the names."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role
from projects.models import Organization, Project, ProjectPath
from projects.services import create_project
from projects.transfer import may_transfer, transfer_project, transfer_targets
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import answer_to_strangers, refusal_of, refusals

pytestmark = pytest.mark.django_db

ONLY_THE_OWNER = {
    "carol": "denied manage",
    "bob": "denied manage",
    "rita": "denied manage",
    "mallory": "not_found",
    "robo": "denied person",
}


def role(person: Person, project_id: str) -> Role | None:
    return access_project(person_caller(person), project_id).role


def test_a_person_gives_a_project_to_an_organization_of_theirs(
    project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    acme = make_organization(alice, members=(mallory,))

    moved = transfer_project(person_caller(alice), "alice/shop", owner=" Acme ")

    event = AuditEvent.objects.get()
    assert (moved.full_name, moved.owner_person, moved.owner_organization) == (
        "acme/shop", None, acme,
    )  # fmt: skip
    for text in ("alice/shop", "acme/shop", project.public_id):
        assert access_project(person_caller(bob), text).project == project
    assert role(mallory, "acme/shop") == Role.CONTRIBUTOR
    assert project.members.get(person=alice).role == Role.OWNER
    assert (event.action, event.project_id, event.organization_id, event.detail) == (
        "project.transferred", project.pk, acme.pk, {"former": alice.ref, "owner": acme.ref},
    )  # fmt: skip


def test_a_person_gives_a_project_to_a_direct_owner_and_stays_one(
    project: Project, alice: Person, bob: Person
) -> None:
    project.members.filter(person=bob).update(role=Role.OWNER)

    moved = transfer_project(person_caller(alice), "alice/shop", owner="bob")

    assert (moved.full_name, moved.owner_person) == ("bob/shop", bob)
    assert dict(project.members.values_list("person__handle", "role")) == {
        "alice": "owner", "carol": "moderator", "rita": "reader",
    }  # fmt: skip
    assert (role(alice, "alice/shop"), role(bob, "bob/shop")) == (Role.OWNER, Role.OWNER)


def test_a_project_that_leaves_an_organization_leaves_its_members_behind(
    alice: Person, bob: Person, carol: Person
) -> None:
    acme = make_organization(alice, members=(bob,))
    site = make_organization_project(acme, member_role=Role.MODERATOR)
    join(site, carol, Role.OWNER)

    transfer_project(person_caller(alice), "acme/site", owner="carol")

    site.refresh_from_db()
    assert (site.path, site.owner_person, site.member_role) == ("carol/site", carol, "")
    for person in (alice, bob):
        with pytest.raises(NotFound):
            role(person, "acme/site")
    events = AuditEvent.objects.order_by("pk")
    assert [(event.action, event.organization_id) for event in events] == [
        ("project.transferred", None),
        ("organization.project_left", acme.pk),
    ]


def test_a_project_moves_between_two_organizations_of_one_owner(alice: Person) -> None:
    acme, apex = make_organization(alice), make_organization(alice, "apex")
    make_organization_project(acme, member_role=Role.OWNER)

    moved = transfer_project(person_caller(alice), "acme/site", owner="apex")

    assert (moved.path, moved.owner_organization, moved.member_role) == ("apex/site", apex, "")
    assert not moved.members.exists()


def test_only_the_person_that_it_belongs_to_transfers_it_not_an_owner_by_role(
    project: Project, alice: Person, mallory: Person
) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    make_organization(dora)

    def take(caller: Caller, project_id: str = "alice/shop") -> object:
        return transfer_project(caller, project_id, owner="dora")

    assert refusals(take) == ONLY_THE_OWNER
    answer_to_strangers(take, project)
    for owner in ("dora", "acme"):
        with pytest.raises(Denied) as refused:
            transfer_project(person_caller(dora), "alice/shop", owner=owner)
        assert refused.value.details["missing"] == "ownership"
    assert [may_transfer(person_caller(who), "alice/shop") for who in (alice, dora)] == [
        True,
        False,
    ]
    assert not may_transfer(agent_caller(alice), "alice/shop")


def test_only_owners_of_the_organization_transfer_its_projects(alice: Person, bob: Person) -> None:
    acme = make_organization(alice, members=(bob,), member_role=Role.OWNER)
    make_organization_project(acme)
    make_organization(bob, "bobs")

    def call(who: Caller) -> object:
        return transfer_project(who, "acme/site", owner="bobs")

    assert refusal_of(call, person_caller(bob)) == "denied ownership"
    assert refusal_of(call, agent_caller(alice)) == "denied person"


@pytest.mark.parametrize("owner", ["bob", "mallory", "nobody-here", "others", "theirs", "", "@"])
def test_who_has_not_agreed_receives_nothing_and_the_refusal_names_who_could(
    project: Project, alice: Person, bob: Person, mallory: Person, owner: str
) -> None:
    make_organization(mallory, "others")
    make_organization(mallory, "theirs", members=(alice,))
    make_organization(alice, "mine")
    join(project, make_person("dora"), Role.OWNER)
    join(project, make_person("gone", is_active=False), Role.OWNER)

    with pytest.raises(Invalid) as refused:
        transfer_project(person_caller(alice), "alice/shop", owner=owner)

    assert refused.value.details["field"] == "owner"
    assert refused.value.details["allowed"] == ["mine", "dora"]
    assert not AuditEvent.objects.exists()


def test_the_targets_are_own_organizations_and_direct_owners(
    project: Project, alice: Person
) -> None:
    make_organization(alice)
    join(project, make_person("dora"), Role.OWNER)

    targets = transfer_targets(person_caller(alice), "alice/shop")

    assert [(each.handle, each.name, each.is_organization) for each in targets] == [
        ("acme", "Acme", True), ("dora", "Dora", False),
    ]  # fmt: skip
    transfer_project(person_caller(alice), "alice/shop", owner="acme")
    assert [each.handle for each in transfer_targets(person_caller(alice), "acme/shop")] == [
        "alice", "dora",
    ]  # fmt: skip


def test_a_name_that_the_new_owner_uses_is_a_conflict_and_changes_nothing(
    project: Project, alice: Person
) -> None:
    acme = make_organization(alice)
    make_organization_project(acme, "SHOP")

    with pytest.raises(Conflict) as refused:
        transfer_project(person_caller(alice), "alice/shop", owner="acme")

    project.refresh_from_db()
    assert refused.value.details["name"] == "acme/shop"
    assert (project.path, project.owner_person) == ("alice/shop", alice)
    assert not project.members.filter(person=alice).exists()
    assert ProjectPath.objects.get(path="alice/shop").project == project


def test_a_transfer_to_the_owner_that_it_has_changes_nothing(
    project: Project, alice: Person
) -> None:
    transfer_project(person_caller(alice), "alice/shop", owner="alice")

    assert not AuditEvent.objects.exists()
    assert not project.members.filter(person=alice).exists()


def test_a_project_comes_back_under_its_old_name(project: Project, alice: Person) -> None:
    make_organization(alice)
    caller = person_caller(alice)
    transfer_project(caller, "alice/shop", owner="acme")
    with pytest.raises(Conflict):
        create_project(caller, fields={"name": "shop"})

    back = transfer_project(caller, "acme/shop", owner="alice")

    assert (back.path, back.owner_person) == ("alice/shop", alice)
    assert access_project(caller, "acme/shop").project == project
    assert not project.members.filter(person=alice).exists()


def test_a_key_for_chosen_projects_keeps_the_project(project: Project, alice: Person) -> None:
    make_organization(alice)
    make_project(alice, "other")
    robo = agent_caller(alice, projects=[project])

    transfer_project(person_caller(alice), "alice/shop", owner="acme")

    assert access_project(robo, "acme/shop").project == project
    assert OrganizationRole.OWNER in project.members.values_list("role", flat=True)


def test_an_owner_of_the_organization_takes_its_project_over_without_a_role_of_her_own(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,))
    acme.members.create(person=make_person("dora"), role=OrganizationRole.OWNER)
    site = make_organization_project(acme)
    caller = person_caller(alice)

    targets = [each.handle for each in transfer_targets(caller, "acme/site")]
    moved = transfer_project(caller, "acme/site", owner=" Alice ")

    assert targets == ["alice"]
    assert (moved.full_name, moved.owner_person) == ("alice/site", alice)
    assert access_project(caller, "acme/site").project == site
    assert not site.members.exists()


def test_an_owner_of_the_organization_is_listed_once_where_she_has_a_role_too(
    alice: Person,
) -> None:
    site = make_organization_project(make_organization(alice))
    join(site, alice, Role.OWNER)
    join(site, make_person("abel"), Role.OWNER)

    targets = transfer_targets(person_caller(alice), "acme/site")

    assert [each.handle for each in targets] == ["abel", "alice"]


@pytest.mark.parametrize("owner", ["bob", "dora"])
def test_other_people_of_the_organization_have_not_agreed_to_receive_its_project(
    alice: Person, bob: Person, owner: str
) -> None:
    acme = make_organization(alice, members=(bob,))
    acme.members.create(person=make_person("dora"), role=OrganizationRole.OWNER)
    make_organization_project(acme)

    with pytest.raises(Invalid) as refused:
        transfer_project(person_caller(alice), "acme/site", owner=owner)

    assert refused.value.details["allowed"] == ["alice"]


def test_who_has_deleted_the_account_receives_nothing(project: Project, alice: Person) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    Person.objects.filter(pk=dora.pk).update(left_at=dora.created)

    with pytest.raises(Invalid) as refused:
        transfer_project(person_caller(alice), "alice/shop", owner="dora")

    assert refused.value.details["allowed"] == []
    assert transfer_targets(person_caller(alice), "alice/shop") == []


def test_organizations_are_locked_before_the_project_and_people_after_it(alice: Person) -> None:
    if not connection.features.has_select_for_update:
        pytest.skip("this database locks no rows")
    for handle in ("acme", "apex"):
        make_organization(alice, handle)
    make_organization_project(Organization.objects.get(handle="acme"))
    caller = person_caller(alice)

    with CaptureQueriesContext(connection) as between:
        transfer_project(caller, "acme/site", owner="apex")
    with CaptureQueriesContext(connection) as to_a_person:
        transfer_project(caller, "apex/site", owner="alice")

    first = ["projects_organization", "projects_project"]
    assert locked_tables(between)[:2] == first
    assert locked_tables(to_a_person)[:3] == [*first, "accounts_person"]


def locked_tables(queries: CaptureQueriesContext) -> list[str]:
    """The tables whose rows were locked, in turn."""
    locks = [each["sql"] for each in queries if " FOR NO KEY UPDATE" in each["sql"]]
    named = (
        re.search(r'UPDATE OF "(\w+)"', sql) or re.search(r'FROM "(\w+)"', sql) for sql in locks
    )
    return [match[1] for match in named if match]
