"""The main ways by the keyboard alone."""

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Tab

from tests.e2e.journeys import Stage, faults, heading, said
from tests.e2e.keyboard import press_on, press_tab_until
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

NO_POINTER = "addEventListener('pointerdown', () => console.error('a pointer was used'))"


def test_signing_in_and_creating_a_key_takes_no_mouse(visits: Visits) -> None:
    stage = Stage(visits)
    kai = keyboard_visit(stage)
    tab = kai.tab
    kai.open(stage.link("kai"))
    follow(tab, tab.get_by_role("button", name="Sign in"))
    assert tab.url == f"{stage.world.url}/"

    press_tab_until(tab, tab.get_by_role("link", name="Skip to the content"), most=1)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("main")).to_be_focused()
    menu = tab.locator(".menu summary")
    press_tab_until(tab, menu, key="Shift+Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator(".menu")).to_have_attribute("open", "")
    tab.keyboard.press("Tab")
    expect(tab.locator(".menu a").locator("visible=true").first).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator(".menu[open]")).to_have_count(0)
    expect(menu).to_be_focused()
    tab.keyboard.press("Enter")
    follow(tab, tab.get_by_role("link", name="Agent keys"))

    press_tab_until(tab, tab.get_by_label("Name of the agent"))
    tab.keyboard.type("Spade")
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    heading(tab, "Key for “Spade” created")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press_on(tab, tab.get_by_role("button", name="Copy"))
    said(tab, "Copied.")
    expect(tab.get_by_role("button", name="Copy")).to_be_focused()
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied == tab.locator("#secret").inner_text()
    assert faults(kai) == []


def test_changing_a_role_and_the_theme_takes_no_mouse(visits: Visits) -> None:
    stage = Stage(visits)
    kai = keyboard_visit(stage, "kai")
    tab = kai.tab
    kai.open("/")

    press_j_until(tab, tab.get_by_role("link", name="kai/terrace"))
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    tabs = tab.get_by_role("navigation", name="Project")
    follow(tab, tabs.get_by_role("link", name="Settings"))
    follow(tab, tab.get_by_role("link", name="Members"))
    follow(tab, tab.get_by_role("link", name="Change Ben"))
    press_tab_until(tab, tab.get_by_role("radio", name="Contributor"))
    tab.keyboard.press("ArrowUp")
    expect(tab.get_by_role("radio", name="Reader")).to_be_focused()
    follow(tab, tab.get_by_role("button", name="Save role"))
    said(tab, "Ben is now Reader.")

    follow(tab, tab.get_by_role("button", name="Dark"))
    expect(tab.locator("html")).to_have_attribute("data-theme", "dark")
    assert tab.url.endswith("/kai/terrace/settings/members/")
    follow(tab, tab.get_by_role("button", name="System"))
    expect(tab.locator("html[data-theme]")).to_have_count(0)
    assert faults(kai) == []


def test_the_sign_of_the_agent_keeps_the_focus_where_it_was(visits: Visits) -> None:
    stage = Stage(visits)
    kai = keyboard_visit(stage, "kai")
    tab = kai.tab
    kai.open("/connect/?project=kai/meadow")
    name = tab.get_by_label("Name of the agent")
    press_tab_until(tab, name)
    tab.keyboard.press("Control+A")
    tab.keyboard.type("Rake")
    follow(tab, tab.get_by_role("button", name="Create key"))
    said(tab, "Key for Rake created.")
    key = tab.locator("#the-key").inner_text()
    sign = tab.locator(".connect-sign")
    again = sign.get_by_role("link", name="Check again")

    press_tab_until(tab, again)
    with stage.agent(key) as rake:
        rake.recall()
        expect(sign).to_contain_text("Rake has connected")

    assert focused_in(tab, ".connect-sign"), "the swap threw the focus back to the top of the page"
    assert faults(kai) == []


def keyboard_visit(stage: Stage, who: str | None = None) -> Visit:
    """A tab in which any use of a pointer is a fault."""
    visit = stage.visit(who)
    visit.tab.add_init_script(NO_POINTER)
    return visit


def follow(tab: Tab, target: Locator) -> None:
    """Press Enter on this element, and wait for the page that it leads to."""
    with tab.expect_navigation():
        press_on(tab, target)
    # A tab is two steps of the history at once; the second has arrived when a script has run.
    tab.evaluate("true")


def press_j_until(tab: Tab, target: Locator) -> None:
    """Walk down the titles of a list by its single key, to this one."""
    for _ in range(20):
        tab.keyboard.press("j")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Not reached by j: {target}")


def focused_in(tab: Tab, selector: str) -> bool:
    found: bool = tab.evaluate(
        "selector => document.activeElement.closest(selector) !== null", selector
    )
    return found
