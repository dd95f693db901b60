"""The profile page, the email address, and the appearance."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django import Settings

from conderis.accounts.models import Person
from tests.web.settings_pages import shown, signed_in_long_ago, signed_in_now

PAGES = [
    "/settings/",
    "/settings/security/",
    "/settings/keys/",
    "/settings/keys/abc/",
    "/settings/keys/abc/revoke/",
    "/settings/appearance/",
    "/settings/account/",
    "/settings/account/delete/",
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_who_is_not_signed_in_is_led_to_the_sign_in_page_and_back(
    client: Client, path: str
) -> None:
    for answer in (client.get(path), client.post(path)):
        if answer.status_code != 405:
            assert answer.status_code == 302
            assert answer["Location"] == f"/sign-in/?next={path}"


@pytest.mark.parametrize("path", [page for page in PAGES if "abc" not in page])
def test_every_page_has_a_title_one_heading_and_its_place_in_the_navigation(
    alice: Person, path: str
) -> None:
    content = signed_in_long_ago(alice).get(path).content.decode()

    assert content.count("<h1") == 1
    assert "Settings · Conderis</title>" in content
    assert content.count('aria-current="page">') >= 1
    assert "style=" not in content
    assert "onclick" not in content


def test_the_profile_shows_its_owner_the_handle_and_the_email_address(alice: Person) -> None:
    content = shown(signed_in_long_ago(alice).get("/settings/").content)

    assert "alice.canary@example.org" in content
    assert alice.ref in content
    assert "alice/name" in content


def test_display_name_and_time_zone_are_saved(alice: Person) -> None:
    client = signed_in_long_ago(alice)

    answer = client.post(
        "/settings/", {"display_name": "Alice Ash", "time_zone": "Europe/Berlin"}, follow=True
    )

    alice.refresh_from_db()
    assert (alice.display_name, alice.time_zone) == ("Alice Ash", "Europe/Berlin")
    assert answer.redirect_chain == [("/settings/", 302)]
    assert "Profile saved." in shown(answer.content)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"display_name": "a@b.example", "time_zone": "UTC"}, "cannot hold an email address"),
        ({"display_name": "", "time_zone": "UTC"}, "This field is required."),
        ({"display_name": "Alice", "time_zone": "Mars/Olympus"}, "not one of the available"),
    ],
)
def test_a_refused_profile_says_why_beside_the_field_and_changes_nothing(
    alice: Person, fields: dict[str, str], said: str
) -> None:
    answer = signed_in_long_ago(alice).post("/settings/", fields)

    alice.refresh_from_db()
    assert answer.status_code == 400
    assert said in shown(answer.content)
    assert 'aria-invalid="true"' in answer.content.decode()
    assert (alice.display_name, alice.time_zone) == ("Alice", "UTC")


def test_without_mail_the_email_address_is_changed_and_removed_here(alice: Person) -> None:
    client = signed_in_now(alice)

    changed = client.post("/settings/email/", {"email": "new@example.org"}, follow=True)
    alice.refresh_from_db()
    assert alice.email == "new@example.org"
    assert "new@example.org" in shown(changed.content)

    removed = client.post("/settings/email/", {"remove": "1"}, follow=True)
    alice.refresh_from_db()
    assert alice.email == ""
    assert "new@example.org" not in shown(removed.content)


def test_an_email_address_of_somebody_else_is_refused_without_saying_whose_it_is(
    alice: Person, bob: Person
) -> None:
    answer = signed_in_now(alice).post("/settings/email/", {"email": bob.email})

    alice.refresh_from_db()
    assert answer.status_code == 409
    assert "cannot be used here" in shown(answer.content)
    assert "Bob" not in shown(answer.content)
    assert alice.email == "alice.canary@example.org"


def test_an_email_address_that_is_none_is_refused(alice: Person) -> None:
    answer = signed_in_now(alice).post("/settings/email/", {"email": "alice"})

    assert answer.status_code == 400
    assert "email address" in shown(answer.content)


def test_with_mail_the_address_is_changed_on_the_page_that_confirms_it(
    alice: Person, settings: Settings
) -> None:
    settings.MAIL_URL = "smtp://localhost"
    client = signed_in_now(alice)

    assert "/account/email/" in client.get("/settings/").content.decode()
    answer = client.post("/settings/email/", {"email": "new@example.org"})

    alice.refresh_from_db()
    assert answer["Location"] == "/account/email/"
    assert alice.email == "alice.canary@example.org"


def test_theme_language_and_keys_are_saved_and_count_at_once(alice: Person) -> None:
    client = signed_in_long_ago(alice)

    answer = client.post("/settings/appearance/", {"theme": "dark", "language": "de"}, follow=True)

    alice.refresh_from_db()
    content = answer.content.decode()
    assert (alice.theme, alice.language, alice.single_keys) == ("dark", "de", False)
    assert 'data-theme="dark"' in content
    assert answer["Content-Language"] == "de"
    assert 'data-keys="off"' in content


def test_theme_and_language_follow_the_system_again(alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(theme="dark", language="de", single_keys=False)
    client = signed_in_long_ago(alice)

    client.post("/settings/appearance/", {"theme": "", "language": "", "single_keys": "on"})

    alice.refresh_from_db()
    assert (alice.theme, alice.language, alice.single_keys) == ("", "", True)


def test_a_theme_or_language_that_there_is_not_is_refused(alice: Person) -> None:
    answer = signed_in_long_ago(alice).post(
        "/settings/appearance/", {"theme": "sepia", "language": "xx"}
    )

    alice.refresh_from_db()
    assert answer.status_code == 400
    assert (alice.theme, alice.language) == ("", "")


def test_another_handle_is_taken_on_the_profile_and_refused_beside_its_field(
    client: Client, alice: Person, bob: Person
) -> None:
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")

    taken = client.post("/settings/handle/", {"handle": "bob"})
    done = client.post("/settings/handle/", {"handle": "alicia"})

    assert taken.status_code == 409
    assert 'id="id_handle_error"' in taken.content.decode()
    assert done["Location"] == "/settings/"
    assert Person.objects.get(pk=alice.pk).handle == "alicia"


@pytest.mark.parametrize("sent", [{"email": "New@example.org"}, {"remove": "1"}])
def test_the_former_address_signs_nobody_in_any_more(alice: Person, sent: dict[str, str]) -> None:
    alice.set_password("correct horse battery 7391")
    alice.save()
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    steps = {"login": alice.email, "password": "correct horse battery 7391"}
    before = Client().post("/sign-in/", steps)

    signed_in_now(alice).post("/settings/email/", sent)
    after = Client().post("/sign-in/", steps)

    assert before.status_code == 302
    assert after.status_code == 200
    assert not EmailAddress.objects.filter(email__iexact="alice.canary@example.org").exists()
