"""The browser tests notice what they are there to notice."""

import pytest
from playwright.sync_api import Route

from tests.e2e.canaries import SHOP
from tests.e2e.judging import faults_of_page
from tests.e2e.keyboard import faults_of_tab_order, press_on, press_tab_until
from tests.e2e.leaks import expect_no_leaks, leaks
from tests.e2e.screens import PHONE
from tests.e2e.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

BAD_PAGE = f"""<!doctype html><title></title><body style="color:#999;background:#fff">
<script>console.error('broken'); window.hostile = 1; nothing.there</script>
<script src="http://127.0.0.1:9/x.js"></script>
<div style="width:900px">bob.canary@example.org {SHOP}</div>
<button style="outline:none"></button>{"x" * 210_000}"""
POLICY = "script-src 'none'"


def test_a_bad_page_is_found_out(visits: Visits, axe: str) -> None:
    visit = visits("mallory", screen=PHONE)
    visit.tab.route("**/bad", lambda route: serve(route, BAD_PAGE))

    visit.open("/bad")
    found = "\n".join(faults_of_page(visit, PHONE, axe=axe))

    for fault in (
        "console: broken",
        "script: nothing is not defined",
        "request to another place: http://127.0.0.1:9/x.js",
        "wide on a screen of 390: div",
        "loads 210,",
        "shows the email address of bob",
        f"shows the word {SHOP}",
        "runs markup that somebody wrote",
        "axe: document-title",
        "axe: color-contrast",
        "axe: button-name",
    ):
        assert fault in found
    assert faults_of_tab_order(visit.tab) == ["button  shows no mark of the focus"]


def test_what_the_content_security_policy_stops_is_a_fault(visits: Visits) -> None:
    visit = visits()
    visit.tab.route("**/strict", lambda route: serve(route, BAD_PAGE, POLICY))

    visit.open("/strict")

    assert [fault for fault in visit.faults if "Content Security Policy" in fault]
    assert "runs markup that somebody wrote" not in leaks(visit.tab, who=None)


def test_each_person_is_signed_in_as_themselves(visits: Visits) -> None:
    alice, mallory, nobody = visits("alice"), visits("mallory"), visits()

    for visit in (alice, mallory, nobody):
        visit.open("/")
        expect_no_leaks(visit.tab, who=visit.who)

    assert "alice/shop" in alice.tab.content()
    assert "alice/shop" not in mallory.tab.content()
    assert "Sign out" not in nobody.tab.content()


def test_a_link_signs_in_by_the_keyboard_alone(visits: Visits) -> None:
    visit = visits()
    visit.open(visit.world.sign_in_link("rita").removeprefix(visit.world.url))

    with visit.tab.expect_navigation():
        press_on(visit.tab, visit.tab.locator("main form button"))

    assert "alice/shop" in visit.tab.content()
    press_tab_until(visit.tab, visit.tab.get_by_role("link", name="Skip to the content"))


def test_a_link_signs_in_without_javascript(visits: Visits) -> None:
    visit = visits(javascript=False)
    visit.open(visit.world.sign_in_link("rita").removeprefix(visit.world.url))

    visit.tab.locator("main form button").click()

    visit.tab.wait_for_url(f"{visit.world.url}/")
    assert "alice/shop" in visit.tab.content()


def serve(route: Route, body: str, policy: str = "") -> None:
    headers = {"Content-Type": "text/html; charset=utf-8"}
    if policy:
        headers["Content-Security-Policy"] = policy
    route.fulfill(body=body, headers=headers)
