"""An agent asks to erase what it stored by mistake, its person decides, the agent reads on."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import Agent, Stage, faults, heading, said
from tests.e2e.keyboard import press_on, press_tab_until
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

PROJECT = "kai/meadow"  # of kai; ben contributes there with the agent Bench
LIST = f"/{PROJECT}/moderation/deletions/"
SECRET = "hsk_test_zanzibarqx"
NO_POINTER = "addEventListener('pointerdown', () => console.error('a pointer was used'))"


def test_with_the_keyboard_alone_a_request_is_found_revealed_and_erased(visits: Visits) -> None:
    stage = Stage(visits)
    kai = visits()
    stage.arrive(kai, "kai")  # just now: revealing and erasing need a recent sign-in
    tab = kai.tab
    tab.add_init_script(NO_POINTER)
    with stage.agent(stage.world.places["journey_key"]) as bench:
        number, request = stored_and_asked(bench, "Scythe with a token")
        kai.open("/")
        heading(tab, "Deletions to decide")
        press_on(tab, tab.locator(f'a[href="/deletions/{request}/"]'))
        expect(tab.get_by_text("A token stands in it")).to_be_visible()
        expect(tab.get_by_text("Bench")).to_be_visible()
        expect(tab.get_by_text(SECRET)).to_have_count(0)

        press_on(tab, tab.get_by_role("button", name="Reveal content (recorded)"))
        expect(tab.get_by_text(SECRET).first).to_be_visible()
        expect(tab.get_by_text("Recorded: you revealed")).to_be_visible()
        press_tab_until(tab, tab.get_by_role("link", name="Hide"))
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("button", name="Reveal content (recorded)")).to_be_visible()
        expect(tab.get_by_text(SECRET)).to_have_count(0)

        press_on(tab, tab.get_by_role("link", name="Erase…"))
        expect(tab.get_by_text("This cannot be undone")).to_be_visible()
        press_on(tab, tab.get_by_role("button", name=f"Erase #{number} for good"))
        said(tab, "Erased from every table")
        expect(tab.get_by_role("heading", name="Erased", exact=True)).to_be_visible(timeout=30_000)

        tombstone = bench.call("item_get", projectId=PROJECT, number=number)
        assert tombstone["erased"]["by"] == "Kai"
        assert SECRET not in str(tombstone)
        assert "Scythe" not in str(tombstone)
        found = bench.call("item_list", kind="page", projectId=PROJECT, query=SECRET)
        assert found["items"] == []
    expect_no_leaks(tab, who="kai")
    assert faults(kai) == []


def test_without_script_a_request_is_refused_and_who_asked_reads_why(visits: Visits) -> None:
    stage = Stage(visits)
    kai, ben = (stage.visit(who, javascript=False) for who in ("kai", "ben"))
    tab = kai.tab
    with stage.agent(stage.world.places["journey_key"]) as bench:
        number, request = stored_and_asked(bench, "Scythe without a token")
        locked = bench.call("item_get", projectId=PROJECT, number=number)
        assert SECRET not in str(locked)

        kai.open(LIST)
        tab.locator(f'a[href="/deletions/{request}/"]').click()
        tab.get_by_role("button", name="Refuse and unlock").click()
        # The browser holds back a form without a reason.
        expect(tab.get_by_label("Reason")).to_be_focused()
        tab.get_by_label("Reason").fill("It is a test token that anybody may read")
        tab.get_by_role("button", name="Refuse and unlock").click()
        said(tab, "Refused, and unlocked.")
        expect(tab.get_by_role("heading", name="Refused", exact=True)).to_be_visible()

        read_refusal(ben, request)
        again = bench.call("item_get", projectId=PROJECT, number=number)
        assert SECRET in again["content"]
    assert faults(kai) == []
    assert faults(ben) == []


def stored_and_asked(agent: Agent, title: str) -> tuple[int, str]:
    """The number of a task that the agent has stored, and the id of its request to erase it."""
    made = agent.call(
        "item_store", kind="task", projectId=PROJECT, fields={"title": title, "content": SECRET}
    )
    answer = agent.call(
        "item_delete", projectId=PROJECT, number=made["number"], reason="A token stands in it"
    )
    assert answer["outcome"] == "locked"
    return made["number"], str(answer["request"]).removeprefix("deletion:")


def read_refusal(visit: Visit, request: str) -> None:
    """Who asked finds the decision in their list, and reads why."""
    visit.open("/deletions/?state=decided&mine=1")
    visit.tab.locator(f'a[href="/deletions/{request}/"]').click()
    expect(visit.tab.get_by_text("It is a test token that anybody may read")).to_be_visible()
    expect(visit.tab.get_by_text("The lock is lifted")).to_be_visible()
