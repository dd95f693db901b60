"""Tool calls as calls of the REST API: so one table of uses is asked on both surfaces."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

_LONG = re.compile(r"(?P<project>[^#]+/[^#]+)#(?P<number>\d+)\Z")
WORDS = {"proposal": "proposals", "deletion": "deletion-requests"}


@dataclass(frozen=True, slots=True)
class Request:
    """A method, an address below /api/v1, and a body where there is one."""

    method: str
    path: str
    body: Any = None


def as_request(tool: str, arguments: dict[str, Any]) -> Request:
    """The request that asks for what the tool call asks for."""
    return TOOLS[tool](dict(arguments))


def _recall(sent: dict[str, Any]) -> Request:
    place = _project(sent)
    return Request("GET", f"{place}/recall{_query(sent)}")


def _project_get(sent: dict[str, Any]) -> Request:
    place = _project(sent)
    return Request("GET", place or "/projects?limit=50")


def _project_store(sent: dict[str, Any]) -> Request:
    place = _project(sent)
    return Request("PATCH" if place else "POST", place or "/projects", sent)


def _item_get(sent: dict[str, Any]) -> Request:
    place = _item(sent)
    if sent.pop("history", False):
        place += "/history"
    return Request("GET", f"{place}{_query(sent)}")


def _item_list(sent: dict[str, Any]) -> Request:
    place = _project(sent)
    sent |= sent.pop("filter", {})
    part = {"project": "projects", "proposal": "proposals"}.get(sent["kind"], "items")
    if part != "items":
        del sent["kind"]
    return Request("GET", f"{place}/{part}{_query(sent)}")


def _item_store(sent: dict[str, Any]) -> Request:
    if "batch" in sent:
        return Request("POST", f"{_project(sent)}/batches", sent["batch"])
    if {"number", "ref"} & set(sent):
        return Request("PATCH", _item(sent), sent)
    if sent.get("kind") == "instructions":
        return Request("PATCH", f"{_project(sent)}/items/instructions", sent)
    return Request("POST", f"{_project(sent)}/items", sent)


def _item_action(sent: dict[str, Any]) -> Request:
    return Request("POST", f"{_item(sent)}/actions", sent)


def _item_delete(sent: dict[str, Any]) -> Request:
    return Request("POST", f"{_item(sent)}/deletion-requests", sent)


def _project(sent: dict[str, Any]) -> str:
    """Where the project is, taken out of the arguments; "" without one."""
    project = sent.pop("projectId", None)
    return f"/projects/{project}" if project is not None else ""


def _item(sent: dict[str, Any]) -> str:
    """Where the item is, taken out of the arguments."""
    place = _project(sent)
    named = str(sent.pop("number", None) or sent.pop("ref"))
    long = _LONG.match(named)
    if long is not None:
        return f"/projects/{long['project']}/items/{long['number']}"
    word, _, public_id = named.partition(":")
    if word in WORDS:
        return f"/{WORDS[word]}/{public_id}"
    return f"{place}/items/{quote(named, safe=':')}"


def _query(sent: dict[str, Any]) -> str:
    values = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in sent.items()
    }
    return f"?{urlencode(values, doseq=True)}" if values else ""


TOOLS = {
    "recall": _recall,
    "project_get": _project_get,
    "project_store": _project_store,
    "item_get": _item_get,
    "item_list": _item_list,
    "item_store": _item_store,
    "item_action": _item_action,
    "item_delete": _item_delete,
}
