"""The tools as people read them: what each takes, and what the list costs a model."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.common.json import JsonObject, compact
from mcp_surface.measuring import Measurement, Size, measure
from mcp_surface.tools import Effect, Tool, all_tools, listed_tools

EFFECTS: Mapping[Effect, str | Promise] = {
    Effect.READS: _("Reads, changes nothing"),
    Effect.WRITES: _("Changes what is stored"),
    Effect.DESTROYS: _("Can lead to permanent deletion"),
}


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter as the schema has it. `allowed` are the only words it takes, if any."""

    name: str
    type: str
    required: bool
    description: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool as registered. `lead` is the first line of its description, `rest` the others."""

    name: str
    lead: str
    rest: str
    effect: str | Promise
    parameters: tuple[ParameterRow, ...]
    size: Size


@dataclass(frozen=True, slots=True)
class Reference:
    """All tools in the order of the list, and the size of the whole."""

    tools: tuple[ToolRow, ...]
    size: Size


def tool_reference() -> Reference:
    """The tools as the MCP endpoint lists them now. The first call takes about a second."""
    measured = _measured(compact(listed_tools()))
    rows = [_row(tool, measured.by_tool[tool.name]) for tool in all_tools()]
    return Reference(tools=tuple(rows), size=measured.whole)


def listed_tool(name: str) -> JsonObject | None:
    """The tool of this name as the list has it."""
    return next((tool for tool in listed_tools() if tool["name"] == name), None)


@lru_cache(maxsize=2)
def _measured(text: str) -> Measurement:
    return measure(json.loads(text))


def _row(tool: Tool, size: Size) -> ToolRow:
    lead, _newline, rest = tool.description.partition("\n")
    return ToolRow(
        name=tool.name,
        lead=lead,
        rest=rest,
        effect=EFFECTS[tool.effect],
        parameters=tuple(_parameters(tool.advertised["inputSchema"])),
        size=size,
    )


def _parameters(schema: JsonObject) -> Iterator[ParameterRow]:
    required = schema.get("required", ())
    for name, each in schema["properties"].items():
        yield ParameterRow(
            name=name,
            type=str(each.get("type", "")),
            required=name in required,
            description=str(each.get("description", "")),
            allowed=tuple(map(str, each.get("enum", ()))),
        )
