"""A contributor's agent proposes, a moderator decides, the agent learns what became of it."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import Agent, Stage, both_ways, faults, heading, said
from tests.e2e.keyboard import press_on, press_tab_until
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

PROJECT = "kai/meadow"  # of kai; ben contributes there with the agent Bench
QUEUE = f"/{PROJECT}/moderation/"
NO_POINTER = "addEventListener('pointerdown', () => console.error('a pointer was used'))"


@both_ways
def test_a_proposal_is_read_approved_and_known_to_the_agent(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    kai = stage.visit("kai", javascript=javascript)
    title = f"Scythes, {'with' if javascript else 'without'} script"

    with stage.agent(stage.world.places["journey_key"]) as bench:
        number = approved_page(kai, bench, title)
        changed = propose(
            bench,
            number=number,
            version=1,
            fields={"content": "Sharpen them every\u200b hour.", "complete": True},
            reason="Dew blunts them",
        )
        look_for(kai, title)
        tab = kai.tab
        expect(tab.get_by_text("Dew blunts them")).to_be_visible()
        expect(tab.get_by_text("The new text has 1 character that you cannot see")).to_be_visible()
        expect(tab.locator(".diff del").first).to_contain_text("day")
        expect(tab.locator(".diff ins").first).to_contain_text("hour")
        tab.get_by_role("link", name="Inline").click()
        expect(tab.locator(".diff-inline")).to_be_visible()
        tab.get_by_label("Reason").fill("Right, but mind the hidden one")
        tab.get_by_role("button", name="Approve as version 2").click()
        said(tab, "Approved as version 2.")

        told = bench.call("item_get", ref=changed["proposal"])
        assert (told["state"], told["version"]) == ("approved", 2)
        assert told["decisionReason"] == "Right, but mind the hidden one"
        newest = bench.call("item_get", projectId=PROJECT, number=number, history=True)["events"][0]
        assert (newest["by"], newest["agent"], newest["approver"]) == ("Ben", "Bench", "Kai")
    expect_no_leaks(kai.tab, who="kai")
    assert faults(kai) == []


@both_ways
def test_several_are_rejected_at_once_and_their_proposer_reads_why(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    kai, ben = (stage.visit(who, javascript=javascript) for who in ("kai", "ben"))
    titles = [f"Chat {n} {'a' if javascript else 'b'}" for n in range(3)]

    with stage.agent(stage.world.places["journey_key"]) as bench:
        for title in titles:
            propose(bench, kind="page", fields={"title": title, "content": "Hello."})
        kai.open(QUEUE)
        tab = kai.tab
        for title in titles[:2]:
            tab.get_by_role("checkbox", name=f"Select: {title}").check()
        tab.get_by_role("button", name="Reject selected").click()
        expect(tab.get_by_text("Rejecting needs a reason")).to_be_visible()
        expect(tab.get_by_role("checkbox", name=f"Select: {titles[0]}")).to_be_checked()
        tab.get_by_label("Reason for all selected").fill("No chat here")
        tab.get_by_role("button", name="Reject selected").click()
        said(tab, "Rejected 2 proposals.")
        expect(tab.get_by_role("link", name=titles[0], exact=True)).to_have_count(0)
        waiting = bench.call("item_list", kind="proposal", projectId=PROJECT)
        assert [each["title"] for each in waiting["items"]] == [titles[2]]

    ben.open(f"{QUEUE}?state=rejected")
    expect(ben.tab.get_by_text("No chat here").first).to_be_visible()
    ben.open(f"{QUEUE}?state=pending")
    ben.tab.get_by_role("link", name=titles[2], exact=True).click()
    ben.tab.get_by_role("button", name="Withdraw").click()
    said(ben.tab, "Withdrawn.")
    assert faults(ben) == []
    assert faults(kai, but="400") == []


def test_with_script_a_decision_swaps_the_rows_and_keeps_the_focus(visits: Visits) -> None:
    stage = Stage(visits)
    kai = stage.visit("kai")
    with stage.agent(stage.world.places["journey_key"]) as bench:
        for title in ("Rake", "Hoe"):
            propose(bench, kind="page", fields={"title": title, "content": "Iron."})
    tab = kai.tab
    kai.open(f"{QUEUE}?state=pending")
    tab.evaluate("window.same = true")
    tab.get_by_role("checkbox", name="Select: Rake").check()
    tab.get_by_role("button", name="Approve selected").click()

    said(tab, "Approved 1 proposal. 1 is left.")
    expect(tab.locator(".tabs [aria-current] .count")).to_contain_text("1")
    expect(tab.locator("#pending-count")).to_have_text("1")
    expect(tab.get_by_role("link", name="Hoe")).to_be_focused()
    assert tab.evaluate("window.same")
    tab.get_by_role("checkbox", name="Select: Hoe").check()
    tab.get_by_role("button", name="Approve selected").click()
    said(tab, "Approved 1 proposal. None is left.")
    heading(tab, "Nothing waits for a decision")
    expect(tab.get_by_role("heading", name="Nothing waits for a decision")).to_be_focused()
    assert faults(kai) == []


def test_reviewing_takes_no_mouse_and_no_single_key_decides(visits: Visits) -> None:
    stage = Stage(visits)
    kai = stage.visit("kai")
    tab = kai.tab
    tab.add_init_script(NO_POINTER)
    with stage.agent(stage.world.places["journey_key"]) as bench:
        refs = [
            propose(bench, kind="page", fields={"title": title, "content": "Iron."})["proposal"]
            for title in ("Spade", "Fork")
        ]
        kai.open(f"{QUEUE}?state=pending")
        tab.keyboard.press("j")
        expect(tab.get_by_role("link", name="Fork")).to_be_focused()
        tab.keyboard.press("x")
        expect(tab.get_by_role("checkbox", name="Select: Fork")).to_be_checked()
        tab.get_by_label("Reason for all selected").focus()
        tab.keyboard.press("Enter")
        expect(tab.get_by_text("Press a button: approve or reject")).to_be_visible()
        tab.get_by_role("checkbox", name="Select: Fork").focus()
        tab.keyboard.press("Enter")
        expect(tab.locator("#queue-error")).to_be_focused()
        tab.get_by_role("link", name="Fork").focus()
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        heading(tab, "Fork")
        walk_by_keys(kai, "Fork", "Spade")
        press_tab_until(tab, tab.get_by_label("Afterwards"))
        tab.keyboard.press("Enter")  # which opens the choice
        tab.keyboard.press("Escape")
        tab.locator("main").focus()
        for key in ("y", "r", "d", "n", "p", "Enter"):
            tab.keyboard.press(key)
        states = [bench.call("item_get", ref=ref)["state"] for ref in refs]
        assert states == ["pending", "pending"]

        tab.keyboard.press("a")
        expect(tab.get_by_label("Reason", exact=True)).to_be_focused()
        tab.keyboard.type("Good iron")
        with tab.expect_navigation():
            press_on(tab, tab.get_by_role("button", name="Approve as new page"))
        heading(tab, "Spade")
        said(tab, "1 is left.")
        told = bench.call("item_get", ref=refs[1])
        assert (told["state"], told["decisionReason"]) == ("approved", "Good iron")
        with tab.expect_navigation():
            press_on(tab, tab.get_by_role("button", name="Approve as new page"))
        said(tab, "None is left.")
    assert faults(kai) == []


def walk_by_keys(visit: Visit, here: str, beside: str) -> None:
    """From this proposal to the next one and back, and to the other comparison and back."""
    tab = visit.tab
    for key, title in (("]", beside), ("[", here)):
        with tab.expect_navigation():
            tab.keyboard.press(key)
        heading(tab, title)
    inline = tab.locator(".diff-inline").count()  # as it was chosen last
    for shown in (1 - inline, inline):
        with tab.expect_navigation():
            tab.keyboard.press("v")
        expect(tab.locator(".diff-inline")).to_have_count(shown)


def approved_page(visit: Visit, agent: Agent, title: str) -> int:
    """A page that the agent proposed and the moderator approved; its number."""
    made = propose(
        agent, kind="page", fields={"title": title, "content": "Sharpen them every day."}
    )
    look_for(visit, title)
    visit.tab.get_by_role("button", name="Approve as new page").click()
    said(visit.tab, "Approved as #")
    number: int = agent.call("item_get", ref=made["proposal"])["number"]
    return number


def propose(agent: Agent, **arguments: Any) -> dict[str, Any]:
    """Have the agent store something that becomes a proposal."""
    answer = agent.call("item_store", projectId=PROJECT, **arguments)
    assert answer["outcome"] == "proposed", answer
    return answer


def look_for(visit: Visit, title: str) -> None:
    """Go to the queue by its tab, and open the proposal with this title."""
    visit.open(f"/{PROJECT}/")
    visit.tab.get_by_role("navigation", name="Project").get_by_role(
        "link", name="Moderation"
    ).click()
    visit.tab.get_by_role("link", name=title, exact=True).click()
    heading(visit.tab, title)
