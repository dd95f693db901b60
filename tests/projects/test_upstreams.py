"""The project that a project is a fork of."""

import pytest

from conderis.accounts.models import Person
from conderis.common.json import Json
from projects.models import Project
from projects.services import change_project, create_project
from tests.factories import make_project, person_caller
from tests.projects.calls import refusal

pytestmark = pytest.mark.django_db


def test_an_upstream_is_any_project_that_the_caller_may_read(
    project: Project, mallory: Person
) -> None:
    fork = make_project(mallory, "fork")
    caller = person_caller(mallory)
    hidden = refusal(caller, "mallory/fork", {"upstream": "alice/shop"})
    missing = refusal(caller, "mallory/fork", {"upstream": "alice/none"})
    assert hidden == missing
    assert (hidden["error"], hidden["field"]) == ("not_found", "upstream")

    Project.objects.filter(pk=project.pk).update(is_public=True, remote="github.com/acme/shop")

    for text in ("alice/shop", project.public_id, "git@github.com:acme/shop.git"):
        change_project(caller, "mallory/fork", fields={"upstream": None})
        change_project(caller, "mallory/fork", fields={"upstream": text})
        fork.refresh_from_db()
        assert fork.upstream == project


def test_a_new_project_can_name_its_upstream(project: Project, alice: Person) -> None:
    made = create_project(person_caller(alice), fields={"name": "a", "upstream": "alice/shop"})

    assert made.upstream == project


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_upstreams_form_no_circle(alice: Person, length: int) -> None:
    caller = person_caller(alice)
    for place in range(length):
        make_project(alice, f"p{place}")
    for place in range(1, length):
        change_project(caller, f"alice/p{place}", fields={"upstream": f"alice/p{place - 1}"})

    refused = refusal(caller, "alice/p0", {"upstream": f"alice/p{length - 1}"})

    assert (refused["error"], refused["field"]) == ("invalid", "upstream")
    assert "circle" in refused["message"]


@pytest.mark.parametrize("upstream", ["", "@acme", 12, ["a"], "a b", "x" * 501])
def test_what_is_no_project_is_refused_as_an_upstream(
    project: Project, alice: Person, upstream: Json
) -> None:
    assert (
        refusal(person_caller(alice), "alice/shop", {"upstream": upstream})["field"] == "upstream"
    )
