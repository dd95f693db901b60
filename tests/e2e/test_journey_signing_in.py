"""Getting in by a password with a second step, and by a passkey."""

import base64
import hmac
import time

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import PASSWORD, Stage, faults, heading, said
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

STEP_SECONDS = 30
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_password_takes_a_code_of_the_app_or_a_recovery_code(visits: Visits) -> None:
    stage = Stage(visits)
    tess = stage.visit(javascript=False)
    stage.arrive(tess, "tess")
    set_password(tess)
    secret = set_up_app(tess)
    tess.open("/account/2fa/recovery-codes/")
    recovery = tess.tab.locator(".codes code").first.inner_text()

    sign_out(tess)
    send_password(tess, "tess")
    tess.open("/settings/")  # with the password alone one stays at the door
    heading(tess.tab, "The second step")

    send_code(tess, wrong_code(secret))
    expect(tess.tab.get_by_role("main")).to_contain_text("This code is not right.")
    send_code(tess, code(secret, later=1))
    expect_signed_in(tess)

    tess.tab.context.clear_cookies()
    send_password(tess, "tess")
    send_code(tess, recovery)
    expect_signed_in(tess)

    tess.tab.context.clear_cookies()
    send_password(tess, "tess")
    send_code(tess, recovery)
    expect(tess.tab.get_by_role("main")).to_contain_text("This code is not right.")
    expect_no_leaks(tess.tab, who=None)
    assert faults(tess) == []


def test_a_passkey_signs_in_alone(visits: Visits) -> None:
    stage = Stage(visits)
    pia = stage.visit()
    device = pia.tab.context.new_cdp_session(pia.tab)
    # Browsers make no passkey for a tab that is not in front; others may be open here.
    pia.tab.bring_to_front()
    device.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    stage.arrive(pia, "pia")

    add_passkey(pia, "Blue key")
    pia.open("/account/2fa/passkeys/")
    expect(pia.tab.get_by_role("row", name="Blue key")).to_contain_text("Never")

    sign_out(pia)
    pia.open("/sign-in/")
    pia.tab.get_by_role("button", name="Use a passkey").click()
    expect_signed_in(pia)
    pia.open("/account/2fa/passkeys/")
    expect(pia.tab.get_by_role("row", name="Blue key")).not_to_contain_text("Never")
    assert faults(pia) == []


def add_passkey(visit: Visit, name: str) -> None:
    visit.open("/settings/security/")
    visit.tab.get_by_role("main").get_by_role("link", name="Passkeys").click()
    visit.tab.get_by_role("link", name="Add a passkey").click()
    visit.tab.get_by_label("Name").fill(name)
    expect(visit.tab.get_by_label("Sign in with it alone")).to_be_checked()
    visit.tab.get_by_role("button", name="Add the passkey").click()
    visit.tab.wait_for_url(lambda url: "/add/" not in url)


def set_password(visit: Visit) -> None:
    visit.open("/settings/security/")
    visit.tab.get_by_role("link", name="Set a password").click()
    visit.tab.get_by_label("New password", exact=True).fill(PASSWORD)
    visit.tab.get_by_label("New password again").fill(PASSWORD)
    visit.tab.get_by_role("button", name="Set the password").click()
    said(visit.tab, "assword")


def set_up_app(visit: Visit) -> str:
    """Turn the second step on; the secret that the app has."""
    visit.open("/settings/security/")
    visit.tab.get_by_role("main").get_by_role("link", name="Authenticator app").click()
    visit.tab.get_by_role("link", name="Set up an app").click()
    secret = visit.tab.locator(".totp-secret").inner_text()
    visit.tab.get_by_label("Code").fill(code(secret))
    visit.tab.get_by_role("button", name="Turn the second step on").click()
    heading(visit.tab, "Recovery codes")
    return secret


def sign_out(visit: Visit) -> None:
    visit.open("/")
    visit.tab.locator(".menu summary").click()
    visit.tab.get_by_role("button", name="Sign out").click()
    expect(visit.tab.get_by_role("link", name="Sign in").first).to_be_visible()


def send_password(visit: Visit, handle: str) -> None:
    visit.open("/sign-in/")
    visit.tab.get_by_label("Email address or handle").fill(handle)
    visit.tab.get_by_label("Password").fill(PASSWORD)
    visit.tab.get_by_role("button", name="Sign in").click()
    heading(visit.tab, "The second step")


def send_code(visit: Visit, text: str) -> None:
    visit.tab.get_by_label("Code").fill(text)
    visit.tab.get_by_role("button", name="Sign in").click()


def expect_signed_in(visit: Visit) -> None:
    expect(visit.tab).to_have_url(f"{visit.world.url}/")
    expect(visit.tab.locator(".menu")).to_have_count(1)


def code(secret: str, *, later: int = 0) -> str:
    """The code of RFC 6238 for now, or for so many steps later: each code works once."""
    step = int(time.time()) // STEP_SECONDS + later
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    at = digest[-1] & 0xF
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def wrong_code(secret: str) -> str:
    """A code that does not work now, nor in the steps beside."""
    good = {code(secret, later=steps) for steps in range(-2, 4)}
    return next(text for text in map("{:06}".format, range(10)) if text not in good)
