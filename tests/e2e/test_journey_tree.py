"""Moving pages in their tree: by dragging, by the keyboard, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Tab

from tests.e2e.journeys import Stage, both_ways, faults, said
from tests.e2e.keyboard import press_on, press_tab_until
from tests.e2e.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]


def pages_in(tab: Tab) -> list[str]:
    """The titles of the tree, in their order."""
    return tab.locator("#tree .entry-title").all_inner_texts()


def new_pages(stage: Stage, tab: Tab, project: str, *titles: str) -> None:
    for title in titles:
        tab.goto(f"{stage.world.url}/{project}/items/new/page/")
        tab.get_by_label("Title").fill(title)
        with tab.expect_navigation():
            tab.locator("main").get_by_role("button", name="New page").click()
    tab.goto(f"{stage.world.url}/{project}/docs/")


def drag(tab: Tab, what: Locator, onto: Locator, *, down: float) -> None:
    """Drag a row onto another one, to this part of its height."""
    begin, end = what.bounding_box(), onto.bounding_box()
    assert begin is not None
    assert end is not None
    tab.mouse.move(begin["x"] + 300, begin["y"] + begin["height"] / 2)
    tab.mouse.down()
    tab.mouse.move(end["x"] + 310, end["y"] + end["height"] * down, steps=6)
    tab.mouse.up()


def test_a_page_is_dragged_under_before_and_after_another(visits: Visits) -> None:
    stage = Stage(visits)
    ada = stage.visit("ada")
    tab = ada.tab
    new_pages(stage, tab, "ada/garden", "Beds", "Paths", "Tools")
    titles = pages_in(tab)
    first, third = titles.index("Beds"), titles.index("Tools")
    rows = tab.locator("#tree .twig > .entry")

    with tab.expect_navigation():
        drag(tab, rows.nth(third), rows.nth(first), down=0.2)
    said(tab, "is moved.")
    assert pages_in(tab)[first : first + 3] == ["Tools", "Beds", "Paths"]

    with tab.expect_navigation():
        drag(
            tab,
            tab.locator("#tree .twig > .entry", has_text="Paths"),
            tab.locator("#tree .twig > .entry", has_text="Beds"),
            down=0.5,
        )
    expect(tab.locator("#tree .lv-2 .entry-title")).to_have_text(["Paths"])
    assert faults(ada) == []


def test_a_drag_that_is_let_go_elsewhere_leaves_the_page_where_it_was(visits: Visits) -> None:
    stage = Stage(visits)
    ada = stage.visit("ada")
    tab = ada.tab
    new_pages(stage, tab, "ada/orchard", "Apples", "Pears")
    before = pages_in(tab)

    tab.locator("#tree .twig > .entry", has_text="Pears").drag_to(tab.locator("h1"))

    expect(tab.locator("#tree-says")).to_have_text("It stays where it was.")
    assert pages_in(tab) == before
    assert faults(ada) == []


@both_ways
def test_a_page_is_moved_and_its_branch_folded_by_the_keyboard(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    kai = stage.visit("kai", javascript=javascript)
    tab = kai.tab
    way = "scripted" if javascript else "plain"
    new_pages(stage, tab, "kai/orchard", f"Root {way}", f"Leaf {way}")
    leaf = tab.locator("#tree .twig > .entry", has_text=f"Leaf {way}")

    with tab.expect_navigation():
        press_on(tab, leaf.get_by_role("link", name="Move"))
    with tab.expect_navigation():
        press_on(tab, tab.get_by_role("button", name=re.compile(r"^In, under #\d+ Root")))
    said(tab, "is moved.")
    expect(tab.locator("#tree .lv-2", has_text=f"Leaf {way}")).to_be_visible()

    root = tab.locator("#tree .lv-1", has_text=f"Root {way}")
    turn = root.locator(":scope > .entry .twig-turn")
    expect(turn).to_have_attribute("aria-expanded", "true")
    press_tab_until(tab, turn)
    tab.keyboard.press("Enter")
    expect(turn).to_have_attribute("aria-expanded", "false")
    expect(tab.locator("#tree .entry-title", has_text=f"Leaf {way}")).to_have_count(0)
    if javascript:
        expect(turn).to_be_focused()
    assert faults(kai) == []
