"""One-time links: once, for a while, for one person."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Person, SignInLink
from conderis.accounts.sign_in import (
    LIFETIME,
    access_sign_in_link,
    create_sign_in_link,
    use_sign_in_link,
)
from conderis.common.errors import Invalid, NotFound

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def token(alice: Person) -> str:
    with time_machine.travel(NOW, tick=False):
        return create_sign_in_link(Operator(), person=alice)


def at(moment: datetime) -> time_machine.travel:
    return time_machine.travel(moment, tick=False)


def test_a_link_signs_its_person_in_once(alice: Person, token: str) -> None:
    with at(NOW):
        assert use_sign_in_link(token) == alice

        with pytest.raises(NotFound):
            use_sign_in_link(token)


def test_looking_at_a_link_does_not_use_it_up(alice: Person, token: str) -> None:
    with at(NOW):
        for _ in range(3):
            assert access_sign_in_link(token).person == alice

        assert use_sign_in_link(token) == alice


def test_a_link_works_for_fifteen_minutes(alice: Person, token: str) -> None:
    with at(NOW + LIFETIME - timedelta(seconds=1)):
        assert access_sign_in_link(token).person == alice

    with at(NOW + LIFETIME), pytest.raises(NotFound):
        use_sign_in_link(token)

    assert timedelta(minutes=15) == LIFETIME


@pytest.mark.parametrize("unknown", ["", "nonsense", "a" * 5000, "\x00", "ä/é"])
def test_unknown_links_are_refused_as_used_ones_are(token: str, unknown: str) -> None:
    with at(NOW):
        use_sign_in_link(token)
        with pytest.raises(NotFound) as used:
            access_sign_in_link(token)

        with pytest.raises(NotFound) as refused:
            access_sign_in_link(unknown)

    assert refused.value.as_answer() == used.value.as_answer()


def test_a_deactivated_person_gets_no_link_and_cannot_use_one(alice: Person, token: str) -> None:
    Person.objects.filter(pk=alice.pk).update(is_active=False)
    alice.refresh_from_db()

    with at(NOW), pytest.raises(NotFound):
        use_sign_in_link(token)
    with pytest.raises(Invalid):
        create_sign_in_link(Operator(), person=alice)

    assert SignInLink.objects.get().used_at is None


def test_only_a_digest_is_stored(token: str) -> None:
    assert token not in str(SignInLink.objects.values().get())


def test_making_and_using_a_link_each_leave_an_audit_row(alice: Person, token: str) -> None:
    with at(NOW):
        use_sign_in_link(token)

    assert list(AuditEvent.objects.order_by("pk").values_list("action", "person_id")) == [
        ("sign_in_link.created", None),
        ("person.signed_in", alice.pk),
    ]
    assert all(token not in str(row) for row in AuditEvent.objects.values())


def test_links_of_long_ago_are_removed_with_the_next_one(alice: Person, token: str) -> None:
    with at(NOW + timedelta(days=2)):
        create_sign_in_link(Operator(), person=alice)

    assert SignInLink.objects.count() == 1
