"""From an invitation to the first agent that works."""

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.journeys import Stage, both_ways, faults, invite, sign_up
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

PROJECT = "ada/garden"
MEMBERS = f"/{PROJECT}/settings/members/"


@both_ways
def test_who_is_invited_makes_an_account_and_connects_an_agent(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    handle = "nell" if javascript else "ned"
    owner = stage.visit("ada", javascript=javascript)
    guest = stage.visit(javascript=javascript)

    guest.open("/sign-up/")
    expect(guest.tab.get_by_role("heading", level=1)).to_have_text(
        "No account without an invitation"
    )
    link = invite(owner, MEMBERS, "contributor")
    sign_up(guest, link, handle)
    guest.open(f"/{PROJECT}/")
    guest.tab.get_by_role("region", name=f"Project {PROJECT}").get_by_role(
        "link", name="Connect"
    ).click()
    guest.tab.get_by_label("Name of the agent").fill("Mill")
    guest.tab.get_by_role("button", name="Create key").click()
    key = guest.tab.locator("#the-key").inner_text()
    assert key in guest.tab.locator("#copy-1").inner_text()
    sign = guest.tab.locator(".connect-sign[role=status]")
    expect(sign).to_contain_text("Waiting for Mill")
    announcer = sign.element_handle()

    with stage.agent(key) as mill:
        recalled = mill.recall(projectId=PROJECT)
        see_that_it_has_connected(sign, javascript=javascript)
        stored = mill.call(
            "item_store", kind="task", projectId=PROJECT, fields={"title": f"Weed by {handle}"}
        )
        listed = mill.call("item_list", kind="task", projectId=PROJECT)
        again = mill.recall(projectId=PROJECT)

    assert PROJECT in recalled
    assert stored["outcome"] == "published"
    assert f"Weed by {handle}" in [task["title"] for task in listed["items"]]
    assert f"Weed by {handle}" in again
    expect(sign.get_by_role("link", name=f"Open {PROJECT}")).to_be_visible()
    if javascript:
        # The region that announces is the one that stood there before: a new one is silent.
        assert announcer.evaluate("element => element.isConnected")
        guest.tab.reload()  # which sends the form again
        expect(guest.tab.get_by_role("button", name="Create key")).to_be_visible()
    expect_no_leaks(guest.tab, who=handle)
    assert faults(guest, but="409") == []

    owner.open(MEMBERS)
    expect(owner.tab.get_by_role("row", name=handle)).to_contain_text("Contributor")
    assert guest.open(link).status == 404
    assert faults(owner) == []


def test_who_signs_up_by_an_invitation_lands_in_its_project(visits: Visits) -> None:
    stage = Stage(visits)
    owner, guest = stage.visit("ada", javascript=False), stage.visit(javascript=False)

    sign_up(guest, invite(owner, MEMBERS, "reader"), "nils")

    assert guest.tab.url == f"{stage.world.url}/{PROJECT}/"


def test_who_has_just_signed_up_is_not_asked_for_the_password_again(visits: Visits) -> None:
    stage = Stage(visits)
    owner, guest = stage.visit("ada", javascript=False), stage.visit(javascript=False)
    sign_up(guest, invite(owner, MEMBERS, "reader"), "nora")

    guest.open("/settings/keys/")
    guest.tab.get_by_label("Name of the agent").fill("Mill")
    with guest.tab.expect_navigation():
        guest.tab.get_by_role("button", name="Create key").click()

    assert guest.tab.url == f"{stage.world.url}/settings/keys/"


def see_that_it_has_connected(sign: Locator, *, javascript: bool) -> None:
    """Wait for it, or ask until it is there: uses are written about a second later."""
    for _ in range(0 if javascript else 40):
        with sign.page.expect_navigation():
            sign.get_by_role("link", name="Check again").click()
        if "Mill has connected" in sign.inner_text():
            break
    expect(sign).to_contain_text("Mill has connected")
