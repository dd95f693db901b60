"""Every list that can be narrowed: by the keyboard, in place, with the focus kept and a word."""

import pytest
from playwright.sync_api import expect

from tests.e2e.keyboard import press_on
from tests.e2e.pages import PAGES
from tests.e2e.screens import DESKTOP
from tests.e2e.visits import Windows

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

# By the name of its row in the table of pages.
NARROWED = (
    "memories",
    "moderation",
    "project-activity",
    "project-docs-list",
    "project-memories",
    "project-tasks",
    "project-tasks-board",
    "projects",
    "search-found",
)
ROWS = {page.name: page for page in PAGES}
MARK = "document.querySelector('.topbar').dataset.stays = 1"


@pytest.mark.parametrize("name", NARROWED)
def test_narrowing_a_list_keeps_the_focus_and_says_what_is_left(
    windows: Windows, name: str
) -> None:
    page = ROWS[name]
    visit = windows(page.who, screen=DESKTOP)
    tab = visit.tab
    visit.open(page.path)
    tab.evaluate(MARK)
    apply = tab.locator("#main form.filters [type=submit]").first
    heard = tab.locator("#heard[role=status]")
    assert heard.inner_text() == ""

    press_on(tab, apply)

    expect(heard).to_contain_text(tab.locator("#main h1").inner_text().split()[0])
    expect(apply).to_be_focused()
    expect(tab.locator(".topbar[data-stays]")).to_have_count(1)
    assert visit.faults == []
