"""The eight tools, one row each, and the list of them as clients receive it."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from conderis.common.json import JsonObject
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.patches import TEXT_WAYS
from mcp_surface import descriptions
from mcp_surface.parameters import (
    Members,
    Number,
    Parameter,
    Reference,
    Text,
    Truth,
    Version,
    Whole,
    Word,
)
from projects.services import FIELDS
from proposals import queue

BATCH_MEMBERS = ("idempotencyKey", "source", "atomic", "items", "memories")
OWNER_NAME = "owner/name or git remote"


class Effect(Enum):
    """What a tool can do; clients grant permission by its annotation."""

    READS = "readOnlyHint", True
    WRITES = "destructiveHint", False
    DESTROYS = "destructiveHint", True


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `inside` says of other names into which of its objects they belong."""

    name: str
    description: str
    effect: Effect
    parameters: tuple[Parameter, ...]
    inside: dict[str, str]

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        return self.effect is Effect.READS

    @property
    def parameter_names(self) -> list[str]:
        """What it takes, in the order of the schema."""
        return [each.name for each in self.parameters]

    @property
    def advertised(self) -> JsonObject:
        """The tool as the list carries it: a flat schema, no more than clients use."""
        schema: JsonObject = {
            "type": "object",
            "properties": {each.name: each.schema for each in self.parameters},
        }
        required = [each.name for each in self.parameters if each.required]
        if required:
            schema["required"] = required
        hint, value = self.effect.value
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": schema,
            "annotations": {hint: value},
        }


def listed_tools() -> list[JsonObject]:
    """The `tools` array, generated from the kinds that there are now."""
    return [tool.advertised for tool in all_tools()]


def all_tools() -> tuple[Tool, ...]:
    """The tools in the order of the list; built again when the kinds have changed."""
    return _latest.of(all_kinds())


class _Latest:
    """The tools for the kinds that they were last asked for."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Kind, ...], tuple[Tool, ...]] = ((), ())

    def of(self, kinds: tuple[Kind, ...]) -> tuple[Tool, ...]:
        made_for, tools = self._kept
        if not tools or len(kinds) != len(made_for) or any(map(_differ, kinds, made_for)):
            tools = _built()
            self._kept = kinds, tools
        return tools


def _differ(one: Kind, other: Kind) -> bool:
    return one is not other


_latest: Final = _Latest()


def _built() -> tuple[Tool, ...]:
    return _reading_tools() + _writing_tools()


def _reading_tools() -> tuple[Tool, ...]:
    filters = [each.name for kind in all_kinds() for each in kind.filters]
    filters += [each.name for each in queue.FILTERS]
    return (
        _tool(
            "recall",
            descriptions.recall(),
            Effect.READS,
            Parameter("projectId", Word(), OWNER_NAME),
            Parameter("focus", Text(), "Topic to rank by"),
            Parameter("maxChars", Whole()),
            Parameter("guide", Truth(), "The system guide"),
        ),
        _tool(
            "project_get",
            descriptions.project_get(),
            Effect.READS,
            Parameter("projectId", Word()),
        ),
        _tool(
            "project_store",
            descriptions.project_store(),
            Effect.WRITES,
            Parameter("projectId", Word()),
            Parameter(
                "fields",
                Members('{"name": "…"}'),
                descriptions.project_fields(),
                required=True,
                allowed=FIELDS,
            ),
            inside=dict.fromkeys(FIELDS, "fields"),
        ),
        _tool(
            "item_get",
            descriptions.item_get(),
            Effect.READS,
            Parameter("projectId", Word()),
            Parameter("number", Number()),
            Parameter("ref", Reference(), descriptions.reference()),
            Parameter("section", Text()),
            Parameter("history", Truth()),
            Parameter("version", Version(), "Read that version"),
            Parameter("offset", Whole(), "nextOffset, with version"),
            Parameter("take", Whole()),
        ),
        _tool(
            "item_list",
            descriptions.item_list(),
            Effect.READS,
            Parameter("kind", Word(), required=True, allowed=tuple(descriptions.list_kinds())),
            Parameter("projectId", Word()),
            Parameter("query", Text()),
            Parameter("filter", Members('{"tags": ["one"]}', absences=True)),
            Parameter("sort", Word(), descriptions.sorts()),
            Parameter("limit", Whole()),
            Parameter("cursor", Word()),
            inside=dict.fromkeys(filters, "filter"),
        ),
    )


def _writing_tools() -> tuple[Tool, ...]:
    fields = [each.name for kind in all_kinds() for each in kind.fields]
    of_actions = [each.name for kind in all_kinds() for row in kind.actions for each in row.fields]
    return (
        _tool(
            "item_store",
            descriptions.item_store(),
            Effect.WRITES,
            Parameter("kind", Word(), "Not needed with number, ref or batch"),
            Parameter("projectId", Word(), "Missing for personal memories"),
            Parameter("number", Number()),
            Parameter("ref", Reference()),
            Parameter("version", Version(), descriptions.base_version()),
            Parameter("fields", Members('{"title": "…"}')),
            Parameter("reason", Text(), "For the reviewer, or of a block"),
            Parameter("propose", Truth(), "Propose it for review"),
            Parameter(
                "batch", Members('{"items": [{"kind": "…", "fields": {…}}]}'), descriptions.batch()
            ),
            inside=dict.fromkeys(BATCH_MEMBERS, "batch")
            | dict.fromkeys([*fields, *TEXT_WAYS], "fields"),
        ),
        _tool(
            "item_action",
            descriptions.item_action(),
            Effect.WRITES,
            Parameter("projectId", Word()),
            Parameter("number", Number()),
            Parameter("ref", Reference()),
            Parameter("action", Word(), required=True, allowed=tuple(descriptions.action_names())),
            Parameter("version", Version(), "The one you read; not for relations, proposals"),
            Parameter("reason", Text(), "Needed for block, approve, reject"),
            Parameter("target", Number()),
            Parameter("relation", Word(), descriptions.relations()),
            Parameter("fields", Members('{"summary": "…"}')),
            inside=dict.fromkeys(of_actions, "fields"),
        ),
        _tool(
            "item_delete",
            descriptions.item_delete(),
            Effect.DESTROYS,
            Parameter("projectId", Word()),
            Parameter("number", Number()),
            Parameter("ref", Reference()),
            Parameter("version", Version(), "Only this version"),
            Parameter("reason", Text(), required=True),
        ),
    )


def _tool(
    name: str,
    description: str,
    effect: Effect,
    *parameters: Parameter,
    inside: dict[str, str] | None = None,
) -> Tool:
    return Tool(name, description, effect, parameters, inside or {})
