"""The second step: authenticator apps, recovery codes, passkeys."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from conderis.accounts.models import AuditEvent, Person
from conderis.web.signing_in.second_factors import SecondFactorAdapter
from tests.web.signing_in_steps import browser_of, sign_in, text, use, who, with_password

ACTIVATE = "/account/2fa/totp/activate/"
CODE = "/account/2fa/authenticate/"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def without_mail(settings: Settings) -> None:
    use(settings)


@pytest.fixture
def ada(alice: Person) -> Person:
    return with_password(alice)


@pytest.fixture
def browser(ada: Person) -> Client:
    return browser_of(ada)


def code_of(secret: str, which: int = 1) -> str:
    """A code that fits now: the one before, the current or the next."""
    code: str = format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[which]))
    return code


@pytest.fixture
def secret(browser: Client) -> str:
    """The app's secret, set up."""
    shown = text(browser.get(ACTIVATE))
    found: str
    (found,) = re.findall(r'totp-secret">([A-Z2-7]+)<', shown)
    answer = browser.post(ACTIVATE, {"code": code_of(found, 0)})
    assert answer.status_code == 302, text(answer)
    return found


def test_an_app_is_set_up_by_its_first_code(browser: Client) -> None:
    shown = text(browser.get(ACTIVATE))

    assert 'src="data:image/svg+xml' in shown
    assert "This code is not right" in text(browser.post(ACTIVATE, {"code": "000000"}))
    assert not Authenticator.objects.exists()


def test_setting_an_app_up_is_in_the_audit_log(
    browser: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    (found,) = re.findall(r'totp-secret">([A-Z2-7]+)<', text(browser.get(ACTIVATE)))

    with django_capture_on_commit_callbacks(execute=True):
        browser.post(ACTIVATE, {"code": code_of(found)})

    assert AuditEvent.objects.filter(action="security.totp_activated").count() == 1


def test_the_password_alone_no_longer_lets_in(client: Client, secret: str) -> None:
    assert sign_in(client, "alice")["Location"] == CODE
    assert who(client) is None
    assert client.get("/account/sessions/").status_code == 302

    client.post(CODE, {"code": code_of(secret)})

    assert who(client) == "alice"


def test_a_code_lets_in_once(secret: str) -> None:
    code, first, second = code_of(secret), Client(), Client()
    for client in (first, second):
        sign_in(client, "alice")
        client.post(CODE, {"code": code})

    assert (who(first), who(second)) == ("alice", None)


def test_a_recovery_code_lets_in_once(ada: Person, secret: str) -> None:
    stored = Authenticator.objects.get(user=ada, type=Authenticator.Type.RECOVERY_CODES)
    code, first, second = RecoveryCodes(stored).get_unused_codes()[0], Client(), Client()
    for client in (first, second):
        sign_in(client, "alice")
        client.post(CODE, {"code": code})

    assert (who(first), who(second)) == ("alice", None)


def test_guessing_codes_is_stopped_with_a_page_that_says_so(client: Client, secret: str) -> None:
    sign_in(client, "alice")

    tries = [client.post(CODE, {"code": f"00000{number}"}) for number in range(6)]

    assert [answer.status_code for answer in tries] == [200] * 5 + [429]
    assert client.post(CODE, {"code": code_of(secret)}).status_code == 429


def test_the_second_step_page_offers_a_passkey_and_a_way_back(client: Client, secret: str) -> None:
    sign_in(client, "alice")

    shown = text(client.get(CODE))

    assert 'id="mfa_webauthn_authenticate"' in shown
    assert "Cancel" in shown
    assert "@" not in shown


def test_recovery_codes_are_shown_downloaded_and_made_anew(browser: Client, secret: str) -> None:
    shown = text(browser.get("/account/2fa/recovery-codes/"))
    codes = re.findall(r"<li><code>(\d{8})</code>", shown)
    loaded = browser.get("/account/2fa/recovery-codes/download/")

    browser.post("/account/2fa/recovery-codes/generate/")
    anew = text(browser.get("/account/2fa/recovery-codes/"))

    assert len(codes) == 10
    assert loaded.content.decode().split() == codes
    assert loaded["Content-Disposition"].startswith("attachment")
    assert not any(code in anew for code in codes)


def test_turning_the_app_off_lets_the_password_in_again(browser: Client, secret: str) -> None:
    browser.post("/account/2fa/totp/deactivate/")

    assert not Authenticator.objects.exists()
    assert sign_in(Client(), "alice")["Location"] == "/"


def test_the_app_shows_the_handle_and_never_the_address(ada: Person, browser: Client) -> None:
    adapter = SecondFactorAdapter()

    url = adapter.build_totp_url(ada, "SECRET")

    assert url.startswith("otpauth://totp/alice?")
    assert "issuer=Conderis" in url
    assert "canary" not in text(browser.get(ACTIVATE))


def test_secrets_are_not_stored_in_the_clear(secret: str) -> None:
    assert secret not in str(list(Authenticator.objects.values_list("data", flat=True)))


def test_after_another_secret_key_no_code_fits(
    ada: Person, secret: str, settings: Settings
) -> None:
    stored = Authenticator.objects.get(user=ada, type=Authenticator.Type.TOTP)
    settings.SECRET_KEY = "another-secret-" + "9876543210" * 4

    lost = {SecondFactorAdapter().decrypt(stored.data["secret"]) for _ in range(2)}

    assert secret not in lost
    assert len(lost) == 2


def test_a_passkey_is_made_under_the_handle_and_the_name(browser: Client) -> None:
    shown = text(browser.get("/account/2fa/passkeys/add/"))

    assert '"name": "alice"' in shown
    assert '"displayName": "Alice"' in shown
    assert "canary" not in shown
    assert 'value="Passkey 1"' in shown


def test_the_passkey_pages_show_rename_and_remove(ada: Person, browser: Client) -> None:
    key = Authenticator.objects.create(
        user=ada,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Blue key", "credential": {"clientExtensionResults": {}}},
    )

    listed = text(browser.get("/account/2fa/passkeys/"))
    browser.post(f"/account/2fa/passkeys/keys/{key.pk}/edit/", {"name": "Green key"})
    asked = text(browser.get(f"/account/2fa/passkeys/keys/{key.pk}/remove/"))
    browser.post(f"/account/2fa/passkeys/keys/{key.pk}/remove/")

    assert "Blue key" in listed
    assert "Green key" in asked
    assert not Authenticator.objects.exists()


def test_nobody_reaches_the_passkeys_of_another(ada: Person, bob: Person) -> None:
    key = Authenticator.objects.create(
        user=ada,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Blue key", "credential": {"clientExtensionResults": {}}},
    )
    stranger = browser_of(with_password(bob))

    for page in ("edit", "remove"):
        path = f"/account/2fa/passkeys/keys/{key.pk}/{page}/"
        assert stranger.get(path).status_code == 404
        assert stranger.post(path, {"name": "mine"}).status_code == 404


def test_the_sign_in_page_gets_what_a_passkey_needs(client: Client) -> None:
    answer = client.get("/account/2fa/passkeys/login/", headers={"Accept": "application/json"})

    assert set(answer.json()) >= {"request_options"}
    assert 'id="passkey_login"' in text(client.get("/sign-in/"))
