"""What the journeys of the main works share: lea's project, and her agent Trowel in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from playwright.sync_api import Locator

from tests.e2e.hands import Hands, Way, hands_of
from tests.e2e.journeys import Agent, Stage, faults
from tests.e2e.leaks import expect_no_leaks
from tests.e2e.visits import Visits

OWNER = "lea"
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Work:
    """A new project of lea, her hands in the browser, and her agent."""

    hands: Hands
    agent: Agent
    project: str
    number: int  # which no other work has
    errors: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path of the project, with a slash at its end."""
        return f"/{self.project}/"

    def store(self, kind: str, **fields: Any) -> int:
        """Have the agent store a new item; its number."""
        number: int = self._stored(kind=kind, fields=fields)["number"]
        return number

    def change(self, number: int, version: int, **fields: Any) -> None:
        """Have the agent change an item of this version."""
        self._stored(number=number, version=version, fields=fields)

    def read(self, number: int, **more: Any) -> dict[str, Any]:
        """The item as the agent reads it."""
        return self.agent.call("item_get", projectId=self.project, number=number, **more)

    def open(self, path: str) -> None:
        """Open a page of the project, by its path below it."""
        self.hands.visit.open(f"{self.path}{path}")

    def tab_of(self, name: str) -> Locator:
        """A link in the bar of tabs."""
        bar = self.hands.tab.get_by_role("navigation", name="Project")
        return bar.get_by_role("link", name=name)

    def link(self, name: str) -> Locator:
        """A link of the page itself, by its whole name."""
        return self.hands.main.get_by_role("link", name=name, exact=True)

    def expect_error(self, status: str) -> None:
        """Have the browser's word about a page that is an error on purpose pass."""
        self.errors.append(f"responded with a status of {status}")

    def _stored(self, **arguments: Any) -> dict[str, Any]:
        answer = self.agent.call("item_store", projectId=self.project, **arguments)
        assert answer.get("outcome") == "published", answer
        return answer


@contextmanager
def work_of(visits: Visits, way: Way, name: str) -> Iterator[Work]:
    """A piece of work in a new project; at its end nothing has gone wrong in the browser."""
    stage = Stage(visits)
    with stage.agent(stage.world.places["trowel_key"]) as agent:
        number = next(_numbers)
        made = agent.call("project_store", fields={"name": f"{name}-{way}-{number}"})
        work = Work(hands_of(stage, OWNER, way), agent, made["name"], number)
        yield work
        expect_no_leaks(work.hands.tab, who=OWNER)
    found = faults(work.hands.visit)
    assert [each for each in found if not any(error in each for error in work.errors)] == []
