"""A person takes another handle; what stood under the old one is still found."""

import pytest

from conderis.accounts.models import AuditEvent, Handle, Person
from conderis.common.errors import Conflict, Denied, Invalid
from projects.access import access_project
from projects.models import Project
from projects.renaming import change_handle
from tests.factories import agent_caller, make_project, person_caller


def test_projects_answer_under_the_new_name_and_the_old_one(
    project: Project, alice: Person, bob: Person
) -> None:
    make_project(alice, "garden")

    assert change_handle(person_caller(alice), handle="alicia")

    for name in ("alice/shop", "alicia/shop"):
        assert access_project(person_caller(bob), name).project.full_name == "alicia/shop"
    assert access_project(person_caller(alice), "alice/garden").project.path == "alicia/garden"
    assert AuditEvent.objects.filter(action="person.renamed", subject=alice.ref).count() == 1


def test_the_old_handle_is_kept_and_can_be_taken_back(
    project: Project, alice: Person, bob: Person
) -> None:
    change_handle(person_caller(alice), handle="alicia")

    with pytest.raises(Conflict):
        change_handle(person_caller(bob), handle="alice")
    assert change_handle(person_caller(alice), handle="alice")
    assert access_project(person_caller(bob), "alicia/shop").project.full_name == "alice/shop"


def test_the_same_handle_changes_nothing(project: Project, alice: Person) -> None:
    handles = Handle.objects.count()

    assert not change_handle(person_caller(alice), handle="alice")

    assert Handle.objects.count() == handles
    assert not AuditEvent.objects.filter(action="person.renamed").exists()


@pytest.mark.parametrize("handle", ["bob", "settings", "Not a handle", ""])
def test_a_handle_that_cannot_be_is_refused_and_nothing_changes(
    project: Project, alice: Person, bob: Person, handle: str
) -> None:
    with pytest.raises((Conflict, Invalid)) as refused:
        change_handle(person_caller(alice), handle=handle)

    assert refused.value.details["field"] == "handle"
    assert Person.objects.get(pk=alice.pk).handle == "alice"
    assert Project.objects.get(pk=project.pk).path == "alice/shop"


def test_no_agent_renames_its_person(alice: Person) -> None:
    with pytest.raises(Denied):
        change_handle(agent_caller(alice), handle="alicia")
