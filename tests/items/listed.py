"""Short ways to lists, as a surface asks for them."""

from collections.abc import Callable, Iterator
from typing import Any

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.listing import list_items
from items.requests import ListRequest
from projects.models import Project


def listed(caller: Caller, project: Project | None, kind: str, **asked: Any) -> JsonObject:
    """A page of a list; the filters are given by their names."""
    request = {
        name: asked.pop(name) for name in ("query", "sort", "limit", "cursor") if name in asked
    }
    path = project.path if project is not None else None
    return list_items(caller, ListRequest(kind, project_id=path, filters=asked, **request))


def titles(caller: Caller, project: Project | None, kind: str, **asked: Any) -> list[str]:
    """The titles of a page."""
    return [entry["title"] for entry in listed(caller, project, kind, **asked)["items"]]


def walk(
    caller: Caller,
    project: Project | None,
    kind: str,
    *,
    meanwhile: Callable[[int, list[JsonObject]], None] | None = None,
    **asked: Any,
) -> Iterator[JsonObject]:
    """Every entry of a list, page after page.

    `meanwhile` is called after each page with its place (from 1) and what was seen.
    """
    seen: list[JsonObject] = []
    cursor, place = None, 0
    while True:
        page = listed(caller, project, kind, cursor=cursor, **asked)
        seen += page["items"]
        yield from page["items"]
        cursor, place = page.get("nextCursor"), place + 1
        assert page["hasMore"] is (cursor is not None)
        if cursor is None:
            return
        assert len(cursor) < 200
        if meanwhile is not None:
            meanwhile(place, seen)
