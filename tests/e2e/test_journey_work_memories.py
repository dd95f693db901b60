"""Work on memories: a bag that agents have filled as it came is tidied by what hygiene found."""

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Way, every_way
from tests.e2e.journeys import heading, said
from tests.e2e.visits import Visits
from tests.e2e.works import Work, work_of

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

BAG, INSIDE, LOOSE, TWICE = 1, 2, 3, 4
SUMMARY = "Who comes to the gate, and how they get in."


@every_way
def test_a_bag_is_tidied_by_what_hygiene_has_found(visits: Visits, way: Way) -> None:
    with work_of(visits, way, "tidying") as work:
        hands, tab = work.hands, work.hands.tab
        fill_untidily(work)

        work.open("")
        hands.follow(work.link("Findings"))
        heading(tab, "1 memory says nearly the same as an earlier one")
        heading(tab, "1 memory has no summary")
        heading(tab, "1 bag has too many memories or a single one")
        before = score(work)
        hands.send(f"Archive #{TWICE}")
        said(tab, f"#{TWICE} is archived.")
        hands.follow(work.link(f"Write the summary of #{BAG}"))
        hands.write(tab.get_by_label("Summary"), SUMMARY)
        hands.send("Store as version 2")
        said(tab, f"#{BAG} has a new summary.")
        move_into_the_bag(work)

        work.open("hygiene/")
        heading(tab, "Nothing to mend")
        assert score(work) == 100 > before
        hands.follow(work.tab_of("Memories"))
        expect(hands.main.get_by_text("bag of 2 memories")).to_be_visible()
        expect(hands.main.get_by_text(SUMMARY)).to_be_visible()
        expect(work.link("The code of the gate")).to_have_count(0)
        assert_nothing_is_lost(work)


@every_way
def test_what_was_archived_is_found_and_brought_back(visits: Visits, way: Way) -> None:
    with work_of(visits, way, "fetching") as work:
        hands, tab = work.hands, work.hands.tab
        memory(work, "Drivers ring twice", "Two short rings.")
        work.open("memories/")
        hands.follow(work.link("Drivers ring twice"))
        hands.send("Archive")
        said(tab, "#1 is archived.")

        hands.follow(work.tab_of("Memories"))
        expect(work.link("Drivers ring twice")).to_have_count(0)
        hands.tick(tab.get_by_role("checkbox", name="Archived ones, too"))
        hands.follow(hands.main.get_by_role("button", name="Apply"))
        hands.follow(work.link("Drivers ring twice"))
        hands.send("Restore")
        said(tab, "#1 is restored.")
        hands.follow(work.tab_of("Memories"))
        expect(work.link("Drivers ring twice")).to_be_visible()


def memory(work: Work, title: str, summary: str, **more: object) -> int:
    """Have the agent store a shared memory."""
    return work.store("memory", title=title, summary=summary, visibility="shared", **more)


def fill_untidily(work: Work) -> None:
    """A bag without a summary that holds one, one beside it, and that one once more."""
    code = "The code of the gate changes on the first Monday of every month, ask Ada for it."
    bag = work.store("memory", title="Deliveries", visibility="shared", content="At the gate.")
    assert bag == BAG
    memory(work, "Drivers ring twice", "Two short rings.", parent=BAG)
    memory(work, "How to open the gate", "By a code that changes.", content=code)
    memory(work, "The code of the gate", "By a code that changes!", content=code)


def score(work: Work) -> int:
    """The score on the page of hygiene."""
    return int(work.hands.tab.locator(".score-n").inner_text().split()[0])


def move_into_the_bag(work: Work) -> None:
    hands, tab = work.hands, work.hands.tab
    hands.follow(work.tab_of("Memories"))
    hands.follow(work.link("How to open the gate"))
    hands.follow(work.link("Edit"))
    hands.write(tab.get_by_label("Parent"), str(BAG))
    hands.send("Store")
    said(tab, f"#{LOOSE} is stored as version 1.")  # a move is no version
    expect(tab.get_by_role("navigation", name="Path")).to_contain_text("Deliveries")


def assert_nothing_is_lost(work: Work) -> None:
    bag, inside = work.read(BAG), work.read(LOOSE)
    assert (bag["summary"], bag["content"]) == (SUMMARY, "At the gate.")
    assert [each["number"] for each in bag["children"]] == [INSIDE, LOOSE]
    assert inside["parent"]["number"] == BAG
    archived = work.read(TWICE)
    assert archived["archived"] is True
    assert archived["content"] == inside["content"]
