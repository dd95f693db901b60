"""Names of projects: former ones answer on and stay their owner's."""

import pytest

from conderis.accounts.models import Person
from projects.access import access_project
from projects.models import Project, ProjectPath
from projects.services import create_project, store_project
from tests.factories import make_project, person_caller
from tests.projects.calls import refusal

pytestmark = pytest.mark.django_db


def test_a_renamed_project_answers_under_both_names_and_keeps_its_id(
    project: Project, alice: Person
) -> None:
    answer = store_project(person_caller(alice), project_id="alice/shop", fields={"name": "Store"})

    assert answer == {
        "outcome": "published",
        "projectId": project.public_id,
        "name": "alice/Store",
    }
    for text in ("alice/shop", "alice/store", project.public_id):
        assert access_project(person_caller(alice), text).project.full_name == "alice/Store"


def test_a_name_in_another_case_is_a_change_and_no_conflict(
    project: Project, alice: Person
) -> None:
    answer = store_project(person_caller(alice), project_id="alice/shop", fields={"name": "SHOP"})

    assert (answer["outcome"], answer["name"]) == ("published", "alice/SHOP")


def test_a_former_name_is_taken_again_by_its_former_owner_and_then_answers_anew(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    store_project(caller, project_id="alice/shop", fields={"name": "store"})

    again = create_project(caller, fields={"name": "shop"})

    assert access_project(caller, "alice/shop").project == again
    assert access_project(caller, "alice/store").project == project
    assert refusal(caller, "alice/store", {"name": "shop"})["error"] == "conflict"


def test_a_project_takes_its_own_former_name_back(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    for name in ("store", "shop"):
        store_project(caller, project_id=project.public_id, fields={"name": name})

    assert access_project(caller, "alice/store").project.full_name == "alice/shop"


def test_a_former_name_of_another_owner_is_not_given_away(
    project: Project, alice: Person, bob: Person
) -> None:
    ProjectPath.objects.create(path="bob/once", project=project)

    assert refusal(person_caller(bob), None, {"name": "once"})["error"] == "conflict"
    assert access_project(person_caller(alice), "bob/once").project == project


def test_a_rename_to_a_taken_name_is_a_conflict(project: Project, alice: Person) -> None:
    make_project(alice, "other")

    refused = refusal(person_caller(alice), "alice/shop", {"name": "Other", "description": "x"})

    assert (refused["error"], refused["name"]) == ("conflict", "alice/Other")


def test_a_name_cannot_be_cleared(project: Project, alice: Person) -> None:
    assert refusal(person_caller(alice), "alice/shop", {"name": None})["field"] == "name"
