"""Ending a direct role: owners for others, everybody for themselves."""

import pytest

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, NotFound
from projects.access import access_project
from projects.capabilities import Role
from projects.members import remove_member
from projects.models import Project, ProjectMember
from tests.factories import agent_caller, join, make_person, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import answer_to_strangers, refusal_of, refusals

pytestmark = pytest.mark.django_db


def members(project: Project) -> set[str]:
    return set(project.members.values_list("person__handle", flat=True))


def remove(caller: Caller, project_id: str = "alice/shop", handle: str = "bob") -> None:
    remove_member(caller, project_id=project_id, handle=handle)


def test_an_owner_removes_a_member_who_then_finds_nothing(
    project: Project, alice: Person, bob: Person
) -> None:
    remove(person_caller(alice))

    event = AuditEvent.objects.get()
    assert (event.action, event.subject, event.project_id, event.detail) == (
        "member.removed", bob.ref, project.pk, {"role": "contributor"},
    )  # fmt: skip
    for caller in (person_caller(bob), agent_caller(bob)):
        with pytest.raises(NotFound):
            access_project(caller, "alice/shop")


def test_nobody_but_owners_removes_others(project: Project, bob: Person, mallory: Person) -> None:
    join(project, make_person("dora"), Role.READER)

    assert refusals(lambda who: remove(who, handle="dora")) == {
        "carol": "denied manage",
        "bob": "denied manage",
        "rita": "denied manage",
        "mallory": "not_found",
        "robo": "denied person",
    }
    answer_to_strangers(remove, project)
    assert members(project) == {"carol", "bob", "rita", "dora"}


@pytest.mark.parametrize("handle", ["carol", "bob", "rita"])
def test_everybody_may_leave_and_no_agent_leaves_for_them(project: Project, handle: str) -> None:
    person = Person.objects.get(handle=handle)

    assert refusal_of(lambda who: remove(who, handle=handle), agent_caller(person)) == (
        "denied person"
    )
    remove(person_caller(person), handle=handle)

    assert handle not in members(project)
    assert AuditEvent.objects.get().person_id == person.pk


def test_the_person_who_owns_the_project_stays(project: Project, alice: Person) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)

    for actor in (person_caller(alice), person_caller(dora), Operator()):
        with pytest.raises(Conflict, match="stays its owner"):
            remove_member(actor, project_id="alice/shop", handle="alice")
    assert not AuditEvent.objects.exists()


def test_who_has_no_direct_role_is_not_found(
    project: Project, alice: Person, mallory: Person
) -> None:
    Project.objects.update(is_public=True)

    for actor, handle in (
        (person_caller(alice), "mallory"),
        (person_caller(alice), "nobody-here"),
        (person_caller(mallory), "mallory"),
    ):
        with pytest.raises(NotFound) as refused:
            remove_member(actor, project_id="alice/shop", handle=handle)
        assert refused.value.details["field"] == "handle"


def test_what_the_organization_gives_stays_when_a_direct_role_ends(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,), member_role=Role.READER)
    site = make_organization_project(acme)
    join(site, bob, Role.MODERATOR)
    caller = person_caller(bob)
    assert access_project(caller, "acme/site").role == Role.MODERATOR

    remove(caller, "acme/site")

    assert access_project(caller, "acme/site").role == Role.READER
    assert AuditEvent.objects.get().organization_id == acme.pk
    with pytest.raises(NotFound):
        remove(caller, "acme/site")


def test_the_operator_removes_members(project: Project) -> None:
    remove_member(Operator(), project_id="ALICE/shop", handle="bob")

    assert members(project) == {"carol", "rita"}
    assert ProjectMember.objects.count() == 2
