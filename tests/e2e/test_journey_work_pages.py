"""Work on a page: found and changed, changed by two at once, and brought back as it was."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Way, every_way
from tests.e2e.journeys import heading, said
from tests.e2e.visits import Visits
from tests.e2e.works import Work, work_of

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

OLD = "Oil the hinges every spring.\n\nNever in the rain.\n\nAsk before you paint."
ONCE = OLD.replace("every spring", "every autumn")
TWICE = ONCE.replace("Ask before", "Write before")


@every_way
def test_a_page_is_found_by_a_word_and_changed(visits: Visits, way: Way) -> None:
    with work_of(visits, way, "finding") as work:
        hands, tab = work.hands, work.hands.tab
        word, later = (f"{fruit}{work.number}" for fruit in ("kumquat", "walnut"))
        work.store("page", title="The gate", content=f"Oil the hinges with {word}.")
        work.store("page", title="The fence", content="Wood, three metres.")

        work.open("")
        hands.find(word)
        expect(hands.main.locator("mark").first).to_contain_text(word)
        hands.follow(work.link("The gate"))
        heading(tab, "The gate")
        hands.follow(work.link("Edit"))
        hands.write(
            tab.get_by_role("textbox", name="Content"), f"Oil them with {later}, never twice."
        )
        hands.write(tab.get_by_role("textbox", name="What has changed"), "Cheaper")
        hands.send("Store")
        said(tab, "#1 is stored as version 2.")
        expect(hands.main).to_contain_text(f"{later}, never twice")

        hands.find(later)
        expect(work.link("The gate")).to_be_visible()
        hands.find(word)
        heading(tab, "Nothing that you can read fits these words")
        newest = work.read(1, history=True)["events"][0]
        assert (newest["by"], newest["fields"], newest["reason"]) == ("Lea", ["content"], "Cheaper")


@every_way
def test_of_two_who_change_one_page_neither_loses_a_word(visits: Visits, way: Way) -> None:
    with work_of(visits, way, "meeting") as work:
        hands, tab = work.hands, work.hands.tab
        work.store("page", title="The gate", content=OLD)
        content = tab.get_by_role("textbox", name="Content")

        # Elsewhere in the text: both changes are brought together, shown, and then stored.
        work.open("items/1/edit/")
        work.change(1, 1, content=ONCE, complete=True)
        mine = OLD.replace("Ask before", "Write before")
        hands.write(content, mine)
        work.expect_error("409")
        hands.send("Store")
        heading(tab, "Somebody else has changed it meanwhile")
        expect(tab.get_by_role("alert")).to_contain_text("Trowel")
        heading(tab, "Content: both changes brought together")
        expect(content).to_have_value(TWICE)

        # While that is looked over, the same place again: both texts stand beside each other.
        work.change(1, 2, content=ONCE.replace("Never", "Seldom"), complete=True)
        hands.write(content, TWICE.replace("Never", "Hardly ever"))
        hands.send("Store")
        clash = tab.get_by_role("region", name="Content: changed on both sides")
        expect(clash).to_contain_text("Seldom")
        expect(clash).to_contain_text("Hardly ever")
        expect(content).to_have_value(re.compile("^Oil the hinges every autumn"))
        hands.write(content, TWICE.replace("Never in", "Seldom, hardly ever in"))
        hands.send("Store")

        said(tab, "#1 is stored as version 4.")
        expect(hands.main).to_contain_text("Seldom, hardly ever in the rain")
        expect(hands.main).to_contain_text("Write before you paint")
        kept = [work.read(1, version=version)["content"] for version in (1, 2, 3)]
        assert kept == [OLD, ONCE, ONCE.replace("Never", "Seldom")]


@every_way
def test_an_earlier_version_is_compared_and_brought_back(visits: Visits, way: Way) -> None:
    with work_of(visits, way, "restoring") as work:
        hands, tab = work.hands, work.hands.tab
        work.store("page", title="The gate", content=OLD)
        work.change(1, 1, content=ONCE, complete=True)
        work.change(1, 2, title="The gates", content=TWICE, complete=True)

        work.open("docs/")
        hands.follow(work.link("The gates"))
        hands.follow(work.link("History"))
        hands.pick(tab.locator("input[name=from]"), "1")
        hands.send("Compare the two")
        heading(tab, "Version 1 and version 3")
        show_inline(work)
        expect(tab.locator(".diff-inline del")).to_have_text(["removed spring", "removed Ask"])
        expect(tab.locator(".diff-inline ins")).to_have_text(["added autumn", "added Write"])

        hands.follow(work.link("History"))
        hands.follow(work.link("Restore version 1"))
        heading(tab, "Restore version 1")
        hands.write(tab.get_by_label("Reason"), "Spring it is")
        hands.send("Restore version 1 as version 4")
        said(tab, "version 4")
        assert_restored(work)


def show_inline(work: Work) -> None:
    """Choose the comparison in one column, where it is not the one that is shown."""
    if work.hands.tab.locator(".diff-inline").count() == 0:
        work.hands.press(work.link("Inline"))
    expect(work.hands.tab.locator(".diff-inline").first).to_be_visible()


def assert_restored(work: Work) -> None:
    now, before = work.read(1), work.read(1, version=3)
    assert (now["title"], now["content"], now["version"]) == ("The gate", OLD, 4)
    assert (before["title"], before["content"]) == ("The gates", TWICE)
    newest = work.read(1, history=True)["events"][0]
    assert (newest["version"], newest["reason"]) == (4, "Version 1 restored: Spring it is")
