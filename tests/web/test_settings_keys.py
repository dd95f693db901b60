"""The list of agent keys, and new ones."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from projects.capabilities import Role
from projects.keys import create_agent_key
from projects.models import Project
from projects.selectors import list_projects
from tests.factories import join, make_person, make_project, person_caller
from tests.web.settings_pages import (
    has_key,
    key_text,
    shown,
    signed_in_long_ago,
    signed_in_now,
    without_password,
)

KEYS = "/settings/keys/"


def new_key(**changed: Any) -> dict[str, Any]:
    """The form of a new key, as a browser sends it."""
    return {
        "name": "Codex on laptop",
        "scopes": ["read", "write"],
        "reach": "all",
        "ends": "90d",
        **changed,
    }


def make_key(person: Person, name: str, **wish: Any) -> AgentKey:
    made = create_agent_key(person_caller(person), person=person, wish=KeyWish(name=name, **wish))
    return made.key


def test_a_new_key_is_shown_once_and_works(alice: Person) -> None:
    client = signed_in_now(alice)

    answer = client.post(KEYS, new_key())

    text = key_text(answer.content)
    agent = caller_of_key(text, surface=Surface.MCP)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert "Key for “Codex on laptop” created" in shown(answer.content)
    assert "/connect/" in answer.content.decode()
    assert (agent.person_id, agent.agent_name) == (alice.pk, "Codex on laptop")
    assert not has_key(client.get(KEYS).content)


def test_the_text_of_a_key_is_kept_nowhere(alice: Person) -> None:
    client = signed_in_now(alice)

    text = key_text(client.post(KEYS, new_key()).content)

    sessions = [str(session.get_decoded()) for session in Session.objects.all()]
    assert sessions
    assert not any(text in session for session in sessions)
    assert text not in str(AgentKey.objects.values())


def test_sending_the_form_again_makes_no_second_key_and_shows_none(alice: Person) -> None:
    client = signed_in_now(alice)
    client.post(KEYS, new_key())

    again = client.post(KEYS, new_key())

    assert again.status_code == 409
    assert "You have a key with this name." in shown(again.content)
    assert not has_key(again.content)
    assert AgentKey.objects.count() == 1


def test_a_key_has_the_limits_that_were_chosen(alice: Person, project: Project) -> None:
    make_project(alice, "attic")
    client = signed_in_now(alice)

    client.post(
        KEYS,
        new_key(
            scopes=["read", "delete"],
            always_review="on",
            reach="chosen",
            projects=["alice/shop"],
            ends="date",
            until="2099-12-31",
        ),
    )

    key = AgentKey.objects.get()
    assert key.scopes == ["read", "delete"]
    assert key.always_review
    assert not key.all_projects
    assert [row.project for row in key.chosen_projects.all()] == [project]
    assert key.expires_at == datetime(2100, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(("ends", "days"), [("30d", 30), ("90d", 90), ("365d", 365)])
def test_a_key_ends_after_the_days_that_were_chosen(alice: Person, ends: str, days: int) -> None:
    signed_in_now(alice).post(KEYS, new_key(ends=ends))

    expires = AgentKey.objects.get().expires_at
    assert expires is not None
    assert abs(expires - timezone.now() - timedelta(days=days)) < timedelta(minutes=1)


def test_a_key_that_never_ends_can_be_chosen(alice: Person) -> None:
    signed_in_now(alice).post(KEYS, new_key(ends="never"))

    assert AgentKey.objects.get().expires_at is None


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "x" * 81}, "name", "at most 80 characters"),
        ({"scopes": []}, "scopes", "A key needs at least one scope"),
        ({"scopes": ["write"]}, "scopes", "A key needs the scope read"),
        ({"scopes": ["read", "sudo"]}, "scopes", "Select a valid choice"),
        (
            {"scopes": ["read", "review"], "always_review": "on"},
            "scopes",
            "cannot have the scope review",
        ),
        ({"reach": "chosen"}, "projects", "Choose at least one project"),
        ({"reach": "chosen", "projects": ["alice/none"]}, "projects", "Select a valid choice"),
        ({"ends": "date", "until": ""}, "until", "Give the last day."),
        ({"ends": "date", "until": "2001-01-01"}, "until", "Date must be in the future"),
        ({"ends": "date", "until": "soon"}, "until", "Date must be a date"),
        ({"ends": "1d"}, "ends", "Select a valid choice"),
    ],
)
def test_a_refused_wish_is_explained_beside_its_field_and_keeps_what_was_typed(
    alice: Person, project: Project, changed: dict[str, Any], field: str, said: str
) -> None:
    answer = signed_in_now(alice).post(KEYS, new_key(**changed))

    content = shown(answer.content)
    _, _, beside = content.partition(f'id="id_{field}_error"')
    assert answer.status_code == 400
    assert said in beside.partition("</div>")[0]
    assert AgentKey.objects.count() == 0
    if "name" not in changed:
        assert 'value="Codex on laptop"' in answer.content.decode()


def test_a_project_that_is_hidden_is_refused_as_one_that_there_is_not(
    mallory: Person, project: Project
) -> None:
    client = signed_in_now(mallory)

    hidden, missing = (
        shown(client.post(KEYS, new_key(reach="chosen", projects=[name])).content)
        for name in ("alice/shop", "alice/none")
    )

    assert hidden.replace("alice/shop", "alice/none") == missing
    assert AgentKey.objects.count() == 0


@pytest.mark.parametrize("handle", ["alice", "bob", "carol", "rita"])
def test_every_member_can_choose_the_project(project: Project, handle: str) -> None:
    member = Person.objects.get(handle=handle)

    answer = signed_in_now(member).post(KEYS, new_key(reach="chosen", projects=["alice/shop"]))

    assert has_key(answer.content)


def test_projects_beyond_the_first_hundred_can_be_named(alice: Person) -> None:
    for number in range(101):
        make_project(alice, f"p{number:03d}")
    client = signed_in_now(alice)
    assert 'value="alice/p100"' not in client.get(KEYS).content.decode()

    answer = client.post(KEYS, new_key(reach="chosen", more="alice/p100, alice/p099"))
    unknown = client.post(KEYS, new_key(name="Other", reach="chosen", more="alice/none"))

    key = AgentKey.objects.get()
    assert has_key(answer.content)
    assert {row.project.name for row in key.chosen_projects.all()} == {"p100", "p099"}
    assert unknown.status_code == 400


def test_more_projects_than_a_key_can_have_are_refused_beside_their_field(alice: Person) -> None:
    for number in range(101):
        make_project(alice, f"p{number:03d}")
    shown_first = [entry["name"] for entry in list_projects(person_caller(alice), limit=100,
                                                            sort="title")["items"]]  # fmt: skip

    answer = signed_in_now(alice).post(
        KEYS, new_key(reach="chosen", projects=shown_first, more="alice/p100")
    )

    _, _, beside = shown(answer.content).partition('id="id_projects_error"')
    assert answer.status_code == 400
    assert "Choose 1 to 100 projects" in beside.partition("</div>")[0]
    assert AgentKey.objects.count() == 0


def test_an_old_sign_in_with_a_password_is_asked_for_it_and_then_the_form_is_sent(
    alice: Person,
) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    client = signed_in_long_ago(alice)

    asked = client.post(KEYS, new_key())
    made = client.post(asked["Location"], {"password": "correct horse battery"})

    assert asked.status_code == 302
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert has_key(made.content)
    assert AgentKey.objects.get().agent.name == "Codex on laptop"


def test_a_sign_in_of_sixteen_minutes_ago_is_old(alice: Person) -> None:
    client = signed_in_now(alice)

    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        answer = client.post(KEYS, new_key())

    assert answer["Location"].startswith("/account/reauthenticate/")
    assert AgentKey.objects.count() == 0


def test_an_old_sign_in_without_password_is_led_to_sign_in_anew(alice: Person) -> None:
    answer = signed_in_long_ago(without_password(alice)).post(KEYS, new_key())

    assert answer["Location"].startswith("/account/sign-in-anew/")
    assert AgentKey.objects.count() == 0


def test_the_list_shows_ones_own_keys_with_their_limits_and_ends(
    alice: Person, bob: Person, project: Project
) -> None:
    make_key(bob, "Gemini of Bob")
    make_key(alice, "Claude", always_review=True)
    soon = timezone.now() + timedelta(days=3, hours=1)
    make_key(alice, "Codex", scopes=["read"], expires_at=soon)
    ended = make_key(alice, "Cursor")
    AgentKey.objects.filter(pk=ended.pk).update(revoked_at=timezone.now())

    content = shown(signed_in_long_ago(alice).get(KEYS).content)

    assert "2 in use" in content
    assert "Gemini of Bob" not in content
    for words in ("Claude", "Always", "in 3", "Cursor", "revoked", "All my projects"):
        assert words in content
    assert f"/settings/keys/{ended.public_id}/" not in content


def test_an_expired_key_is_listed_as_ended(alice: Person) -> None:
    key = make_key(alice, "Codex")
    past = timezone.now() - timedelta(days=10)
    AgentKey.objects.filter(pk=key.pk).update(expires_at=past)

    content = shown(signed_in_long_ago(alice).get(KEYS).content)

    assert "0 in use" in content
    assert f"{past.date():%Y-%m-%d}" in content
    assert "expired" in content


def test_the_number_of_queries_does_not_depend_on_the_number_of_keys_or_projects(
    alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    owner = make_person("owner")

    def add(count: int) -> None:
        for _ in range(count):
            number = AgentKey.objects.count()
            project = make_project(owner, f"p{number}")
            join(project, alice, Role.READER)
            make_key(alice, f"Agent {number}")

    add(2)
    client = signed_in_long_ago(alice)
    with CaptureQueriesContext(connection) as few:
        client.get(KEYS)
    add(10)
    with django_assert_num_queries(len(few)):
        client.get(KEYS)


def test_the_choices_of_an_end_say_their_dates(alice: Person) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        content = shown(signed_in_long_ago(alice).get(KEYS).content)
        day = timezone.now() + timedelta(days=90)

    assert f"In 90 days, {day.day} {day:%B %Y}" in content
