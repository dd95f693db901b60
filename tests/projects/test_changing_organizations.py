"""Changing and ending organizations: name, handle, default role; old names answer on."""

import pytest
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Handle, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound, TooLarge
from conderis.common.json import Json, JsonObject
from projects.access import access_project
from projects.capabilities import Role
from projects.models import Organization, OrganizationMember, Project, ProjectPath
from projects.organizations import (
    access_organization,
    change_organization,
    create_organization,
    delete_organization,
    set_organization_member,
)
from projects.services import change_project, create_project
from tests.factories import agent_caller, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    return make_organization(alice, members=(bob,))


def change(caller: Caller, fields: JsonObject, handle: str = "acme") -> tuple[str, ...]:
    return change_organization(caller, handle=handle, fields=fields).changed


def state() -> object:
    return (
        list(Organization.objects.values()),
        list(Project.objects.order_by("pk").values()),
        list(ProjectPath.objects.order_by("path").values()),
        list(Handle.objects.order_by("name").values()),
        AuditEvent.objects.count(),
    )


def refused(caller: Caller, fields: JsonObject) -> DomainError:
    """The refusal of a change, which has changed nothing."""
    before = state()
    with pytest.raises(DomainError) as found:
        change(caller, fields)
    assert state() == before
    return found.value


def test_an_owner_changes_name_and_default_role(
    acme: Organization, alice: Person, bob: Person
) -> None:
    make_organization_project(acme)

    changed = change(person_caller(alice), {"name": " Acme Works ", "memberRole": "moderator"})

    acme.refresh_from_db()
    event = AuditEvent.objects.get()
    assert changed == ("name", "memberRole")
    assert acme.name == "Acme Works"
    assert access_project(person_caller(bob), "acme/site").role == Role.MODERATOR
    assert (event.action, event.organization_id, event.detail) == (
        "organization.changed",
        acme.pk,
        {"fields": ["memberRole", "name"], "memberRole": "moderator"},
    )


def test_what_stands_already_changes_nothing_and_leaves_no_event(
    acme: Organization, alice: Person
) -> None:
    fields: JsonObject = {"name": "Acme", "handle": "acme", "memberRole": "contributor"}

    assert change(person_caller(alice), fields) == ()
    assert change(person_caller(alice), {}) == ()
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize(("fields", "refusal", "field"), [
    ({"name": ""}, Invalid, "name"),
    ({"name": None}, Invalid, "name"),
    ({"name": "x" * 81}, TooLarge, "name"),
    ({"name": "a\nb"}, Invalid, "name"),
    ({"handle": "Acme!"}, Invalid, "handle"),
    ({"handle": None}, Invalid, "handle"),
    ({"handle": "projects"}, Invalid, "handle"),
    ({"handle": "bob"}, Conflict, "handle"),
    ({"memberRole": "boss"}, Invalid, "memberRole"),
    ({"memberRole": None}, Invalid, "memberRole"),
    ({"memberRole": ["owner"]}, Invalid, "memberRole"),
    ({"member_role": "owner"}, Invalid, "member_role"),
    ({"name": "New", "handle": "bob"}, Conflict, "handle"),
])  # fmt: skip
def test_a_value_that_is_not_allowed_is_refused_by_its_field_and_changes_nothing(
    acme: Organization, alice: Person, fields: JsonObject, refusal: type, field: Json
) -> None:
    found = refused(person_caller(alice), fields)

    assert isinstance(found, refusal)
    assert found.details["field"] == field


def test_only_owners_change_it_and_strangers_find_none(
    acme: Organization, alice: Person, bob: Person, mallory: Person
) -> None:
    for caller, refusal in (
        (person_caller(bob), Denied),
        (agent_caller(alice), Denied),
        (person_caller(mallory), NotFound),
    ):
        assert isinstance(refused(caller, {"name": "Mine"}), refusal)
        with pytest.raises(refusal):
            delete_organization(caller, handle="acme")
    assert Organization.objects.count() == 1


def test_under_another_handle_every_project_answers_by_both_names(
    acme: Organization, alice: Person, bob: Person
) -> None:
    for name in ("site", "Shop"):
        make_organization_project(acme, name)
    gone = make_organization_project(acme, "gone", deleted_at=timezone.now())
    caller = person_caller(alice)
    change_project(caller, "acme/site", fields={"name": "web"})

    assert change(caller, {"handle": "apex"}) == ("handle",)

    for text in ("apex/web", "acme/web", "acme/site"):
        assert access_project(person_caller(bob), text).project.full_name == "apex/web"
    assert access_project(person_caller(bob), "acme/shop").project.full_name == "apex/Shop"
    gone.refresh_from_db()
    assert gone.path == "apex/gone"
    assert create_project(caller, fields={"name": "new", "owner": "apex"}).path == "apex/new"


def test_the_old_handle_stays_held_and_leads_to_the_organization(
    acme: Organization, alice: Person, bob: Person, mallory: Person
) -> None:
    caller = person_caller(alice)
    change(caller, {"handle": "apex"})

    with pytest.raises(Conflict):
        create_organization(person_caller(mallory), handle="acme", name="", owner="mallory")
    assert access_organization(person_caller(bob), "acme").organization.handle == "apex"
    set_organization_member(caller, handle="acme", person="bob", role="owner")
    assert OrganizationMember.objects.get(person=bob).role == "owner"
    with pytest.raises(NotFound):
        access_organization(person_caller(mallory), "acme")

    assert change(caller, {"handle": "acme"}, "apex") == ("handle",)
    assert access_organization(person_caller(bob), "apex").organization.handle == "acme"


def test_a_name_that_another_project_has_under_the_new_handle_is_a_conflict(
    acme: Organization, alice: Person, mallory: Person
) -> None:
    make_organization_project(acme)
    Handle.objects.create(name="apex", holder=acme.ref)
    ProjectPath.objects.create(path="apex/site", project=make_project(mallory, "other"))

    assert isinstance(refused(person_caller(alice), {"handle": "apex"}), Conflict)


def test_an_organization_without_projects_ends_and_its_handle_stays_held(
    acme: Organization, alice: Person, mallory: Person
) -> None:
    delete_organization(person_caller(alice), handle="acme")

    event = AuditEvent.objects.get()
    assert (event.action, event.subject, event.organization_id) == (
        "organization.deleted", acme.ref, acme.pk,
    )  # fmt: skip
    assert not Organization.objects.exists()
    assert not OrganizationMember.objects.exists()
    with pytest.raises(NotFound):
        access_organization(person_caller(alice), "acme")
    with pytest.raises(Conflict):
        create_organization(person_caller(mallory), handle="acme", name="", owner="mallory")


@pytest.mark.parametrize("when", ["there", "deleted"])
def test_an_organization_with_a_project_stays_also_while_it_can_be_brought_back(
    acme: Organization, alice: Person, when: str
) -> None:
    make_organization_project(acme, deleted_at=timezone.now() if when == "deleted" else None)

    with pytest.raises(Conflict, match="still has projects"):
        delete_organization(person_caller(alice), handle="acme")

    assert Organization.objects.count() == 1
    assert not AuditEvent.objects.exists()
