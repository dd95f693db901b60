"""What people see of what happened to their account."""

import dataclasses
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, revoke_key
from conderis.accounts.events import account_events
from conderis.accounts.models import Person
from conderis.accounts.profile import change_profile
from conderis.accounts.sign_in import create_sign_in_link, use_sign_in_link
from conderis.common.errors import Denied, Invalid
from projects.keys import create_agent_key
from projects.members import set_member
from projects.models import Project
from tests.factories import agent_caller, person_caller


def give_key(person: Person, name: str) -> str:
    made = create_agent_key(Operator(), person=person, wish=KeyWish(name=name))
    return made.key.public_id


def test_sign_ins_keys_and_roles_are_shown_newest_first_with_who_did_it(
    alice: Person, mallory: Person, project: Project
) -> None:
    key = give_key(mallory, "Codex")
    use_sign_in_link(create_sign_in_link(Operator(), person=mallory))
    set_member(person_caller(alice), project_id="alice/shop", handle="mallory", role="reader")
    change_profile(person_caller(mallory), fields={"displayName": "Mal"})
    revoke_key(person_caller(mallory), key_id=key)

    events = account_events(person_caller(mallory))

    assert [(event.action, event.by, event.by_own) for event in events] == [
        ("key.revoked", "Mal", True),
        ("person.changed", "Mal", True),
        ("member.added", "Alice", False),
        ("person.signed_in", "Mal", True),
        ("sign_in_link.created", None, False),
        ("key.created", None, False),
    ]
    assert (events[0].key, events[0].agent) == (key, "Codex")
    assert events[1].fields == ("displayName",)
    assert (events[2].role, events[2].project_id) == ("reader", project.pk)
    assert events[2].key is None


def test_nothing_of_other_peoples_accounts_is_shown(alice: Person, bob: Person) -> None:
    give_key(alice, "Codex")
    create_sign_in_link(Operator(), person=alice)

    assert account_events(person_caller(bob)) == []


def test_no_row_can_be_changed_or_holds_an_email_address(alice: Person) -> None:
    give_key(alice, "Codex")

    (event,) = account_events(person_caller(alice))

    assert "canary" not in repr(event)
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.by = "Eve"  # type: ignore[misc]


def test_a_walk_shows_each_event_once(alice: Person) -> None:
    for number in range(5):
        give_key(alice, f"Codex {number}")
    caller = person_caller(alice)

    first = account_events(caller, limit=3)
    give_key(alice, "Meanwhile")
    rest = account_events(caller, limit=3, before=first[-1].id)

    assert [event.agent for event in [*first, *rest]] == [
        f"Codex {number}" for number in (4, 3, 2, 1, 0)
    ]


@pytest.mark.parametrize("number", [2, 12])
def test_the_number_of_queries_does_not_grow_with_events(
    alice: Person, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for name in range(number):
        revoke_key(person_caller(alice), key_id=give_key(alice, f"Codex {name}"))

    with django_assert_num_queries(3):
        account_events(person_caller(alice), limit=100)


@pytest.mark.parametrize(
    ("field", "bounds"),
    [
        ("limit", {"limit": 0}),
        ("limit", {"limit": 101}),
        ("before", {"before": 0}),
        ("before", {"before": "7"}),
        ("before", {"before": True}),
        ("before", {"before": 2**63}),
    ],
)
def test_bounds_that_are_none_are_refused(
    alice: Person, field: str, bounds: dict[str, Any]
) -> None:
    with pytest.raises(Invalid) as refused:
        account_events(person_caller(alice), **bounds)

    assert refused.value.details["field"] == field


def test_no_agent_reads_what_happened_to_the_account(alice: Person) -> None:
    with pytest.raises(Denied):
        account_events(agent_caller(alice))
