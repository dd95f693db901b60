"""A member who comes, is lowered and goes, while their agent is at work."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.journeys import Agent, Stage, both_ways, faults, region, said
from tests.e2e.visits import Visit, Visits

pytestmark = [pytest.mark.browser, pytest.mark.no_database]


@both_ways
def test_an_agent_can_what_its_person_can_from_the_very_next_call(
    visits: Visits, *, javascript: bool
) -> None:
    stage = Stage(visits)
    project = "ada/orchard" if javascript else "ada/terrace"
    ada = stage.visit("ada", javascript=javascript)
    ben = stage.visit("ben", javascript=javascript)
    hidden = ben.open(f"/{project}/")

    with stage.agent(stage.world.places["journey_key"], mode="legacy") as bench:
        before = store_task(bench, project)
        add(ada, project, "ben")
        stored = store_task(bench, project)
        as_contributor = ben.open(f"/{project}/")

        open_member(ada, project, "Ben")
        ada.tab.get_by_role("radio", name="Reader").check()
        ada.tab.get_by_role("button", name="Save role").click()
        said(ada.tab, "Ben is now Reader.")
        denied = store_task(bench, project)
        read = bench.call("item_get", projectId=project, number=stored["number"])

        open_member(ada, project, "Ben")
        ada.tab.get_by_role("button", name="Remove Ben").click()
        said(ada.tab, "Ben is removed.")
        gone = bench.call("item_get", projectId=project, number=stored["number"])
        after = store_task(bench, project)
        gone_page = ben.open(f"/{project}/")

    assert hidden.status == 404
    assert before["error"] == "not_found"
    assert stored["outcome"] == "published"
    assert as_contributor.status == 200
    assert (denied["error"], denied["missing"]) == ("denied", "write")
    assert read["title"] == "Prune"
    assert gone["error"] == "not_found"
    assert after == before
    assert gone_page.status == 404
    expect(ada.tab.get_by_role("rowheader", name="Ben")).to_have_count(0)
    assert faults(ada) == []
    assert faults(ben) == []


def store_task(agent: Agent, project: str) -> dict[str, Any]:
    return agent.call("item_store", kind="task", projectId=project, fields={"title": "Prune"})


def add(visit: Visit, project: str, handle: str) -> None:
    visit.open(f"/{project}/settings/members/")
    form = region(visit.tab, "Add a person")
    form.get_by_label("Handle").fill(handle)
    form.get_by_label("Role").select_option("contributor")
    form.get_by_role("button", name="Add").click()
    said(visit.tab, f"{handle.title()} is now Contributor.")


def open_member(visit: Visit, project: str, name: str) -> None:
    """Open the page of a member from the list that was left open."""
    assert visit.tab.url.endswith(f"/{project}/settings/members/")
    visit.tab.get_by_role("link", name=f"Change {name}").click()
