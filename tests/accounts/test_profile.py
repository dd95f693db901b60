"""What people change about themselves."""

from collections.abc import Callable
from typing import Any

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.accounts.people import EmailTaken
from conderis.accounts.profile import (
    change_email,
    change_preferences,
    change_profile,
    time_zones,
)
from conderis.common.errors import Denied, DomainError, Invalid
from tests.factories import agent_caller, person_caller


def test_name_and_time_zone_are_changed_with_one_audit_row_that_names_the_fields(
    alice: Person,
) -> None:
    change_profile(
        person_caller(alice),
        fields={"displayName": "  Alice Cafe\u0301 ", "timeZone": "Europe/Berlin"},
    )

    alice.refresh_from_db()
    event = AuditEvent.objects.get()
    assert (alice.display_name, alice.time_zone) == ("Alice Café", "Europe/Berlin")
    assert (event.action, event.subject) == ("person.changed", alice.ref)
    assert event.detail == {"fields": ["displayName", "timeZone"]}


def test_an_omitted_field_is_kept_and_no_time_zone_is_utc(alice: Person) -> None:
    caller = person_caller(alice)
    change_profile(caller, fields={"timeZone": "Asia/Tokyo"})

    change_profile(caller, fields={"timeZone": None})

    alice.refresh_from_db()
    assert (alice.display_name, alice.time_zone) == ("Alice", "UTC")


@pytest.mark.parametrize("fields", [{}, {"displayName": " Alice ", "timeZone": "UTC"}])
def test_what_stands_already_leaves_no_audit_row(alice: Person, fields: dict[str, Any]) -> None:
    change_profile(person_caller(alice), fields=fields)

    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("displayName", {"displayName": ""}),
        ("displayName", {"displayName": "  "}),
        ("displayName", {"displayName": None}),
        ("displayName", {"displayName": 7}),
        ("displayName", {"displayName": "a" * 81}),
        ("displayName", {"displayName": "two\nlines"}),
        ("displayName", {"displayName": "a\x00b"}),
        ("displayName", {"displayName": "alice@example.org"}),
        ("displayName", {"displayName": "Alice <alice@example.org>"}),
        ("timeZone", {"timeZone": ""}),
        ("timeZone", {"timeZone": "Europe"}),
        ("timeZone", {"timeZone": "europe/berlin"}),
        ("timeZone", {"timeZone": "localtime"}),
        ("timeZone", {"timeZone": "../UTC"}),
        ("timeZone", {"timeZone": ["UTC"]}),
        ("handle", {"handle": "other"}),
        ("is_superuser", {"displayName": "Eve", "is_superuser": True}),
        ("fields", []),
    ],
)
def test_a_bad_profile_is_refused_with_its_field_and_nothing_changes(
    alice: Person, field: str, fields: Any
) -> None:
    with pytest.raises(DomainError) as refused:
        change_profile(person_caller(alice), fields=fields)

    alice.refresh_from_db()
    assert refused.value.details["field"] == field
    assert (alice.display_name, alice.time_zone, alice.is_superuser) == ("Alice", "UTC", False)
    assert not AuditEvent.objects.exists()


@pytest.mark.no_database
def test_the_zones_to_choose_from_are_sorted_places() -> None:
    zones = time_zones()

    assert list(zones) == sorted(zones)
    assert {"UTC", "Europe/Berlin", "America/New_York"} <= set(zones)
    assert not {"Factory", "localtime"} & set(zones)


def test_an_email_address_is_changed_and_taken_away_without_a_trace_of_its_text(
    alice: Person,
) -> None:
    change_email(person_caller(alice), email=" new.alice@example.org ")
    alice.refresh_from_db()
    changed = alice.email
    change_email(person_caller(alice), email="")

    alice.refresh_from_db()
    events = list(AuditEvent.objects.all())
    assert (changed, alice.email) == ("new.alice@example.org", "")
    assert [event.action for event in events] == ["person.email_changed"] * 2
    assert [event.detail for event in events] == [{}, {}]


def test_the_same_email_address_again_leaves_no_audit_row(alice: Person) -> None:
    change_email(person_caller(alice), email=alice.email)

    assert not AuditEvent.objects.exists()


def test_an_email_address_of_another_person_is_refused_without_saying_whose(
    alice: Person, bob: Person
) -> None:
    before = alice.email

    with pytest.raises(EmailTaken) as refused:
        change_email(person_caller(alice), email=bob.email.upper())

    alice.refresh_from_db()
    assert "bob" not in str(refused.value.as_answer()).lower()
    assert refused.value.details["field"] == "email"
    assert alice.email == before
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("email", ["alice", "a@b", " ", "a" * 250 + "@example.org"])
def test_what_is_no_email_address_is_refused(alice: Person, email: str) -> None:
    with pytest.raises(DomainError) as refused:
        change_email(person_caller(alice), email=email)

    assert refused.value.details["field"] == "email"


def test_preferences_are_changed_one_by_one(alice: Person) -> None:
    caller = person_caller(alice)

    change_preferences(caller, theme="dark")
    change_preferences(caller, language="en")
    change_preferences(caller, single_keys=False)

    alice.refresh_from_db()
    assert (alice.theme, alice.language, alice.single_keys) == ("dark", "en", False)
    change_preferences(caller, theme="", language="")
    alice.refresh_from_db()
    assert (alice.theme, alice.language, alice.single_keys) == ("", "", False)


@pytest.mark.parametrize(
    ("field", "preferences"),
    [
        ("theme", {"theme": "sepia"}),
        ("language", {"language": "tlh"}),
        ("language", {"theme": "dark", "language": "a" * 40}),
    ],
)
def test_an_unknown_preference_is_refused_with_what_is_allowed(
    alice: Person, field: str, preferences: dict[str, Any]
) -> None:
    with pytest.raises(Invalid) as refused:
        change_preferences(person_caller(alice), **preferences)

    alice.refresh_from_db()
    assert refused.value.details["field"] == field
    assert "" in refused.value.details["allowed"]
    assert (alice.theme, alice.language) == ("", "")


def test_no_agent_changes_its_persons_account(alice: Person) -> None:
    robo = agent_caller(alice)

    calls: list[Callable[[], Person]] = [
        lambda: change_profile(robo, fields={"displayName": "Robo"}),
        lambda: change_email(robo, email="robo@example.org"),
        lambda: change_preferences(robo, theme="dark"),
    ]
    for call in calls:
        with pytest.raises(Denied) as refused:
            call()
        assert refused.value.details["missing"] == "person"

    alice.refresh_from_db()
    assert (alice.display_name, alice.theme) == ("Alice", "")
