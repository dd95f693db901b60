"""What agents get wrong is mended from the refusal's text alone, by a mender that knows
nothing of the server: so the text says what would be right.
"""

import json
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.operations.replay.mending import Call, Knowledge, mend
from mcp_surface.dispatch import call_tool
from mcp_surface.tools import listed_tools
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import change, create

LONG = "# Guide\n\n" + "A line of the guide.\n" * 500
PAGE = "# Deploying\n\nText.\n\n## Before a release\n\nFreeze.\n\n## After a release\n\nWatch.\n"
TOLD = {"projectId": "alice/shop", "reason": "Waits for the vendor.", "kind": "task"}

# Items of the project, by number.
TASK, MEMORY, LONG_PAGE, PAGE_NUMBER, OTHER = 1, 2, 3, 4, 5


@pytest.fixture
def robo(alice: Person, project: Project) -> Caller:
    caller = agent_caller(alice)
    create(caller, project, "task", title="Ship it", content="Text that stands.")
    create(caller, project, "memory", title="Ports", summary="Old.", visibility="shared")
    create(caller, project, "page", title="Guide", content=LONG)
    create(caller, project, "page", title="Deploying", content=PAGE)
    create(caller, project, "task", title="Another")
    change(caller, project, TASK, 1, content="Text that now stands.")
    return caller


def attempt(caller: Caller, call: Call) -> tuple[JsonObject, bool]:
    answer = call_tool(caller, call.tool, call.arguments)
    return json.loads(answer.text), answer.is_error


def here(tool: str, **arguments: Any) -> Call:
    return Call(tool, {"projectId": "alice/shop", **arguments})


SLIPS = {
    "no version": here("item_store", number=MEMORY, fields={"summary": "New."}),
    "an old version": here("item_store", number=TASK, version=1, fields={"priority": "high"}),
    "a version that never was": here("item_action", number=TASK, version=9, action="claim"),
    "edits without a version": here(
        "item_store", number=TASK, fields={"edits": [{"find": "now", "replace": "then"}]}
    ),
    "a version to create": here("item_store", kind="task", version=3, fields={"title": "New"}),
    "a part without its version": here("item_get", number=LONG_PAGE, offset=8000),
    "no reason of a block": here("item_action", number=TASK, version=2, action="block"),
    "no visibility": here("item_store", kind="memory", fields={"title": "A fact"}),
    "no kind": here("item_store", fields={"title": "New"}),
    "no project": Call("item_get", {"number": TASK}),
    "a field beside fields": here("item_store", kind="task", title="New", fields={}),
    "an action of item_store": here("item_store", number=TASK, version=2, action="claim"),
    "a misspelt field": here("item_store", number=MEMORY, version=1, fields={"sumary": "New."}),
    "an unknown field": here("item_store", kind="task", fields={"title": "New", "estimate": 3}),
    "a misspelt status": here(
        "item_store", number=TASK, version=2, fields={"status": "in progress"}
    ),
    "an unknown priority": here("item_store", kind="task", fields={"title": "N", "priority": "P1"}),
    "an unknown type": here(
        "item_store", kind="memory", fields={"title": "N", "visibility": "shared", "type": "note"}
    ),
    "a filter by status": here("item_list", kind="task", filter={"status": "open"}),
    "a misspelt filter": here("item_list", kind="task", filter={"include_closed": True}),
    "a wrong value of a filter": here("item_list", kind="task", filter={"priority": "highest"}),
    "an unknown order": here("item_list", kind="task", sort="update"),
    "a plural kind": here("item_list", kind="tasks"),
    "a misspelt action": here("item_action", number=TASK, version=2, action="completed"),
    "an unknown relation": here(
        "item_action", number=TASK, action="relate", target=OTHER, relation="blocking"
    ),
    "no such section": here("item_get", number=PAGE_NUMBER, section="Afterwards"),
    "several sections": here("item_get", number=PAGE_NUMBER, section="release"),
    "a kind that disagrees": here(
        "item_store", kind="page", number=TASK, version=2, fields={"title": "New"}
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_what_an_agent_gets_wrong_is_mended_by_the_next_call(robo: Caller, slip: str) -> None:
    knowledge = Knowledge.of(listed_tools(), TOLD)

    refusal, refused = attempt(robo, SLIPS[slip])
    assert refused, refusal
    mended = mend(SLIPS[slip], refusal, knowledge)
    assert mended is not None, refusal
    answer, refused_again = attempt(robo, mended)

    assert not refused_again, (refusal, mended, answer)
