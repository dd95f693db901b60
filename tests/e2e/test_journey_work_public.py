"""A stranger without an account reads a public project."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.e2e.hands import Hands, Way, every_way, hands_of
from tests.e2e.journeys import Agent, Stage, faults, heading
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visits
from tests.e2e.works import OWNER

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

PARK = f"{OWNER}/park"
ATOM = "{http://www.w3.org/2005/Atom}"
SECRET = "The key lies under the third stone"


@every_way
def test_a_stranger_reads_a_public_project_and_is_offered_to_sign_in(
    visits: Visits, way: Way
) -> None:
    stage = Stage(visits)
    title = f"Opening hours, {way}"
    with stage.agent(stage.world.places["trowel_key"]) as agent:
        number = write_of_the_park(agent, title)
    hands = hands_of(stage, None, way)
    tab = hands.tab

    hands.visit.open(f"/{PARK}/")
    bar = tab.get_by_role("navigation", name="Project")
    hands.follow(bar.get_by_role("link", name="Docs"))
    hands.follow(hands.main.get_by_role("link", name=title, exact=True))
    heading(tab, title)
    expect(hands.main).to_contain_text("From nine to six.")
    for word in ("Edit", "Ask for an erasure", "Relate it to another item"):
        expect(hands.main.get_by_role("link", name=word)).to_have_count(0)
    hands.follow(hands.main.get_by_role("link", name="History", exact=True))
    hands.send("Compare the two")
    expect(hands.main.locator(".diff ins").first).to_contain_text("six")
    expect(hands.main.get_by_role("link", name="Restore")).to_have_count(0)

    hands.follow(bar.get_by_role("link", name="Memories"))
    expect(tab.get_by_text(SECRET)).to_have_count(0)
    hands.follow(bar.get_by_role("link", name="Activity"))
    expect(hands.main.get_by_role("link", name=title).first).to_be_visible()
    expect(tab.get_by_text(SECRET)).to_have_count(0)
    assert_feed(hands, title)
    expect_no_leaks(tab, who=None)
    hands.visit.open(f"/{PARK}/items/{number}/")
    hands.follow(tab.get_by_role("banner").get_by_role("link", name="Sign in"))
    heading(tab, "Sign in")
    assert faults(hands.visit) == []


def write_of_the_park(agent: Agent, title: str) -> int:
    """A page of two versions, and a private memory that nobody else reads; the page's number."""

    def store(**arguments: Any) -> dict[str, Any]:
        return agent.call("item_store", projectId=PARK, **arguments)

    fields = {"title": title, "content": "From nine to five."}
    number: int = store(kind="page", fields=fields)["number"]
    later = {"content": "From nine to six.", "complete": True}
    assert store(number=number, version=1, fields=later)["version"] == 2
    private = {"title": SECRET, "content": SECRET, "visibility": "private"}
    store(kind="memory", fields=private)
    return number


def assert_feed(hands: Hands, title: str) -> None:
    """The feed of the page of activity is one that readers take, and holds what is public."""
    link = hands.main.get_by_role("link", name="Feed (Atom)")
    expect(link).to_have_attribute("type", "application/atom+xml")
    answer = hands.tab.request.get(f"{hands.visit.world.url}{link.get_attribute('href')}")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.text())  # noqa: S314 - our own answer
    titles = [each.findtext(f"{ATOM}title") or "" for each in feed.iter(f"{ATOM}entry")]
    assert any(title in each for each in titles)
    assert SECRET not in answer.text()
