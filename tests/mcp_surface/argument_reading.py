"""Reads arguments as a tool does, with what it needs anyway filled in."""

import pytest

from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
from mcp_surface.arguments import read_arguments
from mcp_surface.tools import Tool, all_tools

READING = ("recall", "project_get", "item_get", "item_list")
WRITING = ("project_store", "item_store", "item_action", "item_delete")
NEEDED: dict[str, JsonObject] = {
    "project_store": {"fields": {}},
    "item_list": {"kind": "task"},
    "item_action": {"action": "claim"},
    "item_delete": {"reason": "asked for"},
}


def tool_named(name: str) -> Tool:
    return next(tool for tool in all_tools() if tool.name == name)


def read(tool: str, **sent: Json) -> JsonObject:
    """What the tool reads, beside what it needs anyway."""
    values = dict(read_arguments(tool_named(tool), {**NEEDED.get(tool, {}), **sent}))
    return {name: value for name, value in values.items() if name in sent}


def refusal(tool: str, **sent: Json) -> DomainError:
    with pytest.raises(DomainError) as caught:
        read_arguments(tool_named(tool), {**NEEDED.get(tool, {}), **sent})
    return caught.value


EVERY_PARAMETER = [(tool.name, each.name) for tool in all_tools() for each in tool.parameters]
