"""Short ways to send batches through the write door, for tests."""

from typing import Any

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.requests import BatchRequest
from projects.models import Project
from proposals import writing


def send(
    caller: Caller,
    project: Project | None,
    *items: JsonObject,
    kind: str | None = None,
    **frame: Any,
) -> JsonObject:
    """The answer to a batch of these items; `frame` are its other members."""
    return send_whole(caller, project, {"items": list(items), **frame}, kind=kind)


def send_whole(
    caller: Caller, project: Project | None, batch: JsonObject, *, kind: str | None = None
) -> JsonObject:
    """The answer to a batch as it is."""
    return writing.batch(caller, BatchRequest(project.path if project else None, kind, batch))


def task(key: str | None = None, **fields: Any) -> JsonObject:
    """A task of a batch."""
    return _item("task", key, {"title": f"Task {key}", **fields})


def page(key: str | None = None, **fields: Any) -> JsonObject:
    """A page of a batch."""
    return _item("page", key, {"title": f"Page {key}", **fields})


def memory(key: str | None = None, **fields: Any) -> JsonObject:
    """A shared memory of a batch."""
    return _item("memory", key, {"title": f"Memory {key}", "visibility": "shared", **fields})


def personal(key: str | None = None, **fields: Any) -> JsonObject:
    """A memory of a batch without a project."""
    return _item("memory", key, {"title": f"Memory {key}", **fields})


def _item(kind: str, key: str | None, fields: JsonObject) -> JsonObject:
    reason = fields.pop("reason", None)
    item: JsonObject = {"kind": kind, "fields": fields}
    if key is not None:
        item["key"] = key
    return item | ({"reason": reason} if reason is not None else {})


def numbers(answer: JsonObject) -> list[int | None]:
    """The number of each item, None where it has none."""
    return [each.get("number") for each in answer["items"]]


def outcomes(answer: JsonObject) -> dict[str, str]:
    """The outcome of each kind."""
    return {name: each["outcome"] for name, each in answer["kinds"].items()}
