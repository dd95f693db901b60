"""Who walks through the product from end to end, and the steps that their ways share.

These people and projects are the journeys' own: what they change stays out of the pages
that `test_pages.py` looks at.
"""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from httpx2 import AsyncClient, Response
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Tab

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import create_person
from conderis.common.caller import Surface
from projects.keys import create_agent_key
from projects.members import set_member
from projects.services import create_project
from tests.e2e.canaries import MARK
from tests.e2e.servers import World
from tests.e2e.visits import Visit, Visits
from tests.e2e.world import lasting_link
from tests.running import call

# ada and kai own the projects, ben works in them, lea works with the agent Trowel in hers,
# the others change what is theirs alone.
HANDLES = ("ada", "ben", "kai", "kim", "lea", "pia", "sol", "tess")
PROJECTS = ("garden", "orchard", "meadow", "terrace")
LINKS = 8  # of each person
PASSWORD = "plum-Harbour-27-slow"
MAKE = "from tests.e2e import journeys; journeys.make()"

both_ways = pytest.mark.parametrize(
    "javascript", [True, False], ids=["with javascript", "without javascript"]
)


def make() -> None:
    """Make all of it on the served database, and print the secrets as JSON."""
    people = {
        handle: create_person(
            Operator(),
            handle=handle,
            email=f"{handle}.{MARK}@example.org",
            display_name=handle.title(),
        )
        for handle in HANDLES
    }
    for handle in ("ada", "kai"):
        for name in PROJECTS:
            create_project(caller_of_person(people[handle], Surface.WEB), fields={"name": name})
    # In meadow ben proposes; in terrace, where nobody else looks, his role is changed.
    for project in ("kai/meadow", "kai/terrace"):
        set_member(Operator(), project_id=project, handle="ben", role="contributor")
    owner = caller_of_person(people["lea"], Surface.WEB)
    park = create_project(owner, fields={"name": "park", "description": "Open to everybody."})
    # Making a project public is a person's decision in the browser.
    park.is_public = True
    park.save(update_fields=["is_public"])
    bench, trowel = (
        create_agent_key(Operator(), person=people[who], wish=KeyWish(name=agent)).text
        for who, agent in (("ben", "Bench"), ("lea", "Trowel"))
    )
    secrets = {"journey_key": bench, "trowel_key": trowel}
    for handle, person in people.items():
        for number in range(LINKS):
            secrets[_link(handle, number)] = lasting_link(person)
    sys.stdout.write(json.dumps(secrets))


