"""A tool call: its arguments read, one service called, its answer as text."""

from collections.abc import Callable
from dataclasses import dataclass

from conderis.accounts.limits import refuse_rapid_calls
from conderis.common.caller import Caller
from conderis.common.echoes import echo, encodable
from conderis.common.errors import DomainError, Invalid
from conderis.common.json import Json, JsonObject, compact
from items.listing import list_items
from items.project_view import project_get
from items.recall import recall
from items.requests import (
    ActRequest,
    Address,
    BatchRequest,
    DeletionCall,
    ListRequest,
    ReadRequest,
    RecallRequest,
    StoreRequest,
)
from mcp_surface.arguments import Values, read_arguments
from mcp_surface.descriptions import PROJECT, PROPOSAL, list_kinds
from mcp_surface.tools import all_tools
from privacy.reading import read_at
from privacy.requesting import request_deletion
from projects.selectors import list_projects
from projects.services import store_project
from proposals.queue import list_proposals
from proposals.writing import act, batch, store

Answer = JsonObject | str
Handler = Callable[[Caller, Values], Answer]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool says: one text, Markdown from recall and else compact JSON."""

    text: str
    is_error: bool = False


class UnknownTool(LookupError):
    """There is no tool of this name."""


def call_tool(caller: Caller, name: str, arguments: Json) -> ToolAnswer:
    """The answer of a tool; a refusal is one too.

    Raises:
        UnknownTool: there is no such tool.
    """
    tool = next((each for each in all_tools() if each.name == name), None)
    if tool is None:
        raise UnknownTool(name)
    try:
        refuse_rapid_calls(caller)
        answer = HANDLERS[name](caller, read_arguments(tool, arguments))
    except DomainError as refusal:
        return ToolAnswer(_text(refusal.as_answer()), is_error=True)
    return ToolAnswer(_text(answer))


def _text(answer: Answer) -> str:
    if isinstance(answer, str):
        return encodable(answer)
    text = compact(answer)
    if "null" in text:  # perhaps inside of a word; most answers have none, and go on as they are
        text = compact(_without_nulls(answer))
    return encodable(text)


_NESTED = (dict, list, tuple)


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            name: _without_nulls(each) if isinstance(each, _NESTED) else each
            for name, each in value.items()
            if each is not None
        }
    if isinstance(value, list | tuple):
        return [_without_nulls(each) for each in value]
    return value


def _address(values: Values) -> Address:
    return Address(
        project_id=values.get("projectId"), number=values.get("number"), ref=values.get("ref")
    )


def _recall(caller: Caller, values: Values) -> Answer:
    request = RecallRequest(
        project_id=values.get("projectId"),
        focus=values.get("focus"),
        max_chars=values.get("maxChars"),
        guide=values.get("guide", False),
    )
    return recall(caller, request)


def _project_get(caller: Caller, values: Values) -> Answer:
    return project_get(caller, values.get("projectId"))


def _project_store(caller: Caller, values: Values) -> Answer:
    return store_project(caller, project_id=values.get("projectId"), fields=values["fields"])


def _item_get(caller: Caller, values: Values) -> Answer:
    request = ReadRequest(
        address=_address(values),
        section=values.get("section"),
        history=values.get("history", False),
        version=values.get("version"),
        offset=values.get("offset"),
        take=values.get("take"),
    )
    return read_at(caller, request)


def _item_list(caller: Caller, values: Values) -> Answer:
    request = ListRequest(
        kind=values["kind"],
        project_id=values.get("projectId"),
        query=values.get("query"),
        filters=values.get("filter", {}),
        sort=values.get("sort"),
        limit=values.get("limit"),
        cursor=values.get("cursor"),
    )
    if request.kind == PROJECT:
        return _projects(caller, request)
    if request.kind == PROPOSAL:
        return list_proposals(caller, request)
    if request.kind not in list_kinds():
        kinds = list_kinds()
        raise Invalid(
            f"There is no list of kind {echo(request.kind)}. Kinds: {', '.join(kinds)}. "
            "The instructions are read with item_get ref instructions.",
            field="kind",
            allowed=kinds,
        )
    return list_items(caller, request)


def _projects(caller: Caller, request: ListRequest) -> JsonObject:
    if request.project_id is not None:
        raise Invalid(
            "A list of projects takes no projectId. Leave it out, or use project_get.",
            field="projectId",
        )
    if request.filters:
        raise Invalid(
            "A list of projects takes no filter. Leave it out, or send query.", field="filter"
        )
    return list_projects(
        caller,
        query=request.query,
        sort=request.sort,
        limit=request.limit,
        cursor=request.cursor,
    )


def _item_store(caller: Caller, values: Values) -> Answer:
    if "batch" in values:
        return _batch(caller, values)
    request = StoreRequest(
        address=_address(values),
        kind=values.get("kind"),
        version=values.get("version"),
        fields=values.get("fields", {}),
        reason=values.get("reason"),
        propose=values.get("propose", False),
    )
    return store(caller, request)


def _batch(caller: Caller, values: Values) -> JsonObject:
    beside = [name for name in values if name not in ("batch", "projectId", "kind")]
    if beside:
        raise Invalid(
            f"batch stands instead of {', '.join(beside)}: send one or the other.",
            field=beside[0],
            allowed=["projectId", "kind", "batch"],
        )
    request = BatchRequest(
        project_id=values.get("projectId"), kind=values.get("kind"), batch=values["batch"]
    )
    return batch(caller, request)


def _item_action(caller: Caller, values: Values) -> Answer:
    request = ActRequest(
        address=_address(values),
        action=values["action"],
        version=values.get("version"),
        reason=values.get("reason"),
        target=values.get("target"),
        relation=values.get("relation"),
        fields=values.get("fields", {}),
    )
    return act(caller, request)


def _item_delete(caller: Caller, values: Values) -> Answer:
    request = DeletionCall(
        address=_address(values), version=values.get("version"), reason=values["reason"]
    )
    return request_deletion(caller, request)


HANDLERS: dict[str, Handler] = {
    "recall": _recall,
    "project_get": _project_get,
    "project_store": _project_store,
    "item_get": _item_get,
    "item_list": _item_list,
    "item_store": _item_store,
    "item_action": _item_action,
    "item_delete": _item_delete,
}
