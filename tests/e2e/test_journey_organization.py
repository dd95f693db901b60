"""An organization and instructions, in a browser without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import Stage, faults, heading, invite, said
from tests.e2e.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]


def test_an_organization_is_made_and_its_members_have_its_projects(visits: Visits) -> None:
    stage = Stage(visits)
    ada, sol = (stage.visit(who, javascript=False) for who in ("ada", "sol"))

    ada.open("/organizations/")
    ada.tab.get_by_role("link", name="New organization").click()
    ada.tab.get_by_label("Handle").fill("grove")
    ada.tab.get_by_label("Name").fill("Tea grove")
    ada.tab.get_by_role("button", name="Create organization").click()
    expect(ada.tab).to_have_url(f"{stage.world.url}/organizations/grove/")

    ada.tab.get_by_role("link", name="New project").click()
    ada.tab.get_by_label("Name").fill("paths")
    ada.tab.get_by_role("button", name="Create project").click()
    expect(ada.tab).to_have_url(f"{stage.world.url}/grove/paths/")
    assert sol.open("/grove/paths/").status == 404

    sol.open(invite(ada, "/organizations/grove/", "member"))
    sol.tab.get_by_role("button", name="Join as").click()
    expect(sol.tab).to_have_url(f"{stage.world.url}/organizations/grove/")
    said(sol.tab, "You are in Tea grove now.")
    sol.tab.get_by_role("link", name="grove/paths").click()
    heading(sol.tab, "Overview")

    edit_at_once(stage, "/organizations/grove")
    assert faults(ada) == []
    assert faults(sol) == []


def test_of_two_changes_of_a_projects_instructions_the_second_is_kept_in_its_form(
    visits: Visits,
) -> None:
    edit_at_once(Stage(visits), "/ada/meadow/settings")


def edit_at_once(stage: Stage, place: str) -> None:
    """Change the instructions in two tabs; the second is told and loses no word."""
    first, second = (stage.visit("ada", javascript=False) for _ in range(2))
    for visit, text in ((first, "Water at dawn."), (second, "Water at dusk.")):
        visit.open(f"{place}/instructions/edit/")
        visit.tab.get_by_label("Instructions", exact=True).fill(text)

    first.tab.get_by_role("button", name="Publish as version 1").click()
    heading(first.tab, "Instructions")
    expect(first.tab.get_by_role("main")).to_contain_text("Water at dawn.")
    with second.tab.expect_response("**/instructions/edit/") as answered:
        second.tab.get_by_role("button", name="Publish as version 1").click()
    assert answered.value.status == 409
    heading(second.tab, "Somebody else has changed them meanwhile")
    expect(second.tab.get_by_role("region", name="What now stands")).to_contain_text(
        "Water at dawn."
    )
    form = second.tab.get_by_label("Instructions", exact=True)
    expect(form).to_have_value("Water at dusk.")

    form.fill("Water at dawn and at dusk.")
    second.tab.get_by_role("button", name="Publish as version 2").click()
    expect(second.tab.get_by_role("main")).to_contain_text("Water at dawn and at dusk.")
    assert faults(first) == []
    assert faults(second, but="409") == []