@dataclass(frozen=True, slots=True)
class Agent:
    """A client of the MCP SDK that is connected, with an event loop of its own.

    `statuses` are of all answers so far: the client tells nobody what it was refused with.
    """

    portal: BlockingPortal
    client: Client
    statuses: list[int] = field(default_factory=list)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The JSON that the tool answers; a refusal as it is."""
        return self.portal.call(partial(call, self.client, tool, **arguments))

    def recall(self, **arguments: Any) -> str:
        """The text of a recall.

        Raises:
            MCPError: the server lets the agent call nothing.
        """
        result = self.portal.call(partial(self.client.call_tool, "recall", arguments))
        (block,) = result.content
        assert block.type == "text"
        assert not result.is_error, block.text
        return block.text

    def expect_refusal(self) -> None:
        """Fail where the server does not refuse the very next call with 401."""
        self.statuses.clear()
        with pytest.raises(MCPError):
            self.recall()
        assert set(self.statuses) == {401}


class Stage:
    """The world with the people of the journeys, who sign in when they are first asked for."""

    def __init__(self, visits: Visits) -> None:
        self.visits = visits
        self.world: World = visits.world
        if "journey_key" not in self.world.places:
            made = self.world.server.run("shell", "--no-imports", "--command", MAKE)
            assert made.returncode == 0, made.stderr
            self.world.places.update(json.loads(made.stdout))

    def visit(self, who: str | None = None, *, javascript: bool = True) -> Visit:
        """A tab of this person, who is signed in; None is somebody who is not."""
        if who is not None and not self.world.has_fresh_state(who):
            first = self.visits()
            self.arrive(first, who)
            self.world.keep_state(who, first.tab.context.storage_state())
        return self.visits(who, javascript=javascript)

    def arrive(self, visit: Visit, who: str) -> None:
        """Sign in by a link in this tab."""
        visit.open(self.link(who))
        visit.tab.get_by_role("button", name="Sign in").click()
        visit.tab.wait_for_url(f"{self.world.url}/")
        visit.who = who

    def link(self, who: str) -> str:
        """The path of a link that signs this person in, which nobody has used."""
        for number in range(LINKS):
            secret = self.world.places.pop(_link(who, number), "")
            if secret:
                return f"/sign-in/{secret}"
        raise AssertionError(f"{who} has used up all of {LINKS} links")

    @contextmanager
    def agent(self, key: str, *, mode: str = "auto") -> Iterator[Agent]:
        """An agent with this key; `mode` names the protocol era."""
        statuses: list[int] = []
        connected = _connected(self.world.server.url, key, mode, statuses)
        with start_blocking_portal() as portal:
            connection = portal.wrap_async_context_manager(connected)
            client = connection.__enter__()
            try:
                yield Agent(portal, client, statuses)
            finally:
                # Told of a failing test, the client would bury it in groups of exceptions.
                connection.__exit__(None, None, None)


def region(tab: Tab, name: str) -> Locator:
    """The part of the page with this heading."""
    return tab.get_by_role("region", name=name, exact=True)


def said(tab: Tab, text: str) -> None:
    """Wait until the page says this where screen readers announce it."""
    expect(tab.locator("#said[role=status]")).to_contain_text(text)


def heading(tab: Tab, text: str) -> None:
    """Wait for the page, or the part of it, with this heading."""
    expect(tab.get_by_role("heading", name=text, exact=True)).to_be_visible()


def create_key(visit: Visit, agent: str) -> str:
    """Create a key on the page of agent keys; its text, which the page shows this once."""
    visit.open("/settings/keys/")
    visit.tab.get_by_label("Name of the agent").fill(agent)
    visit.tab.get_by_role("button", name="Create key").click()
    heading(visit.tab, f"Key for “{agent}” created")
    return visit.tab.locator("#secret").inner_text()


def invite(visit: Visit, page: str, role: str) -> str:
    """Make an invitation by link on a page of members; the path of the link."""
    visit.open(page)
    form = region(visit.tab, "Invite by link")
    form.get_by_label("Role").select_option(role)
    form.get_by_role("button", name="Make a link").click()
    link = visit.tab.locator("#link").inner_text()
    assert link.startswith(f"{visit.world.url}/join/")
    return link.removeprefix(visit.world.url)


def sign_up(visit: Visit, link: str, handle: str) -> None:
    """Open an invitation, and make an account by it; the page says who is in."""
    visit.open(link)
    visit.tab.get_by_role("button", name="Create an account").click()
    visit.tab.get_by_label("Handle").fill(handle)
    visit.tab.get_by_label("Password").fill(PASSWORD)
    visit.tab.get_by_role("button", name="Create the account").click()
    said(visit.tab, f"You are signed in as {handle}")
    visit.who = handle


def faults(visit: Visit, *, but: str = "") -> list[str]:
    """What went wrong in the tab. `but` is the status of a page that is an error on purpose."""
    expected = f"responded with a status of {but}" if but else "\0"
    return [fault for fault in visit.faults if expected not in fault]


@asynccontextmanager
async def _connected(url: str, key: str, mode: str, statuses: list[int]) -> AsyncIterator[Client]:
    async def note(response: Response) -> None:
        statuses.append(response.status_code)

    headers = {"Authorization": f"Bearer {key}"}
    hooks = {"response": [note]}
    async with (
        AsyncClient(headers=headers, timeout=60, event_hooks=hooks) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def _link(handle: str, number: int) -> str:
    return f"link_{handle}_{number}"
