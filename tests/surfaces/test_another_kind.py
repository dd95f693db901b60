"""A kind that one module and one row add works through every tool, without a migration."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items.kinds.registry import one_more
from mcp_surface.dispatch import call_tool
from projects.models import Project
from tests.factories import agent_caller
from tests.mcp_surface.risk import RISK


@pytest.fixture
def with_risks() -> Iterator[None]:
    with one_more(RISK):
        yield


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def answer(caller: Caller, tool: str, **arguments: Any) -> Any:
    said = call_tool(caller, tool, arguments)
    return said.text if tool == "recall" else json.loads(said.text)


def test_it_stores_reads_lists_acts_and_keeps_a_history(
    with_risks: None, robo: Caller, project: Project
) -> None:
    here = {"projectId": project.path}
    fields = {"title": "The vendor closes", "content": "Weekly exports.", "level": "high"}

    stored = answer(robo, "item_store", kind="risk", fields=fields, **here)
    changed = answer(robo, "item_store", number=1, version=1, fields={"level": "low"}, **here)
    read = answer(robo, "item_get", number=1, **here)
    then = answer(robo, "item_get", number=1, version=1, **here)
    listed = answer(robo, "item_list", kind="risk", filter={"level": "low"}, **here)
    others = answer(robo, "item_list", kind="risk", filter={"level": "high"}, **here)
    found = answer(robo, "item_list", kind="risk", query="exports", **here)
    history = answer(robo, "item_get", number=1, history=True, **here)
    archived = answer(robo, "item_action", number=1, action="archive", version=2, **here)
    gone = answer(robo, "item_list", kind="risk", **here)

    assert (stored["outcome"], stored["number"]) == ("published", 1)
    assert (changed["version"], changed["changed"]) == (2, ["level"])
    assert (read["kind"], read["level"], then["level"]) == ("risk", "low", "high")
    assert [entry["number"] for entry in listed["items"]] == [1]
    assert others["total"] == 0
    assert [entry["number"] for entry in found["items"]] == [1]
    assert [event["event"] for event in history["events"]] == ["changed", "created"]
    assert archived["version"] == 3
    assert gone["total"] == 0


def test_what_is_wrong_for_it_is_refused_with_what_is_right(
    with_risks: None, robo: Caller, project: Project
) -> None:
    here = {"projectId": project.path}

    value = answer(robo, "item_store", kind="risk", fields={"title": "R", "level": "5"}, **here)
    name = answer(robo, "item_store", kind="risk", fields={"title": "R", "due": "x"}, **here)
    filters = answer(robo, "item_list", kind="risk", filter={"due": "none"}, **here)

    assert (value["field"], "high" in value["allowed"]) == ("level", True)
    assert "level" in name["allowed"]
    assert "level" in filters["allowed"]


def test_it_shows_in_the_recall_of_its_project(
    with_risks: None, robo: Caller, project: Project
) -> None:
    answer(robo, "item_store", kind="risk", fields={"title": "The vendor closes", "level": "high"},
           projectId=project.path)  # fmt: skip

    assert "The vendor closes" in answer(robo, "recall", projectId=project.path)
