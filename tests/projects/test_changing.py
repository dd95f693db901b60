"""Changing projects: one patch rule, who may, what is recorded."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Scope
from conderis.common.errors import Denied, Invalid
from conderis.common.json import Json
from projects.models import Project, ProjectMember
from projects.services import change_project, create_project, store_project
from tests.factories import agent_caller, make_project, person_caller
from tests.projects.calls import refusal, state
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db


def test_omitted_fields_are_kept_and_null_clears(alice: Person) -> None:
    upstream = make_project(alice, "upstream")
    made = make_project(
        alice,
        description="old",
        remote="github.com/acme/shop",
        remote_verified=True,
        recall_mode="flat",
        upstream=upstream,
    )
    caller = person_caller(alice)

    change_project(caller, "alice/shop", fields={"description": "new"})
    made.refresh_from_db()
    assert (made.description, made.remote_verified, made.recall_mode) == ("new", True, "flat")

    nulls = {"description": None, "remote": None, "recallMode": None, "upstream": None}
    change = change_project(caller, "alice/shop", fields=nulls)
    made.refresh_from_db()
    assert (made.description, made.remote, made.recall_mode, made.upstream) == ("", "", "", None)
    assert made.remote_verified is False
    assert sorted(change.changed) == sorted(nulls)


def test_what_is_there_already_changes_nothing(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    fields = {
        "name": "shop",
        "owner": "alice",
        "description": None,
        "remote": "github.com/acme/shop",
        "upstream": None,
        "recallMode": "flat",
    }
    store_project(caller, project_id="alice/shop", fields=fields)
    before = state()

    for same in (fields, {}, {"remote": "https://github.com/acme/shop.git"}, {"owner": None}):
        answer = store_project(caller, project_id="alice/shop", fields=same)
        assert answer == {
            "outcome": "unchanged",
            "projectId": project.public_id,
            "name": "alice/shop",
        }

    assert state() == before


def test_a_change_is_dated_and_recorded_without_what_it_says(
    project: Project, alice: Person
) -> None:
    robo = agent_caller(alice)

    store_project(robo, project_id="alice/shop", fields={"description": "marker-7281"})

    event = AuditEvent.objects.get()
    assert (event.action, event.subject) == ("project.changed", f"project:{project.public_id}")
    assert (event.project_id, event.person_id) == (project.pk, alice.pk)
    assert (event.agent_id, event.surface) == (robo.agent_id, "mcp")
    assert event.detail == {"fields": ["description"]}
    changed = project.changed
    project.refresh_from_db()
    assert project.changed > changed


def test_creating_is_recorded(alice: Person) -> None:
    made = create_project(person_caller(alice), fields={"name": "a"})

    event = AuditEvent.objects.get()
    assert (event.action, event.project_id, event.detail) == ("project.created", made.pk, {})


@pytest.mark.parametrize("mode", ["", "auto", "Flat", "null", 1, ["flat"], {"flat": True}, False])
def test_another_recall_mode_is_refused_naming_the_two(
    project: Project, alice: Person, mode: Json
) -> None:
    refused = refusal(person_caller(alice), "alice/shop", {"recallMode": mode})

    assert refused["allowed"] == ["flat", "grouped", None]


def test_a_description_has_500_characters_at_most(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    for text in ("界" * 500, "two\nlines", "  kept as sent  "):
        store_project(caller, project_id="alice/shop", fields={"description": text})
        project.refresh_from_db()
        assert project.description == text

    assert refusal(caller, "alice/shop", {"description": "x" * 501})["error"] == "too_large"
    for broken in ("a\x00", "a\ud800", 1, ["a"]):
        refused = refusal(caller, "alice/shop", {"description": broken})
        assert (refused["error"], refused["field"]) == ("invalid", "description")


def test_visibility_is_refused_with_the_way(project: Project, alice: Person) -> None:
    for project_id, fields in (
        (None, {"name": "a", "visibility": "public"}),
        ("alice/shop", {"visibility": "public"}),
    ):
        refused = refusal(person_caller(alice), project_id, fields)

        assert refused["field"] == "visibility"
        assert "in the browser" in refused["message"]


@pytest.mark.parametrize("field", ["title", "Name", "recall_mode", "is_public", "id", "", "ä" * 99])
def test_unknown_fields_are_refused_naming_the_allowed_ones(
    project: Project, alice: Person, field: str
) -> None:
    for project_id in (None, "alice/shop"):
        refused = refusal(person_caller(alice), project_id, {"name": "a", field: "x"})

        assert refused["allowed"] == [
            "name", "owner", "description", "remote", "upstream", "recallMode",
        ]  # fmt: skip


@pytest.mark.parametrize("fields", [None, [], "name", 1])
def test_fields_that_are_no_object_are_refused(alice: Person, fields: Json) -> None:
    assert refusal(person_caller(alice), None, fields)["field"] == "fields"


def test_a_project_keeps_its_owner(alice: Person) -> None:
    acme = make_organization(alice)
    make_project(alice)
    make_organization_project(acme)
    caller = person_caller(alice)

    for project_id, owner in (("alice/shop", "acme"), ("acme/site", "alice"), ("acme/site", 1)):
        refused = refusal(caller, project_id, {"owner": owner})
        assert refused["field"] == "owner"


def test_only_who_manages_a_project_changes_it(
    project: Project, bob: Person, carol: Person, rita: Person, mallory: Person
) -> None:
    fields = {"description": "mine now"}
    for person in (bob, carol, rita):
        for caller in (person_caller(person), agent_caller(person)):
            refused = refusal(caller, "alice/shop", fields)
            assert (refused["error"], refused["missing"]) == ("denied", "manage")

    hidden = refusal(person_caller(mallory), project.public_id, fields)
    assert hidden["error"] == "not_found"
    assert hidden == refusal(person_caller(mallory), "0123456789ab", fields)

    Project.objects.filter(pk=project.pk).update(is_public=True)
    assert refusal(person_caller(mallory), "alice/shop", fields)["missing"] == "manage"


def test_a_key_changes_a_project_only_with_the_scope_and_among_its_projects(
    project: Project, alice: Person
) -> None:
    other = make_project(alice, "other")
    fields = {"description": "x"}

    change = change_project(agent_caller(alice, projects=[project]), "alice/shop", fields=fields)
    assert change.changed == ("description",)
    assert (
        refusal(agent_caller(alice, projects=[other]), "alice/shop", fields)["error"] == "not_found"
    )
    reader = agent_caller(alice, scopes=frozenset({Scope.READ}))
    assert refusal(reader, "alice/shop", fields)["missing"] == "write"


def test_an_owner_by_role_manages_but_the_name_stays_in_the_owners_namespace(
    project: Project, bob: Person
) -> None:
    ProjectMember.objects.filter(project=project, person=bob).update(role="owner")

    answer = store_project(person_caller(bob), project_id="alice/shop", fields={"name": "store"})

    assert answer["name"] == "alice/store"


def test_nothing_is_stored_of_a_call_with_one_bad_field(project: Project, alice: Person) -> None:
    with pytest.raises(Invalid):
        change_project(
            person_caller(alice),
            "alice/shop",
            fields={"description": "x", "remote": "git.example/a/b", "recallMode": "loud"},
        )

    project.refresh_from_db()
    assert (project.description, project.remote) == ("", "")


def test_an_agent_that_has_lost_its_rights_is_denied(project: Project, alice: Person) -> None:
    with pytest.raises(Denied):
        change_project(
            agent_caller(alice, scopes=frozenset()), "alice/shop", fields={"description": "x"}
        )
