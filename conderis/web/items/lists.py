"""A list of items as its page shows it: what narrows it, its entries, and the way on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from conderis.common.json import Json, JsonObject
from conderis.web.items.words import FILTERS, SORTS, STATUS_ICONS, value_word
from conderis.web.projects.frame import ProjectFrame
from items.kinds.base import Filter, Kind
from items.kinds.values import Assignee, Choice, Due, ParentFilter, Switch, Tags, read_number
from items.listing import list_items
from items.requests import ListRequest

QUERY, SORT, CURSOR = "q", "sort", "cursor"
PAGE = 50


@dataclass(frozen=True, slots=True)
class Control:
    """A control that narrows the list: a choice of pairs, a switch, or (neither) a line."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of the list with its address and the words of its states."""

    entry: JsonObject
    href: str
    status: str
    status_icon: str
    priority: str
    type: str


@dataclass(frozen=True, slots=True)
class ItemList:
    """A page of a list."""

    controls: tuple[Control, ...]
    sorts: tuple[tuple[str, str], ...]
    query: str
    sort: str
    rows: tuple[Row, ...]
    total: int
    more: bool
    next_query: str
    is_narrowed: bool
    parent: str

    @property
    def parent_number(self) -> int | None:
        """The number of the item below which all of them are, where it is one."""
        return read_number(self.parent)


def read_list(frame: ProjectFrame, kind: Kind, sent: Mapping[str, str]) -> ItemList:
    """The list of a kind in the project, as an address asks for it.

    Raises:
        Invalid: the address asks for what the list has not.
        TooLarge: the query is too long.
    """
    asked = {name: value for name, value in sent.items() if value}
    query = asked.get(QUERY, "").strip()
    filters = _filters(kind, asked)
    answer = list_items(
        frame.caller,
        ListRequest(
            kind=kind.name,
            project_id=frame.project_id,
            query=query or None,
            filters=filters,
            sort=asked.get(SORT),
            limit=PAGE,
            cursor=asked.get(CURSOR),
        ),
    )
    sorts = [*(["relevance"] if query else []), *kind.sorts]
    cursor = answer.get("nextCursor")
    kept = {name: value for name, value in asked.items() if name != CURSOR}
    return ItemList(
        controls=tuple(_control(each, asked) for each in kind.filters if _is_shown(each)),
        sorts=tuple((name, str(SORTS[name])) for name in sorts),
        query=query,
        sort=asked.get(SORT, sorts[0]),
        rows=tuple(_row(frame, entry) for entry in answer["items"]),
        total=int(answer["total"]),
        more=bool(answer.get("more")),
        next_query=urlencode({**kept, CURSOR: cursor}) if cursor else "",
        is_narrowed=bool(query or filters),
        parent=asked.get("parent", "").strip() if "parent" in filters else "",
    )


def _is_shown(each: Filter) -> bool:
    """Parents are followed by links, and kept by the form in a hidden field."""
    return not isinstance(each.type, ParentFilter)


def _filters(kind: Kind, asked: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Json] = {}
    for each in kind.filters:
        value = asked.get(each.name)
        if value is None:
            continue
        if isinstance(each.type, Switch):
            found[each.name] = True
        elif isinstance(each.type, Tags):
            found[each.name] = [value]
        else:
            found[each.name] = value
    return found


def _control(each: Filter, asked: Mapping[str, str]) -> Control:
    words: tuple[str, ...] = ()
    if isinstance(each.type, Choice):
        words = each.type.words
    elif isinstance(each.type, Assignee):
        words = ("me", "none")
    elif isinstance(each.type, Due):
        words = ("overdue", "none")
    return Control(
        name=each.name,
        label=str(FILTERS.get(each.name, each.name)),
        value=asked.get(each.name, ""),
        choices=tuple((word, value_word(word)) for word in words),
        is_switch=isinstance(each.type, Switch),
    )


def _row(frame: ProjectFrame, entry: JsonObject) -> Row:
    status = str(entry.get("status", ""))
    return Row(
        entry=entry,
        href=frame.path("item", number=int(entry["number"])),
        status=value_word(status) if status else "",
        status_icon=STATUS_ICONS.get(status, ""),
        priority=value_word(str(entry["priority"])) if "priority" in entry else "",
        type=value_word(str(entry["type"])) if "type" in entry else "",
    )
