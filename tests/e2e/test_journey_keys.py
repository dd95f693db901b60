"""The life of an agent key: created, used, replaced, revoked."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import Stage, both_ways, create_key, faults, said
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

KEYS = "/settings/keys/"


@both_ways
def test_a_key_is_shown_once_then_used_then_revoked(visits: Visits, *, javascript: bool) -> None:
    stage = Stage(visits)
    kim = stage.visit("kim", javascript=javascript)
    name = "Loom" if javascript else "Lathe"
    row = kim.tab.get_by_role("row", name=name)

    key = create_key(kim, name)
    expect(row).to_contain_text("never")
    assert kim.tab.url == f"{stage.world.url}{KEYS}"
    kim.tab.reload()  # which sends the form again
    expect_no_leaks(kim.tab, who="kim")
    expect(row).to_have_count(1)

    with stage.agent(key, mode="legacy") as in_session, stage.agent(key) as in_none:
        assert in_session.recall()
        assert in_none.recall()
        see_that_it_was_used(kim, name)
        expect_no_leaks(kim.tab, who="kim")

        row.get_by_role("link", name=f"Revoke {name}").click()
        kim.tab.get_by_role("button", name="Revoke the key").click()
        said(kim.tab, f"Key for “{name}” revoked. It is refused now.")

        in_session.expect_refusal()
        in_none.expect_refusal()

    expect(row).to_contain_text("revoked")
    expect(row.get_by_role("link")).to_have_count(0)
    expect_no_leaks(kim.tab, who="kim")
    assert faults(kim) == []


def test_a_key_that_is_replaced_ends_at_once_or_after_the_overlap(visits: Visits) -> None:
    stage = Stage(visits)
    kim = stage.visit("kim", javascript=False)
    first = create_key(kim, "Wheel")

    with stage.agent(first) as of_first:
        assert of_first.recall()
        second = replace(kim, "Wheel", "Now")
        of_first.expect_refusal()

    with stage.agent(second) as of_second:
        third = replace(kim, "Wheel", "In 1 hour")
        assert of_second.recall()
    with stage.agent(third) as of_third:
        assert of_third.recall()

    kim.open(KEYS)
    expect_no_leaks(kim.tab, who="kim")
    assert faults(kim) == []


def see_that_it_was_used(visit: Visit, name: str) -> None:
    """Load the list until it says so: uses are written about a second later."""
    for _ in range(40):
        visit.open(KEYS)
        if "never" not in visit.tab.get_by_role("row", name=name).inner_text():
            return
    raise AssertionError(f"{name} is not shown as used")


def replace(visit: Visit, name: str, ends: str) -> str:
    """Replace a key on its page; the text of the new one."""
    visit.open(KEYS)
    visit.tab.get_by_role("link", name=f"Edit {name}").click()
    visit.tab.get_by_label("The old key ends").select_option(ends)
    visit.tab.get_by_role("button", name="Replace key").click()
    return visit.tab.locator("#secret").inner_text()
