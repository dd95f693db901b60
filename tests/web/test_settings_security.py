"""The security page, and what happened to the account."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries, Settings

from conderis.accounts import audit
from conderis.accounts.models import Person
from tests.factories import person_caller
from tests.web.settings_pages import shown, signed_in_long_ago, signed_in_now, without_password


def happen(person: Person, times: int) -> None:
    for _ in range(times):
        audit.record(person_caller(person), action="person.changed", subject=person.ref)


def test_who_has_no_password_is_led_to_set_one_and_who_has_one_to_change_it(
    alice: Person,
) -> None:
    client = signed_in_long_ago(without_password(alice))
    assert "/account/password/set/" in client.get("/settings/security/").content.decode()

    alice.set_password("correct horse battery")
    alice.save()
    content = signed_in_long_ago(alice).get("/settings/security/").content.decode()

    assert "/account/password/change/" in content
    assert "/account/password/set/" not in content


def test_single_sign_on_is_named_where_the_server_has_it(alice: Person, settings: Settings) -> None:
    client = signed_in_long_ago(alice)
    assert "Single sign-on" not in shown(client.get("/settings/security/").content)

    settings.OIDC = [{"name": "Fernwood id"}]
    content = shown(client.get("/settings/security/").content)

    assert "Fernwood id" in content
    assert "/account/sso/" in content


def test_events_of_ones_own_account_are_shown_and_nobody_elses(alice: Person, bob: Person) -> None:
    client = signed_in_now(alice)
    happen(bob, 1)

    content = shown(client.get("/settings/security/").content)

    assert "Signed in by a link" in content
    assert "Profile changed" not in content


def test_an_event_that_has_no_words_yet_is_shown_by_its_word_in_the_log(alice: Person) -> None:
    audit.record(person_caller(alice), action="person.sang", subject=alice.ref)

    content = shown(signed_in_long_ago(alice).get("/settings/security/").content)

    assert "<code>person.sang</code>" in content


def test_older_events_are_on_further_pages_without_gap_or_repetition(alice: Person) -> None:
    happen(alice, 45)
    client = signed_in_long_ago(alice)

    path, seen, pages = "/settings/security/", 0, 0
    while path:
        content = client.get(path).content.decode()
        seen += content.count("Profile changed")
        pages += 1
        _, found, rest = content.partition('href="/settings/security/?before=')
        path = f"/settings/security/?before={rest.partition('#')[0]}" if found else ""

    assert (seen, pages) == (45, 3)


def test_a_page_of_events_that_there_cannot_be_is_refused(alice: Person) -> None:
    client = signed_in_long_ago(alice)

    for before in ("x", "0", "-1", "9" * 19, "9" * 40, "²"):
        assert client.get("/settings/security/", {"before": before}).status_code == 400


def test_the_number_of_queries_does_not_depend_on_the_number_of_events(
    alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in_long_ago(alice)
    happen(alice, 2)
    with CaptureQueriesContext(connection) as few:
        client.get("/settings/security/")
    happen(alice, 10)
    with django_assert_num_queries(len(few)):
        client.get("/settings/security/")
