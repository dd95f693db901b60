"""Creating projects."""

import pytest
from django.db import IntegrityError
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Scope
from conderis.common.errors import NotFound
from conderis.common.json import Json
from projects import names
from projects.access import access_project
from projects.models import Project
from projects.services import create_project, store_project
from tests.factories import agent_caller, person_caller
from tests.projects.calls import refusal
from tests.projects.making import make_organization

pytestmark = pytest.mark.django_db


def test_a_new_project_is_private_and_its_creators(alice: Person) -> None:
    answer = store_project(
        person_caller(alice),
        project_id=None,
        fields={
            "name": "My.Shop",
            "description": "Sells\r\nthings",
            "remote": "git@GitHub.com:Acme/Shop.git",
            "recallMode": "grouped",
        },
    )

    made = Project.objects.get()
    assert answer == {
        "outcome": "published",
        "projectId": made.public_id,
        "name": "alice/My.Shop",
    }
    assert (made.owner_person, made.is_public, made.path) == (alice, False, "alice/my.shop")
    assert (made.description, made.remote) == ("Sells\nthings", "github.com/Acme/Shop")
    assert (made.recall_mode, made.remote_verified) == ("grouped", False)
    assert access_project(person_caller(alice), "alice/MY.shop").project == made


@pytest.mark.parametrize("name", ["a", "A", "9", "-", "_", ".a", "a..b", "x" * 100, " shop "])
def test_a_name_may_be_letters_digits_hyphens_underscores_and_dots(
    alice: Person, name: str
) -> None:
    assert create_project(person_caller(alice), fields={"name": name}).name == name.strip()


@pytest.mark.parametrize(
    "name",
    [
        *["", " ", ".", "..", "...", "a b", "a/b", "/", "ä", "a\nb", "a\x00", "a#1", "a:b", "@a"],
        *[None, 12, True, ["a"], {"a": 1}, "x" * 101, "%41"],
    ],
)
def test_another_name_is_refused_naming_what_is_allowed(alice: Person, name: Json) -> None:
    refused = refusal(person_caller(alice), None, {"name": name})

    assert refused["field"] == "name"
    assert refused["error"] in {"invalid", "too_large"}


def test_a_name_with_an_owner_in_it_is_refused_with_the_way(alice: Person) -> None:
    refused = refusal(person_caller(alice), None, {"name": "acme/shop"})

    assert "owner" in refused["message"]


def test_a_new_project_needs_a_name(alice: Person) -> None:
    refused = refusal(person_caller(alice), None, {"description": "x"})

    assert refused["field"] == "name"
    assert "owner" in refused["allowed"]


@pytest.mark.parametrize("again", ["shop", "SHOP"])
def test_a_taken_name_is_a_conflict_that_names_it(
    project: Project, alice: Person, again: str
) -> None:
    refused = refusal(person_caller(alice), None, {"name": again})

    assert refused["error"] == "conflict"
    assert refused["name"] == f"alice/{again}"


def test_two_people_can_have_projects_of_one_name(project: Project, bob: Person) -> None:
    assert create_project(person_caller(bob), fields={"name": "shop"}).full_name == "bob/shop"


def test_the_name_of_a_deleted_project_stays_taken(project: Project, alice: Person) -> None:
    Project.objects.filter(pk=project.pk).update(deleted_at=timezone.now())

    assert refusal(person_caller(alice), None, {"name": "shop"})["error"] == "conflict"


def test_a_fault_of_the_database_is_not_taken_for_a_taken_name(alice: Person) -> None:
    broken = Project(name="x")  # no owner: a constraint of another kind

    with pytest.raises(IntegrityError):
        names.save_under(broken, owner_handle="alice", name="x")


def test_ones_own_handle_as_owner_is_oneself(alice: Person) -> None:
    made = create_project(person_caller(alice), fields={"name": "a", "owner": "Alice"})

    assert made.owner_person == alice


def test_an_owner_of_an_organization_creates_its_projects(alice: Person) -> None:
    acme = make_organization(alice)

    made = create_project(agent_caller(alice), fields={"name": "site", "owner": "acme"})

    assert (made.owner_organization, made.owner_person, made.full_name) == (acme, None, "acme/site")


def test_others_create_nothing_in_an_organization_and_learn_nothing_of_it(
    alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, members=(bob,))

    member = refusal(person_caller(bob), None, {"name": "site", "owner": "acme"})
    stranger = refusal(person_caller(mallory), None, {"name": "site", "owner": "acme"})
    missing = refusal(person_caller(mallory), None, {"name": "site", "owner": "nobody"})
    person = refusal(person_caller(mallory), None, {"name": "site", "owner": "alice"})

    assert (member["error"], member["missing"]) == ("denied", "manage")
    assert stranger["error"] == "not_found"
    assert stranger == missing == person
    assert stranger["allowed"] == ["mallory"]


def test_a_key_creates_projects_even_when_its_changes_are_always_reviewed(alice: Person) -> None:
    made = create_project(agent_caller(alice, always_review=True), fields={"name": "a"})

    assert made.owner_person == alice


def test_a_key_without_write_or_for_chosen_projects_creates_none(
    project: Project, alice: Person
) -> None:
    reader = agent_caller(alice, scopes=frozenset({Scope.READ, Scope.REVIEW, Scope.DELETE}))
    chosen = agent_caller(alice, projects=[project])

    assert refusal(reader, None, {"name": "a"})["missing"] == "write"
    assert refusal(chosen, None, {"name": "a"})["missing"] == "all projects"


def test_an_account_that_was_shut_or_deleted_at_this_very_moment_gets_no_project(
    alice: Person,
) -> None:
    caller = person_caller(alice)
    for ended in ({"is_active": False}, {"is_active": False, "left_at": alice.created}):
        Person.objects.filter(pk=alice.pk).update(**ended)

        with pytest.raises(NotFound):
            create_project(caller, fields={"name": "shop"})

    assert not Project.objects.exists()
