"""Policies of a project: what may be set, by whom, and what the log says of it."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from projects.access import access_project
from projects.capabilities import Role
from projects.models import Project
from projects.policies import change_policies
from tests.factories import join, make_person, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import NO_OWNERS, answer_to_strangers, refusals

pytestmark = pytest.mark.django_db


def change(caller: Caller, project_id: str = "alice/shop", **fields: Json) -> tuple[str, ...]:
    return change_policies(caller, project_id, fields=fields).changed


def test_the_defaults_are_the_careful_ones(project: Project) -> None:
    project.refresh_from_db()

    assert (project.memories_unreviewed, project.secrets_policy, project.open_proposals) == (
        False, "refuse", False,
    )  # fmt: skip
    assert not project.agents_reviewed


def test_an_owner_sets_every_policy_of_a_project(project: Project, alice: Person) -> None:
    fields: JsonObject = {
        "contributorsPublishMemories": True,
        "secrets": "warn",
        "acceptProposals": True,
        "agentsReviewed": True,
        "sessionDays": 7,
        "recallMode": "flat",
    }

    changed = change(person_caller(alice), **fields)

    project.refresh_from_db()
    event = AuditEvent.objects.get()
    assert set(changed) == set(fields)
    assert (
        project.memories_unreviewed,
        project.secrets_policy,
        project.open_proposals,
        project.agents_reviewed,
        project.session_days,
        project.recall_mode,
    ) == (True, "warn", True, True, 7, "flat")
    assert (event.action, event.project_id) == ("policies.changed", project.pk)
    assert event.detail == {"fields": sorted(fields), "policies": fields}


def test_what_is_left_out_stays_and_what_stands_leaves_no_event(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    change(caller, secrets="warn", recallMode="flat")

    assert change(caller, recallMode=None) == ("recallMode",)
    assert change(caller, secrets="warn", sessionDays=30) == ()

    project.refresh_from_db()
    assert (project.secrets_policy, project.recall_mode) == ("warn", "")
    assert AuditEvent.objects.count() == 2


@pytest.mark.parametrize(("field", "values"), [
    ("contributorsPublishMemories", [None, 1, "true", []]),
    ("acceptProposals", [None, 0, "false"]),
    ("agentsReviewed", [None, 1, "true"]),
    ("secrets", [None, "", "allow", True, ["warn"]]),
    ("sessionDays", [None, 0, -1, 3651, "30", 1.5, True]),
    ("recallMode", ["", "Flat", 1, ["flat"]]),
    ("memberRole", ["reader", "boss", 1]),
    ("visibility", ["public"]),
    ("memories_unreviewed", [True]),
])  # fmt: skip
def test_a_value_that_is_not_allowed_is_refused_by_its_field_and_changes_nothing(
    project: Project, alice: Person, field: str, values: list[Json]
) -> None:
    before = Project.objects.values().get()
    for value in values:
        with pytest.raises(Invalid) as refused:
            change(person_caller(alice), **{"secrets": "warn", field: value})
        assert refused.value.details["field"] == field
        assert refused.value.details["allowed"]

    assert Project.objects.values().get() == before
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("days", [1, 3650])
def test_the_bounds_of_session_days_are_allowed(project: Project, alice: Person, days: int) -> None:
    change(person_caller(alice), sessionDays=days)

    project.refresh_from_db()
    assert project.session_days == days


@pytest.mark.usefixtures("mallory")
def test_only_owners_set_policies_and_no_agent_does(project: Project) -> None:
    assert refusals(lambda who: change(who, secrets="warn")) == NO_OWNERS
    answer_to_strangers(lambda who, name: change(who, name, secrets="warn"), project)


def test_an_owner_among_the_direct_members_sets_them_too(project: Project) -> None:
    dora = make_person("dora")
    join(project, dora, Role.OWNER)

    assert change(person_caller(dora), acceptProposals=True) == ("acceptProposals",)


def test_the_role_of_an_organizations_members_is_set_here_and_cleared_to_the_default(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,))
    make_organization_project(acme)
    caller = person_caller(alice)

    change(caller, "acme/site", memberRole="reader")
    assert access_project(person_caller(bob), "acme/site").role == Role.READER
    change(caller, "acme/site", memberRole=None)
    assert access_project(person_caller(bob), "acme/site").role == Role.CONTRIBUTOR

    events = AuditEvent.objects.order_by("pk")
    assert [event.detail["policies"] for event in events] == [
        {"memberRole": "reader"}, {"memberRole": ""},
    ]  # fmt: skip
    assert {event.organization_id for event in events} == {acme.pk}
