"""Tabs, filters and pages of lists: what stays, where the focus goes, and what is said."""

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Tab

from tests.e2e.journeys import Stage, both_ways, faults
from tests.e2e.keyboard import press_on
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

MARKED = "[data-stays]"
PEBBLES = """
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from items.requests import Address, StoreRequest
from proposals.writing import store
kai = caller_of_person(Person.objects.get(handle="kai"), Surface.WEB)
for number in range(22):
    fields = {"title": f"Pebble {number}", "content": "round"}
    store(kai, StoreRequest(Address(), kind="memory", fields=fields))
"""


@pytest.fixture
def stage(visits: Visits) -> Stage:
    return Stage(visits)


def garden(stage: Stage, *, javascript: bool = True) -> Visit:
    """Kai in the garden, with some tasks there; the bar of the tabs carries a mark."""
    kai = stage.visit("kai", javascript=javascript)
    kai.open("/kai/garden/tasks/")
    if kai.tab.get_by_role("link", name="Rake the leaves").count() == 0:
        for title in ("Rake the leaves", "Sow", "Water"):
            kai.open("/kai/garden/items/new/task/")
            kai.tab.get_by_label("Title").fill(title)
            kai.tab.get_by_role("button", name="New task").click()
            expect(kai.tab.get_by_role("heading", name=title)).to_be_visible()
        kai.open("/kai/garden/tasks/")
    if javascript:
        mark(kai.tab)
    return kai


def mark(tab: Tab) -> None:
    """Mark what must stay, which a load of a page would take away."""
    tab.evaluate(
        "document.querySelectorAll('.projhead, nav.tabs').forEach(e => e.dataset.stays = 1)"
    )


def tab_link(tab: Tab, name: str) -> Locator:
    return tab.get_by_role("navigation", name="Project").get_by_role("link", name=name)


def heard(tab: Tab, text: str) -> None:
    expect(tab.locator("#heard[role=status]")).to_contain_text(text)


