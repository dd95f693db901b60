"""The list of a person's agent keys, and whether one has been used."""

import dataclasses
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts import last_use
from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey, key_connected, revoke_key
from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from conderis.common.errors import Denied, NotFound
from projects.keys import KeyState, create_agent_key, list_agent_keys, rotate_agent_key
from projects.models import Project, ProjectMember
from tests.factories import agent_caller, make_project, person_caller

DAY = timedelta(days=1)


def create(person: Person, name: str = "Codex", projects: list[str] | None = None) -> MadeKey:
    return create_agent_key(Operator(), person=person, wish=KeyWish(name=name), projects=projects)


def end(made: MadeKey, **ends: object) -> None:
    AgentKey.objects.filter(pk=made.key.pk).update(**ends)


def test_a_key_is_listed_with_all_that_its_owner_may_know(alice: Person, project: Project) -> None:
    made = create(alice, projects=["alice/shop"])

    (row,) = list_agent_keys(person_caller(alice))

    assert (row.id, row.owner, row.agent) == (made.key.public_id, "alice", "Codex")
    assert row.shown == f"{made.text[:13]}…"
    assert row.scopes == ("read", "write", "delete")
    assert row.projects == ("alice/shop",)
    assert (row.state, row.always_review, row.last_used_at) == (KeyState.LIVE, False, None)
    assert made.text[13:] not in repr(row)
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.agent = "Other"  # type: ignore[misc]


def test_live_keys_come_first_and_each_says_its_state(alice: Person) -> None:
    now = timezone.now()
    revoked, expired, live = (create(alice, name) for name in ("Old", "Late", "New"))
    revoke_key(Operator(), key_id=revoked.key.public_id)
    end(expired, expires_at=now)

    rows = list_agent_keys(person_caller(alice))

    assert [(row.agent, row.state) for row in rows] == [
        ("New", "live"),
        ("Old", "revoked"),
        ("Late", "expired"),
    ]
    assert rows[0].projects is None
    assert rows[0].id == live.key.public_id


def test_a_replaced_key_is_listed_beside_its_successor(alice: Person) -> None:
    made = create(alice)
    rotate_agent_key(Operator(), key_id=made.key.public_id, overlap=timedelta(hours=1))

    assert [row.state for row in list_agent_keys(person_caller(alice))] == ["live", "live"]


@pytest.mark.parametrize("way", ["revoked_at", "expires_at"])
def test_an_ended_key_is_listed_for_thirty_days(alice: Person, way: str) -> None:
    now = timezone.now()
    kept, gone = create(alice, "Kept"), create(alice, "Gone")
    end(kept, **{way: now - 29 * DAY})
    end(gone, **{way: now - 31 * DAY})

    assert [row.agent for row in list_agent_keys(person_caller(alice))] == ["Kept"]
    assert [row.agent for row in list_agent_keys(Operator())] == ["Kept"]


def test_people_see_their_own_keys_and_the_operator_everybodys(alice: Person, bob: Person) -> None:
    create(alice)
    create(bob)

    assert [row.owner for row in list_agent_keys(person_caller(bob))] == ["bob"]
    assert [row.owner for row in list_agent_keys(person_caller(bob), person=alice)] == ["bob"]
    assert [row.owner for row in list_agent_keys(Operator())] == ["alice", "bob"]
    assert [row.owner for row in list_agent_keys(Operator(), person=alice)] == ["alice"]


def test_projects_that_the_person_may_read_no_more_are_named_to_the_operator_alone(
    bob: Person, project: Project
) -> None:
    make_project(bob, "Own")
    create(bob, projects=["alice/shop", "bob/own"])

    ProjectMember.objects.filter(person=bob).delete()

    (row,) = list_agent_keys(person_caller(bob))
    (whole,) = list_agent_keys(Operator())
    assert row.projects == ("bob/Own",)
    assert whole.projects == ("alice/shop", "bob/Own")


def test_deleted_projects_are_named_to_nobody(alice: Person, project: Project) -> None:
    create(alice, projects=["alice/shop"])
    Project.objects.update(deleted_at=timezone.now())

    for actor in (person_caller(alice), Operator()):
        assert [row.projects for row in list_agent_keys(actor)] == [()]


@pytest.mark.parametrize("number", [2, 12])
def test_the_number_of_queries_does_not_grow_with_keys(
    alice: Person,
    project: Project,
    number: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in range(number):
        create(alice, f"Codex {name}", ["alice/shop"])

    for actor in (person_caller(alice), Operator()):
        with django_assert_num_queries(2):
            assert len(list_agent_keys(actor)) == number


def test_no_key_however_wide_lists_keys(alice: Person) -> None:
    with pytest.raises(Denied) as refused:
        list_agent_keys(agent_caller(alice))

    assert refused.value.details["missing"] == "person"


def test_a_key_has_connected_once_it_was_used(alice: Person) -> None:
    made, caller = create(alice), person_caller(alice)
    before = key_connected(caller, key_id=made.key.public_id)

    caller_of_key(made.text, surface=Surface.MCP)
    last_use.flush()

    after = key_connected(caller, key_id=made.key.public_id)
    assert before is None
    assert after is not None
    assert timezone.now() - after < timedelta(minutes=1)


def test_whether_a_key_has_connected_is_told_to_its_owner_alone(alice: Person, bob: Person) -> None:
    made = create(alice)

    with pytest.raises(NotFound):
        key_connected(person_caller(bob), key_id=made.key.public_id)
    with pytest.raises(Denied):
        key_connected(agent_caller(alice), key_id=made.key.public_id)
