"""The git remote that a project names."""

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import NotFound
from conderis.common.json import Json
from projects.access import access_project
from projects.models import Project
from projects.services import store_project
from tests.factories import person_caller
from tests.projects.calls import refusal

pytestmark = pytest.mark.django_db


def test_another_remote_or_spelling_ends_the_verification(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    for remote in ("github.com/acme/shop", "github.com/Acme/shop", "github.com/acme/other"):
        Project.objects.filter(pk=project.pk).update(remote_verified=True)
        store_project(caller, project_id="alice/shop", fields={"remote": remote})

        project.refresh_from_db()
        assert (project.remote, project.remote_verified) == (remote, False)


def test_a_changed_remote_stops_answering_under_the_old_one_at_once(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    for remote in ("github.com/acme/shop", "github.com/acme/other"):
        store_project(caller, project_id="alice/shop", fields={"remote": remote})

    assert access_project(caller, "github.com/acme/other").project == project
    with pytest.raises(NotFound):
        access_project(caller, "github.com/acme/shop")


@pytest.mark.parametrize(
    "remote", ["", "acme/shop", "https://", "x", "https://h.example/a?b", 12, ["a"], True]
)
def test_what_is_no_remote_is_refused_with_what_is_one(
    project: Project, alice: Person, remote: Json
) -> None:
    refused = refusal(person_caller(alice), "alice/shop", {"remote": remote})

    assert (refused["error"], refused["field"]) == ("invalid", "remote")
    assert refused["allowed"]


def test_a_password_in_a_remote_is_refused_and_not_repeated(
    project: Project, alice: Person
) -> None:
    for address in ("https://alice:hunter2@github.com/a/b", "https://hunter2@github.com/a/b"):
        refused = refusal(person_caller(alice), "alice/shop", {"remote": address})

        assert refused["error"] == "invalid"
        assert "hunter2" not in str(refused)


def test_a_remote_read_back_as_it_is_shown_is_unchanged(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    for address in ("git@server:shop.git", "https://[2001:DB8::1]:8443/o/n", "git.sr.ht/~a/b"):
        store_project(caller, project_id="alice/shop", fields={"remote": address})
        project.refresh_from_db()
        again = store_project(caller, project_id="alice/shop", fields={"remote": project.remote})

        assert again["outcome"] == "unchanged"