def test_a_tab_by_the_keyboard_leaves_the_bar_and_moves_to_the_heading(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab

    press_on(tab, tab_link(tab, "Memories"))
    heading = tab.get_by_role("heading", level=1, name="Memories")
    expect(heading).to_be_focused()

    expect(tab).to_have_url(f"{stage.world.url}/kai/garden/memories/")
    expect(tab).to_have_title("Memories · kai/garden · Conderis")
    expect(tab.locator(MARKED)).to_have_count(2)
    expect(tab_link(tab, "Memories")).to_have_attribute("aria-current", "page")
    expect(tab.locator(".tabs [aria-current]")).to_have_count(1)
    heard(tab, "Memories")
    assert "Rake" not in tab.evaluate("JSON.stringify([sessionStorage, localStorage])")
    assert faults(kai) == []


def test_the_way_back_and_a_deep_link_show_the_page_of_their_address(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab
    tab_link(tab, "Docs").click()
    expect(tab.get_by_role("heading", level=1, name="Docs")).to_be_visible()

    tab.go_back()
    expect(tab.get_by_role("heading", level=1, name="Tasks")).to_be_visible()
    expect(tab).to_have_url(f"{stage.world.url}/kai/garden/tasks/")
    expect(tab_link(tab, "Tasks")).to_have_attribute("aria-current", "page")
    tab.go_forward()

    expect(tab.get_by_role("heading", level=1, name="Docs")).to_be_visible()
    expect(tab_link(tab, "Docs")).to_have_attribute("aria-current", "page")
    tab.reload()
    expect(tab.get_by_role("heading", level=1, name="Docs")).to_be_visible()
    assert faults(kai) == []


def test_a_filter_keeps_the_focus_where_it_was_and_says_how_many_are_left(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab
    words = tab.locator("#main input[name=q]")

    words.fill("rake")
    words.press("Enter")
    expect(tab.get_by_role("heading", level=1, name="Tasks 1")).to_be_visible()
    expect(words).to_be_focused()
    expect(words).to_have_value("rake")
    heard(tab, "Tasks 1")
    words.fill("unicorn")
    press_on(tab, tab.locator("#main form.filters [type=submit]"))

    expect(tab.get_by_role("heading", name="Nothing fits")).to_be_visible()
    expect(tab.locator("#main form.filters [type=submit]")).to_be_focused()
    heard(tab, "Nothing fits")
    expect(tab.locator(MARKED)).to_have_count(2)
    tab.go_back()
    expect(words).to_have_value("rake")
    assert faults(kai) == []


def test_the_next_page_of_a_list_begins_at_its_first_entry(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab
    made = stage.world.server.run("shell", "--no-imports", "--command", PEBBLES)
    assert made.returncode == 0, made.stderr
    kai.open("/search/?q=pebble")
    mark(tab)

    press_on(tab, tab.get_by_role("link", name="More"))

    expect(tab.get_by_role("link", name="More")).to_have_count(0)
    expect(tab.locator("#main .entry-title a").first).to_be_focused()
    expect(tab.locator("#main .entry")).to_have_count(2)
    heard(tab, "Search 22")
    # Views of a list are links, too: the one that was chosen keeps the focus.
    kinds = tab.get_by_role("navigation", name="Kind")
    press_on(tab, kinds.get_by_role("link", name="Memories"))
    expect(kinds.get_by_role("link", name="Memories")).to_be_focused()
    expect(kinds.get_by_role("link", name="Memories")).to_have_attribute("aria-current", "page")
    assert faults(kai) == []


def test_a_page_that_answers_with_a_fault_is_loaded_as_a_page(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab
    tab.route("**/kai/garden/memories/", lambda route: route.fulfill(status=500, body="broken"))

    tab_link(tab, "Memories").click()

    expect(tab.get_by_text("broken")).to_be_visible()


def test_who_was_signed_out_elsewhere_is_led_to_the_door_by_a_tab(stage: Stage) -> None:
    kai = garden(stage)
    kai.tab.context.clear_cookies()

    tab_link(kai.tab, "Docs").click()

    expect(kai.tab).to_have_url(f"{stage.world.url}/sign-in/?next=/kai/garden/docs/")


def test_the_slash_goes_to_the_search_that_finds_in_all_projects(stage: Stage) -> None:
    kai = garden(stage)
    tab = kai.tab
    tab.get_by_role("heading", level=1).focus()

    tab.keyboard.press("/")
    expect(tab.locator("#find")).to_be_focused()
    tab.keyboard.type("rake")
    tab.keyboard.press("Enter")

    expect(tab.get_by_role("link", name="Rake the leaves")).to_be_visible()
    tab.locator("#find").fill("#1")
    tab.locator("#find").press("Enter")
    expect(tab).to_have_url(f"{stage.world.url}/search/?q=%231")
    kai.open("/kai/garden/tasks/")
    tab.locator("#find").fill("#1")
    tab.locator("#find").press("Enter")
    expect(tab).to_have_url(f"{stage.world.url}/kai/garden/items/1/")
    assert faults(kai) == []


@both_ways
def test_tabs_filters_and_the_search_lead_on_in_both_ways(
    stage: Stage, *, javascript: bool
) -> None:
    kai = garden(stage, javascript=javascript)
    tab = kai.tab

    tab_link(tab, "Moderation").click()
    expect(tab.get_by_role("heading", level=1, name="Moderation")).to_be_visible()
    tab.locator("#main").get_by_role("link", name="Rejected").click()
    expect(tab).to_have_url(f"{stage.world.url}/kai/garden/moderation/?state=rejected")
    tab_link(tab, "Tasks").click()
    expect(tab.get_by_role("heading", level=1, name="Tasks")).to_be_visible()
    tab.locator("#main input[name=q]").fill("sow")
    tab.locator("#main form.filters [type=submit]").click()
    expect(tab.get_by_role("link", name="Sow", exact=True)).to_be_visible()
    expect(tab.get_by_role("link", name="Water", exact=True)).to_have_count(0)
    tab.locator("#find").fill("water")
    tab.locator("#find").press("Enter")

    expect(tab.get_by_role("link", name="Water", exact=True)).to_be_visible()
    assert faults(kai) == []
