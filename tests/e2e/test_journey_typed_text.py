"""What somebody types is never lost: the sign-in ends, or another one stores in between."""

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from tests.e2e.journeys import Stage, both_ways, faults, heading, said
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

PROJECT = "/ada/orchard"
TEXT = 'First line.\n\n<b>"Second"</b> & {{ third }}\n  indented'


@both_ways
def test_text_typed_before_the_sign_in_ended_is_sent_after_signing_in_in_a_new_tab(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    ada = stage.visit("ada", javascript=javascript)
    title = f"Pruning {javascript}"
    path = f"{PROJECT}/items/new/page/"

    ada.open(path)
    fill(ada.tab, title, TEXT)
    end_sign_in(ada)
    press(ada.tab, "New page")
    heading(ada.tab, "Your sign-in has ended")
    expect_typed(ada.tab, title)

    sign_in_beside(stage, ada)
    press(ada.tab, "Send again")
    heading(ada.tab, "Send it once more")
    expect_typed(ada.tab, title)
    press(ada.tab, "Send again")

    said(ada.tab, "is stored as version 1")
    heading(ada.tab, title)
    ada.tab.get_by_role("link", name="Edit").click()
    expect(ada.tab.get_by_label("Content")).to_have_value(TEXT)
    assert faults(ada, but="403") == []


def test_who_stores_later_sees_both_texts_and_stores_what_they_choose(visits: Visits) -> None:
    stage = Stage(visits)
    slow, fast = (stage.visit("ada", javascript=javascript) for javascript in (False, True))
    slow.open(f"{PROJECT}/items/new/page/")
    fill(slow.tab, "Grafting", "one\n\ntwo\n\nthree")
    press(slow.tab, "New page")
    heading(slow.tab, "Grafting")
    path = slow.tab.url.removeprefix(slow.world.url)

    for visit in (slow, fast):
        visit.open(f"{path.partition('?')[0]}edit/")
    fill(fast.tab, "Grafting", "one\n\ntheirs\n\nthree")
    press(fast.tab, "Store")
    fill(slow.tab, "Grafting", "one\n\nmine\n\nthree")
    press(slow.tab, "Store")

    heading(slow.tab, "Somebody else has changed it meanwhile")
    clash = slow.tab.get_by_role("region", name="Content: changed on both sides")
    expect(clash).to_contain_text("theirs")
    expect(clash).to_contain_text("mine")
    expect(slow.tab.locator("#id_content")).to_have_value("one\n\nmine\n\nthree")
    clash.get_by_role("link", name="To the field Content").click()
    fill(slow.tab, "Grafting", "one\n\ntheirs and mine\n\nthree")
    press(slow.tab, "Store")

    said(slow.tab, "is stored as version 3")
    expect(slow.tab.get_by_role("main")).to_contain_text("theirs and mine")
    assert faults(slow, but="409") == faults(fast) == []


def fill(tab: Tab, title: str, text: str) -> None:
    tab.locator("#id_title").fill(title)
    tab.locator("#id_content").fill(text)


def press(tab: Tab, name: str) -> None:
    with tab.expect_navigation():
        tab.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def expect_typed(tab: Tab, title: str) -> None:
    expect(tab.get_by_label("Title")).to_have_value(title)
    expect(tab.get_by_label("Content")).to_have_value(TEXT)


def end_sign_in(visit: Visit) -> None:
    """As after a month away: the browser has dropped the session, and kept the token."""
    visit.tab.context.clear_cookies(name="conderis_session")


def sign_in_beside(stage: Stage, visit: Visit) -> None:
    """Sign in in another tab of the same browser."""
    beside = visit.tab.context.new_page()
    beside.goto(visit.world.address(stage.link("ada")))
    beside.get_by_role("button", name="Sign in").click()
    beside.wait_for_url(f"{visit.world.url}/")
    beside.close()
