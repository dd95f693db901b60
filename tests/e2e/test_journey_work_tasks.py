"""Work on a task: created, claimed, blocked, taken up again and completed."""

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Way, every_way
from tests.e2e.journeys import heading, said
from tests.e2e.visits import Visits
from tests.e2e.works import Work, work_of

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

TASK = "Paint the gate"
REASON = "The paint comes on Monday"


@every_way
def test_a_task_is_created_claimed_blocked_taken_up_again_and_completed(
    visits: Visits, way: Way
) -> None:
    with work_of(visits, way, "painting") as work:
        hands, tab = work.hands, work.hands.tab
        work.open("")
        hands.follow(work.tab_of("Tasks"))
        hands.follow(work.link("New task").first)
        create(work)

        hands.send("Claim")
        said(tab, "#1 is yours.")
        expect_status(work, "In progress")
        block(work)
        hands.send("End the block")
        said(tab, "The block of #1 has ended.")
        expect(hands.main.get_by_text(REASON)).to_have_count(0)
        hands.send("Complete")
        said(tab, "#1 is done.")
        expect_status(work, "Done")
        expect(hands.main.get_by_role("button", name="Complete")).to_have_count(0)

        hands.follow(work.link("History"))
        expect(tab.locator(".version .no")).to_have_text(["5", "4", "3", "2", "1"])
        expect(tab.locator(".version .head a")).to_contain_text(
            ["Completed", "Unblocked", "Blocked", "Claimed", "Created"]
        )
        expect(hands.main.get_by_text(REASON)).to_have_count(1)
        hands.follow(work.tab_of("Tasks"))
        expect(work.link(TASK)).to_have_count(0)
        told = work.read(1)
        assert (told["status"], told["assignee"]["name"]) == ("done", "Lea")


def create(work: Work) -> None:
    """Fill in the form for a new task; without a title it comes back with what was typed."""
    hands, tab = work.hands, work.hands.tab
    hands.write(tab.get_by_role("textbox", name="Content"), "Green, two coats.")
    work.expect_error("400")
    hands.send("New task")
    title = tab.get_by_label("Title")
    expect(title).to_have_attribute("aria-invalid", "true")
    expect(tab.get_by_role("textbox", name="Content")).to_have_value("Green, two coats.")
    hands.write(title, TASK)
    hands.send("New task")
    said(tab, "#1 is stored as version 1.")
    heading(tab, TASK)
    expect_status(work, "Open")


def block(work: Work) -> None:
    """Block the task, which needs a reason."""
    hands, tab = work.hands, work.hands.tab
    hands.send("Block")
    expect(tab.get_by_role("alert")).to_contain_text("reason")
    expect_status(work, "In progress")
    hands.write(tab.get_by_label("Reason"), REASON)
    hands.send("Block")
    said(tab, "#1 is blocked.")
    expect_status(work, "Blocked")
    expect(hands.main.get_by_text(REASON)).to_be_visible()
    told = work.read(1)
    assert (told["status"], told["blockedReason"]) == ("blocked", REASON)


def expect_status(work: Work, word: str) -> None:
    """Wait until the head of the task's page says this."""
    expect(work.hands.tab.locator(".doc-head .st")).to_have_text(word)
