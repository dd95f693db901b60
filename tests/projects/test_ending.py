"""Deleting a project, and bringing it back within 14 days."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from conderis.common.json import Json
from projects.access import access_project, visible_projects
from projects.capabilities import Role
from projects.ending import (
    GRACE,
    DeletedProject,
    delete_project,
    deleted_projects,
    ended_projects,
    restore_project,
)
from projects.models import KeyProject, Project
from projects.selectors import list_projects
from projects.services import create_project
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import NO_OWNERS, answer_to_strangers, refusal_of, refusals

pytestmark = pytest.mark.django_db


def delete(
    caller: Caller, project_id: str = "alice/shop", typed: Json = "alice/shop"
) -> DeletedProject:
    return delete_project(caller, project_id, typed_name=typed)


def set_deleted(project: Project, at: datetime) -> None:
    Project.objects.filter(pk=project.pk).update(deleted_at=at)


def test_a_deleted_project_is_gone_for_all_at_once(
    project: Project, alice: Person, mallory: Person
) -> None:
    Project.objects.update(is_public=True, remote="git.example/acme/shop")
    robo = agent_caller(alice, projects=[project])

    delete(person_caller(alice))

    people = [person_caller(person) for person in Person.objects.all()]
    for caller in [*people, robo]:
        for text in ("alice/shop", project.public_id, "git.example/acme/shop"):
            with pytest.raises(NotFound):
                access_project(caller, text)
        assert not visible_projects(caller).exists()
        assert list_projects(caller)["total"] == 0
    event = AuditEvent.objects.get()
    assert (event.action, event.project_id) == ("project.deleted", project.pk)


@pytest.mark.parametrize("typed", [None, "", "shop", "bob/shop", True])
def test_without_the_name_typed_it_stays(project: Project, alice: Person, typed: Json) -> None:
    with pytest.raises(Invalid) as refused:
        delete(person_caller(alice), typed=typed)

    assert refused.value.details["field"] == "typedName"
    assert access_project(person_caller(alice), "alice/shop").project == project
    assert not AuditEvent.objects.exists()


@pytest.mark.usefixtures("mallory")
def test_only_owners_delete_and_no_agent_does(project: Project) -> None:
    assert refusals(delete) == NO_OWNERS
    answer_to_strangers(delete, project)
    assert Project.objects.filter(deleted_at__isnull=True).count() == 1


def test_its_name_stays_taken_meanwhile(project: Project, alice: Person) -> None:
    delete(person_caller(alice))

    with pytest.raises(Conflict, match="deleted less than 14 days ago"):
        create_project(person_caller(alice), fields={"name": "shop"})


def test_an_owner_brings_it_back_as_it_was(project: Project, alice: Person, bob: Person) -> None:
    robo = agent_caller(alice, projects=[project])
    delete(person_caller(alice))
    assert KeyProject.objects.count() == 1

    restore_project(person_caller(alice), project_id=project.public_id)

    assert access_project(person_caller(bob), "alice/shop").role == Role.CONTRIBUTOR
    assert access_project(robo, "alice/shop").role == Role.OWNER
    assert AuditEvent.objects.latest("pk").action == "project.restored"
    assert deleted_projects(person_caller(alice)) == []


def test_nobody_else_brings_it_back_or_learns_that_it_was_there(
    project: Project, alice: Person, mallory: Person
) -> None:
    Project.objects.update(is_public=True)
    delete(person_caller(alice))

    def restore(caller: Caller, project_id: str = project.public_id) -> object:
        return restore_project(caller, project_id=project_id)

    assert refusals(restore) == dict.fromkeys(NO_OWNERS, "not_found") | {"robo": "denied person"}
    answers = []
    for project_id in (project.public_id, "zzzzzzzzzzzz"):
        with pytest.raises(NotFound) as refused:
            restore(person_caller(mallory), project_id)
        answers.append(refused.value.as_answer())
    assert answers[0] == answers[1]


def test_what_is_not_deleted_is_not_brought_back(project: Project, alice: Person) -> None:
    def call(who: Caller) -> object:
        return restore_project(who, project_id=project.public_id)

    assert refusal_of(call, person_caller(alice)) == "not_found"


def test_after_14_days_it_is_ended_and_not_brought_back(project: Project, alice: Person) -> None:
    now = timezone.now()
    other = make_project(alice, "other")
    set_deleted(project, now - GRACE + timedelta(minutes=1))
    assert not ended_projects(now).exists()
    assert len(deleted_projects(person_caller(alice))) == 1

    set_deleted(project, now - GRACE)

    assert list(ended_projects(now)) == [project]
    assert deleted_projects(person_caller(alice)) == []
    with pytest.raises(NotFound):
        restore_project(person_caller(alice), project_id=project.public_id)
    assert other not in ended_projects(now + GRACE * 100)


def test_owners_list_what_they_can_bring_back_the_latest_first(
    project: Project, alice: Person, bob: Person
) -> None:
    now = timezone.now()
    acme = make_organization(alice, members=(bob,))
    site = make_organization_project(acme, "Site")
    for place, each in enumerate((project, site)):
        set_deleted(each, now - timedelta(days=2 - place))
    make_project(bob, "mine")

    assert deleted_projects(person_caller(alice)) == [
        DeletedProject(site.public_id, "acme/Site", now - timedelta(days=1),
                       now + timedelta(days=13)),
        DeletedProject(project.public_id, "alice/shop", now - timedelta(days=2),
                       now + timedelta(days=12)),
    ]  # fmt: skip
    assert deleted_projects(person_caller(bob)) == []
    with pytest.raises(Denied):
        deleted_projects(agent_caller(alice))


def test_a_direct_owner_lists_and_brings_back_too(project: Project, alice: Person) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)
    made = delete(person_caller(dora))

    assert deleted_projects(person_caller(dora)) == [made]
    restore_project(person_caller(dora), project_id=made.project_id)

    assert access_project(person_caller(alice), "alice/shop").project == project


def test_the_list_of_many_deleted_ones_takes_one_query(alice: Person) -> None:
    for place in range(12):
        make_project(alice, f"p{place}", deleted_at=timezone.now())

    with CaptureQueriesContext(connection) as captured:
        assert len(deleted_projects(person_caller(alice))) == 12

    assert len(captured) == 1
