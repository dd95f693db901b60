"""What a project says of itself, and who its tasks can be given to."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.models import Agent, AgentKey, Person
from conderis.common.caller import Caller, Scope, Surface, nobody
from conderis.common.json import JsonObject
from projects.access import access_project
from projects.assignees import MAX_ASSIGNEES
from projects.capabilities import OrganizationRole, Role
from projects.models import Project
from projects.selectors import project_summary
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db


def summary(caller: Caller, project_id: str = "alice/shop") -> JsonObject:
    return project_summary(access_project(caller, project_id))


def assigned(project: Project, viewer: Person) -> list[str]:
    return [entry["name"] for entry in summary(person_caller(viewer), project.path)["assignees"]]


def test_a_bare_project_says_no_more_than_it_is(alice: Person) -> None:
    made = make_project(alice, "Shop")

    assert summary(person_caller(alice)) == {
        "projectId": made.public_id,
        "name": "alice/Shop",
        "visibility": "private",
        "permissions": {"write": True, "moderate": True, "manage": True, "alwaysReviewed": False},
        "assignees": [{"ref": alice.ref, "name": "Alice"}],
    }


def test_a_full_project_says_everything(alice: Person) -> None:
    make_project(alice, "upstream")
    make_project(
        alice,
        description="Sells things",
        remote="github.com/acme/shop",
        remote_verified=True,
        is_public=True,
        recall_mode="flat",
        upstream=Project.objects.get(name="upstream"),
    )

    found = summary(person_caller(alice))

    assert found["description"] == "Sells things"
    assert (found["remote"], found["remoteVerified"]) == ("github.com/acme/shop", True)
    assert (found["visibility"], found["recallMode"]) == ("public", "flat")
    assert found["upstream"] == "alice/upstream"


def test_an_upstream_that_the_caller_may_not_read_is_not_mentioned(
    alice: Person, bob: Person
) -> None:
    hidden = make_project(alice, "upstream")
    fork = make_project(bob, "fork", upstream=hidden, is_public=True)
    join(hidden, bob, Role.READER)

    seen_by_bob = summary(person_caller(bob), fork.path)
    seen_by_a_narrow_key = summary(agent_caller(bob, projects=[fork]), fork.path)
    seen_by_a_stranger = summary(person_caller(make_person()), fork.path)

    assert seen_by_bob["upstream"] == "alice/upstream"
    for answer in (seen_by_a_narrow_key, seen_by_a_stranger):
        assert "upstream" not in answer

    Project.objects.filter(pk=hidden.pk).update(deleted_at=timezone.now())
    assert "upstream" not in summary(person_caller(bob), fork.path)


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("alice", (True, True, True)),
        ("carol", (True, True, False)),
        ("bob", (True, False, False)),
        ("rita", (False, False, False)),
        ("mallory", (False, False, False)),
    ],
)
def test_permissions_are_those_of_the_role(
    project: Project, mallory: Person, handle: str, expected: tuple[bool, bool, bool]
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)
    found = summary(person_caller(Person.objects.get(handle=handle)))["permissions"]

    assert (found["write"], found["moderate"], found["manage"]) == expected
    assert found["alwaysReviewed"] is False


def test_permissions_are_narrowed_by_the_key(project: Project, alice: Person) -> None:
    reader = agent_caller(alice, scopes=frozenset({Scope.READ, Scope.REVIEW}))
    reviewed = agent_caller(alice, "reviewed", always_review=True)

    assert set(summary(reader)["permissions"].values()) == {False}
    assert set(summary(reviewed)["permissions"].values()) == {True}


def test_assignees_are_those_who_can_write_by_name_and_then_their_agents(
    project: Project, alice: Person, bob: Person, rita: Person, mallory: Person
) -> None:
    for person in (rita, mallory, bob):
        agent_caller(person, f"agent of {person.handle}")
    agent_caller(alice, "zed")
    agent_caller(alice, "ada")

    assert assigned(project, rita) == ["Alice", "Bob", "Carol", "ada", "zed", "agent of bob"]


def test_who_has_no_role_in_a_public_project_learns_nobody_to_assign(
    project: Project, alice: Person, rita: Person, mallory: Person
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)

    assert assigned(project, rita) == ["Alice", "Bob", "Carol"]
    assert assigned(project, mallory) == []
    assert summary(nobody(Surface.WEB), project.path)["assignees"] == []


def test_assignees_have_references_and_no_addresses(project: Project, alice: Person) -> None:
    robo = agent_caller(alice)

    found = summary(person_caller(alice))["assignees"]

    assert {"ref": robo.agent_ref, "name": "robo"} in found
    assert {"ref": alice.ref, "name": "Alice"} in found
    assert "canary" not in str(found)
    assert "@" not in str(found)


def test_only_agents_with_a_live_key_for_the_project_are_assignees(
    project: Project, alice: Person
) -> None:
    other = make_project(alice, "other")
    agent_caller(alice, "elsewhere", projects=[other])
    agent_caller(alice, "here", projects=[project, other])
    Agent.objects.create(person=alice, name="keyless")
    now = timezone.now()
    for name, ended in (
        ("revoked", {"revoked_at": now}),
        ("expired", {"expires_at": now - timedelta(seconds=1)}),
        ("expiring", {"expires_at": now + timedelta(hours=1)}),
    ):
        caller = agent_caller(alice, name)
        AgentKey.objects.filter(agent=caller.agent_id).update(**ended)

    assert assigned(project, alice) == ["Alice", "Bob", "Carol", "expiring", "here"]


def test_an_agent_that_holds_tasks_is_an_assignee_without_a_key(
    project: Project, alice: Person, mallory: Person
) -> None:
    holder = Agent.objects.create(person=alice, name="holder")
    stranger = Agent.objects.create(person=mallory, name="stranger")

    found = project_summary(
        access_project(person_caller(alice), "alice/shop"), holding=[holder.pk, stranger.pk]
    )

    assert [entry["name"] for entry in found["assignees"]] == ["Alice", "Bob", "Carol", "holder"]


def test_people_who_were_deactivated_are_no_assignees(
    project: Project, alice: Person, bob: Person
) -> None:
    agent_caller(bob)
    Person.objects.filter(pk=bob.pk).update(is_active=False)

    assert assigned(project, alice) == ["Alice", "Carol"]


@pytest.mark.parametrize(
    ("default", "override", "expected"),
    [
        (Role.READER, "", ["Alice", "Carol"]),
        (Role.CONTRIBUTOR, "", ["Alice", "Bob", "Carol"]),
        (Role.READER, Role.MODERATOR, ["Alice", "Bob", "Carol"]),
        (Role.MODERATOR, Role.READER, ["Alice", "Carol"]),
    ],
)
def test_members_of_the_organization_are_assignees_where_their_role_can_write(
    alice: Person, bob: Person, *, default: Role, override: str, expected: list[str]
) -> None:
    acme = make_organization(alice, members=(bob,), member_role=default)
    site = make_organization_project(acme, member_role=override)
    join(site, make_person("carol"), Role.CONTRIBUTOR)

    assert assigned(site, alice) == expected

    acme.members.filter(person=bob).update(role=OrganizationRole.OWNER)
    assert assigned(site, alice) == ["Alice", "Bob", "Carol"]


def test_assignees_are_a_hundred_at_most_and_each_is_there_once(
    project: Project, alice: Person
) -> None:
    join(project, alice, Role.MODERATOR)
    for _ in range(MAX_ASSIGNEES):
        join(project, make_person(), Role.CONTRIBUTOR)
    agent_caller(alice)

    found = summary(person_caller(alice))["assignees"]

    assert len({entry["ref"] for entry in found}) == len(found) == MAX_ASSIGNEES
    assert found == summary(person_caller(alice))["assignees"]


def test_a_summary_takes_the_same_queries_however_many_people_there_are(
    project: Project, alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Project.objects.filter(pk=project.pk).update(upstream=make_project(alice, "upstream"))

    for _ in range(2):
        with django_assert_num_queries(4):
            summary(person_caller(alice))
        for _ in range(10):
            person = make_person()
            join(project, person, Role.CONTRIBUTOR)
            agent_caller(person)
