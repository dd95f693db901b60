"""From a key to a caller: who is let in, and that nobody else is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey, revoke_key
from conderis.accounts.authentication import NotAuthenticated, caller_of_key, caller_of_person
from conderis.accounts.keys import ALPHABET, mint_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Caller, Scope, Surface
from projects.keys import create_agent_key

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def key_of(person: Person, **wish: Any) -> MadeKey:
    return create_agent_key(Operator(), person=person, wish=KeyWish(name="Codex on laptop", **wish))


def caller(text: str) -> Caller:
    return caller_of_key(text, surface=Surface.MCP)


def works(text: str) -> bool:
    return caller(text).is_agent


def reason(text: str) -> str:
    with pytest.raises(NotAuthenticated) as refused:
        caller(text)
    return refused.value.reason


def test_a_key_gives_its_agent_for_its_person_in_one_query(
    alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = key_of(alice)

    with django_assert_num_queries(1):
        found = caller(made.text)

    assert found.person_id == alice.pk
    assert found.person_name == "Alice"
    assert found.ref == made.key.agent.ref
    assert found.agent_name == "Codex on laptop"
    assert found.surface == Surface.MCP
    assert found.key is not None
    assert found.key.scopes == {Scope.READ, Scope.WRITE, Scope.DELETE}
    assert found.key.all_projects
    assert not found.always_reviewed


def test_a_mistyped_key_costs_no_query(
    alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = key_of(alice).text
    typo = text[:20] + ALPHABET[(ALPHABET.index(text[20]) + 1) % 62] + text[21:]

    with django_assert_num_queries(0):
        for wrong in ("", "nonsense", typo, text[:-1], text + "0", "cndr_" * 10_000, "\x00"):
            assert "mistyped or cut" in reason(wrong)


def test_an_unknown_key_is_refused_like_one_with_a_wrong_secret(alice: Person) -> None:
    made = key_of(alice)
    other = mint_key()
    assert works(made.text)

    unknown = reason(other.text)
    AgentKey.objects.filter(pk=made.key.pk).update(lookup=other.lookup)
    wrong_secret = reason(other.text)

    assert unknown == wrong_secret == "This server knows no such agent key."


def test_a_revoked_key_is_refused_on_the_very_next_call(alice: Person) -> None:
    made = key_of(alice)
    assert works(made.text)

    with time_machine.travel(NOW, tick=False):
        revoke_key(Operator(), key_id=made.key.public_id)

    assert reason(made.text) == "This agent key was revoked on 2026-11-30T12:00:00Z."


def test_an_expired_key_is_refused_from_the_second_on_that_it_ends(alice: Person) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        made = key_of(alice, expires_at=NOW + timedelta(days=1))
        clock.move_to(NOW + timedelta(days=1, seconds=-1))
        assert works(made.text)

        clock.move_to(NOW + timedelta(days=1))

        assert reason(made.text) == "This agent key expired on 2026-12-01T12:00:00Z."


def test_a_key_of_a_deactivated_person_is_refused_until_they_are_back(alice: Person) -> None:
    made = key_of(alice)
    assert works(made.text)

    Person.objects.filter(pk=alice.pk).update(is_active=False)
    refused = reason(made.text)
    Person.objects.filter(pk=alice.pk).update(is_active=True)

    assert "deactivated" in refused
    assert works(made.text)


def test_the_reasons_hold_nothing_of_the_key(alice: Person) -> None:
    made = key_of(alice)
    AgentKey.objects.filter(pk=made.key.pk).update(revoked_at=timezone.now())

    reasons = [reason(made.text), reason(made.text[:-1]), reason(mint_key().text)]

    assert all(made.text[5:13] not in one for one in reasons)
    assert all(alice.email not in one for one in reasons)


@pytest.mark.parametrize(
    ("stored", "left"),
    [
        (["read"], {Scope.READ}),
        (["read", "openid"], {Scope.READ}),
        (["openid"], set()),
        (["READ"], set()),
        ([], set()),
        (["read write"], set()),
        ([None, 1, "read"], {Scope.READ}),
        (["write", "delete"], set()),
    ],
)
def test_unknown_and_missing_scopes_give_nothing(
    alice: Person, stored: list[object], left: set[Scope]
) -> None:
    made = key_of(alice)
    AgentKey.objects.filter(pk=made.key.pk).update(scopes=stored)

    found = caller(made.text)

    assert found.key is not None
    assert found.key.scopes == left
    assert [scope for scope in Scope if found.has_scope(scope)] == [
        scope for scope in Scope if scope in left
    ]


def test_the_database_never_holds_the_text_of_a_key(alice: Person) -> None:
    made = key_of(alice)

    row = AgentKey.objects.filter(pk=made.key.pk).values().get()

    assert made.text not in str(row)
    assert made.text[13:] not in str(row)


def test_a_person_in_the_browser_has_every_scope(alice: Person) -> None:
    found = caller_of_person(alice, Surface.WEB)

    assert found.ref == alice.ref
    assert not found.is_agent
    assert all(found.has_scope(scope) for scope in Scope)
