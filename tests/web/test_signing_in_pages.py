"""Every page of signing in: that it answers, in our look, and holds no address."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.web.signing_in.urls import urlpatterns
from tests.web.signing_in_steps import browser_of, text, use, with_password

NAMES = sorted(str(pattern.name) for pattern in urlpatterns)
SHOWS_THE_OWN_ADDRESS = {"account_email"}
ARGUMENTS: dict[str, list[object]] = {
    "sign-in": ["token"],
    "invitation": ["token"],
    "account_confirm_email": ["key"],
    "account_reset_password_from_key": ["1", "key"],
    "mfa_edit_webauthn": [1],
    "mfa_remove_webauthn": [1],
    "openid_connect_login": ["sso"],
    "openid_connect_callback": ["sso"],
}
FOREIGN_WORDS = re.compile(r"(?i)\bplease\b|successful|!</|\boops\b|sorry")


@pytest.fixture(params=["mail", "no mail"])
def mail(request: pytest.FixtureRequest, settings: Settings) -> str:
    settings.SIGN_UP = "open"
    use(settings, mail=request.param == "mail")
    return str(request.param)


@pytest.fixture
def browser(alice: Person, settings: Settings) -> Client:
    use(settings)
    return browser_of(with_password(alice))


def path_of(name: str) -> str:
    return reverse(name, args=ARGUMENTS.get(name, []))


def test_every_address_has_a_name_that_leads_to_it() -> None:
    for name in NAMES:
        try:
            path_of(name)
        except NoReverseMatch:  # pragma: no cover
            pytest.fail(f"{name} needs arguments")


@pytest.mark.parametrize("name", NAMES)
def test_every_page_answers_who_is_signed_out(
    client: Client, mail: str, name: str, db: None
) -> None:
    answer = client.get(path_of(name), follow=True)

    assert answer.status_code < 500
    if answer["Content-Type"].startswith("text/html"):
        check(text(answer), signed_in=False)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_answers_who_is_signed_in(browser: Client, mail: str, name: str) -> None:
    answer = browser.get(path_of(name), follow=True)

    assert answer.status_code < 500
    if answer["Content-Type"].startswith("text/html"):
        check(text(answer), signed_in=True)
        assert name in SHOWS_THE_OWN_ADDRESS or "canary" not in text(answer)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_answers_who_has_a_second_step(
    alice: Person, browser: Client, name: str
) -> None:
    TOTP.activate(alice, generate_totp_secret())

    answer = browser.get(path_of(name), follow=True)

    assert answer.status_code < 500
    assert Authenticator.objects.count() == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_form_breaks_nothing(browser: Client, mail: str, name: str) -> None:
    assert browser.post(path_of(name)).status_code < 500
    assert Client().post(path_of(name)).status_code < 500


@pytest.mark.parametrize("name", ["account_change_password", "mfa_index", "usersessions_list"])
def test_pages_of_the_account_stand_among_the_settings(browser: Client, name: str) -> None:
    shown = text(browser.get(path_of(name)))

    assert re.search(r'settings/security/" aria-current="page"', shown)


def check(shown: str, *, signed_in: bool) -> None:
    """A page of ours: one heading, a title, no script or style in it, our words."""
    assert shown.count("<h1") == 1
    assert "<title>" in shown
    assert " · Conderis</title>" in shown
    assert 'style="' not in shown
    assert not re.search(r"\son[a-z]+=", shown)
    assert not re.search(r"<script(?![^>]*(src=|application/json))", shown)
    assert not FOREIGN_WORDS.search(shown)
    # The search in the bar, which is no form of the page, has one beside its label.
    assert 'placeholder="' not in shown[shown.index("<main") :]
    assert ("Sign out" in shown) or not signed_in or 'class="door"' in shown
