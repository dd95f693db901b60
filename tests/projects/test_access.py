"""The door: which project a text names, and that hidden ones do not exist."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.models import Person
from conderis.common.errors import Denied, DomainError, NotFound, TooLarge
from conderis.common.json import Json, JsonObject
from projects.access import access_project, visible_projects
from projects.capabilities import Role, Use
from projects.models import Project, ProjectMember, ProjectPath
from tests.factories import agent_caller, join, make_project, person_caller

pytestmark = pytest.mark.django_db


def found(person: Person, project_id: str) -> Project:
    return access_project(person_caller(person), project_id).project


def refusal(person: Person, project_id: Json, use: Use = Use.READ) -> JsonObject:
    with pytest.raises(DomainError) as refused:
        access_project(person_caller(person), project_id, use=use)
    return refused.value.as_answer()


def test_a_project_is_found_by_its_id_and_by_owner_and_name_in_any_case(
    project: Project, alice: Person
) -> None:
    for text in (project.public_id, project.public_id.upper(), "alice/shop", " Alice/SHOP\n"):
        assert found(alice, text) == project


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/Acme/Shop.git",
        "git@GitHub.com:acme/shop",
        "ssh://git@github.com:22/ACME/shop/",
        "github.com/acme/shop",
    ],
)
def test_a_project_is_found_by_any_spelling_of_its_remote(
    project: Project, alice: Person, text: str
) -> None:
    Project.objects.filter(pk=project.pk).update(remote="github.com/Acme/Shop")

    assert found(alice, text) == project


def test_a_former_name_answers_on(project: Project, alice: Person) -> None:
    ProjectPath.objects.create(path="alice/store", project=project)

    assert found(alice, "alice/store") == project


def test_owner_and_name_go_before_a_remote(alice: Person) -> None:
    named = make_project(alice, "shop")
    make_project(alice, "other", remote="alice/shop")

    assert found(alice, "alice/shop") == named


def test_a_hidden_name_is_not_taken_for_a_remote(project: Project, mallory: Person) -> None:
    make_project(mallory, "trap", remote="alice/shop")

    assert refusal(mallory, "alice/shop")["error"] == "not_found"
    assert found(mallory, "https://alice/shop").name == "trap"


def test_a_remote_of_several_projects_is_refused_with_those_that_the_caller_may_read(
    alice: Person, bob: Person
) -> None:
    for name in ("Zoo", "ant"):
        make_project(alice, name, remote="github.com/acme/shop")
    hidden = make_project(bob, "hidden", remote="github.com/acme/shop")

    refused = refusal(alice, "git@github.com:acme/shop.git")

    assert refused["error"] == "invalid"
    assert refused["allowed"] == ["alice/ant", "alice/Zoo"]
    assert found(bob, "git@github.com:acme/shop.git") == hidden


def test_remotes_that_differ_in_case_are_told_apart_by_the_exact_spelling(alice: Person) -> None:
    upper = make_project(alice, "upper", remote="git.example/o/Shop")
    lower = make_project(alice, "lower", remote="git.example/o/shop")

    assert found(alice, "git.example/o/Shop") == upper
    assert found(alice, "git.example/o/shop") == lower
    assert refusal(alice, "git.example/o/SHOP")["error"] == "invalid"


def test_a_project_without_a_remote_is_not_found_by_an_empty_one(
    project: Project, alice: Person
) -> None:
    assert refusal(alice, "https://")["error"] == "not_found"
    assert refusal(alice, "/")["error"] == "not_found"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("@acme", "reserved"),
        ("@", "reserved"),
        ("alice/shop alice/other", "reserved"),
        ("alice/shop\talice/other", "reserved"),
        ("alice/shop\nalice/other", "one line"),
        ("alice/shop\x00", "U+0000"),
        ("alice/shop\ud800", "U+D800"),
        ("", "empty"),
        ("  ", "empty"),
        (12, "text"),
        (["alice/shop"], "text"),
        ({"name": "shop"}, "text"),
        (True, "text"),
    ],
)
def test_what_names_no_single_project_is_refused_with_a_clear_word(
    project: Project, alice: Person, text: Json, word: str
) -> None:
    refused = refusal(alice, text)

    assert refused["error"] == "invalid"
    assert refused["field"] == "projectId"
    assert word in refused["message"]


def test_a_text_over_500_characters_is_refused_and_not_repeated(alice: Person) -> None:
    with pytest.raises(TooLarge) as refused:
        access_project(person_caller(alice), "x" * 501)

    assert "xx" not in refused.value.message


def test_a_password_in_an_address_is_refused_and_not_repeated(alice: Person) -> None:
    refused = refusal(alice, "https://alice:hunter2@github.com/acme/shop")

    assert refused["error"] == "invalid"
    assert "hunter2" not in str(refused)


def test_refusals_name_the_field_that_was_asked_for(alice: Person) -> None:
    for text in ("alice/none", "@acme"):
        with pytest.raises(DomainError) as refused:
            access_project(person_caller(alice), text, field="upstream")
        assert refused.value.details["field"] == "upstream"
        assert refused.value.message.startswith("upstream")


@pytest.mark.parametrize("use", Use)
def test_hidden_missing_and_deleted_projects_answer_alike(
    project: Project, mallory: Person, use: Use
) -> None:
    remote = "github.com/acme/shop"
    Project.objects.filter(pk=project.pk).update(remote=remote)
    gone = make_project(mallory, "gone", remote="github.com/acme/gone", deleted_at=timezone.now())

    answers = [
        refusal(mallory, text, use)
        for text in (
            project.public_id,
            "0123456789ab",
            gone.public_id,
            "alice/shop",
            "alice/none",
            "nobody/none",
            "mallory/gone",
            remote,
            "github.com/acme/gone",
            "github.com/acme/none",
            "no/such/remote",
            "anything?",
        )
    ]

    assert answers[0]["error"] == "not_found"
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(
    ("hidden", "missing"),
    [
        ("{id}", "0123456789ab"),
        ("alice/shop", "alice/none"),
        ("github.com/acme/shop", "github.com/acme/none"),
    ],
)
def test_hidden_and_missing_take_the_same_queries(
    project: Project, mallory: Person, hidden: str, missing: str
) -> None:
    Project.objects.filter(pk=project.pk).update(remote="github.com/acme/shop")

    asked = []
    for text in (hidden.format(id=project.public_id), missing):
        with CaptureQueriesContext(connection) as queries:
            refusal(mallory, text)
        asked.append([query["sql"].replace(text, "…") for query in queries])

    assert asked[0] == asked[1]


def test_a_look_up_takes_one_query_and_by_remote_at_most_two(
    project: Project, alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Project.objects.filter(pk=project.pk).update(remote="localhost/shop")

    for text, number in (
        (project.public_id, 1),
        ("alice/shop", 1),
        ("git@localhost:shop", 1),
        ("localhost/shop", 2),
    ):
        with django_assert_num_queries(number):
            access_project(person_caller(alice), text, use=Use.MANAGE)


def test_a_locked_look_up_is_the_same_look_up(project: Project, bob: Person) -> None:
    with transaction.atomic():
        access = access_project(person_caller(bob), "alice/shop", use=Use.WORK, lock=True)

    assert (access.project, access.role) == (project, Role.CONTRIBUTOR)


def test_losing_a_role_ends_what_it_gave_on_the_next_call(project: Project, bob: Person) -> None:
    person, agent = person_caller(bob), agent_caller(bob)
    for caller in (person, agent):
        access_project(caller, "alice/shop", use=Use.WORK)

    ProjectMember.objects.filter(project=project, person=bob).update(role=Role.READER)
    for caller in (person, agent):
        with pytest.raises(Denied):
            access_project(caller, "alice/shop", use=Use.WORK)

    ProjectMember.objects.filter(project=project, person=bob).delete()
    for caller in (person, agent):
        with pytest.raises(NotFound):
            access_project(caller, "alice/shop", use=Use.WORK)


def test_a_public_project_turned_private_is_gone_for_strangers_at_once(
    project: Project, mallory: Person
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)
    assert found(mallory, "alice/shop") == project

    Project.objects.filter(pk=project.pk).update(is_public=False)

    assert refusal(mallory, "alice/shop")["error"] == "not_found"


def test_each_visible_project_is_listed_once_whatever_ways_lead_to_it(
    project: Project, alice: Person
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)
    join(project, alice, Role.READER)
    ProjectPath.objects.create(path="alice/store", project=project)

    assert list(visible_projects(person_caller(alice))) == [project]
    assert access_project(person_caller(alice), "alice/shop").role == Role.OWNER
