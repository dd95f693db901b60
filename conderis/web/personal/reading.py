"""A person's memories across projects: the list, one of them, its history."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse

from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import JsonObject
from conderis.web.items.reading import ShownItem
from conderis.web.items.words import EVENTS, FIELDS, FILTERS, SORTS, value_word
from items.access import nothing_at
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.kinds.values import MAX_NUMBER, Choice, Switch, Tags, read_number
from items.listing import list_items
from items.parts import MAX_TAKE
from items.requests import Address, ListRequest, ReadRequest
from privacy.reading import read_at

PAGE: Final = 50
WORD: Final = "memory:"
_ID: Final = re.compile(r"[0-9a-z]{1,20}")
# All of them are private, and what stands below one is shown on its page.
_SAID: Final = frozenset({"visibility"})


def personal_kind() -> Kind:
    """The kind of what a person keeps across projects."""
    return next(kind for kind in all_kinds() if kind.personal)


def address_of(memory: str) -> Address:
    """How the services name the memory of this id.

    Raises:
        NotFound: it can be the id of none.
    """
    if not _ID.fullmatch(memory):
        raise nothing_at("such memory")
    return Address(ref=f"{WORD}{memory}")


def path_of(ref: object) -> str:
    """The address of the page of `memory:<id>`."""
    return reverse("memory", args=[str(ref).removeprefix(WORD)])


def read_memory(caller: Caller, memory: str, *, version: int | None = None) -> ShownItem:
    """The memory of this id, whole; or as it was at a version.

    Raises:
        NotFound: there is none of the caller's, or it never had this version.
    """
    address = address_of(memory)
    if version is not None and not 1 <= version <= MAX_NUMBER:
        raise nothing_at("such version")
    try:
        answer = read_at(caller, ReadRequest(address, version=version, take=MAX_TAKE))
    except Invalid as refusal:
        raise NotFound("There is no such version.") from refusal
    if answer.get("kind") != personal_kind().name:
        raise nothing_at("such memory")
    parts, rest = [str(answer.get("content") or "")], answer
    while "nextOffset" in rest:
        following = ReadRequest(
            address, version=answer["version"], offset=rest["nextOffset"], take=MAX_TAKE
        )
        rest = read_at(caller, following)
        parts.append(str(rest.get("content") or ""))
    return ShownItem({**answer, "content": "".join(parts)})


def decision_path(item: ShownItem) -> str:
    """Where its author decides the request that has locked it; "" where none has."""
    locked = item.answer.get("locked")
    if not isinstance(locked, dict) or "request" not in locked:
        return ""
    return reverse("deletion", args=[str(locked["request"]).partition(":")[2]])


@dataclass(frozen=True, slots=True)
class Control:
    """What narrows the list: a choice of pairs, a switch, or (neither) a line."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """An entry of the list with its address and words."""

    entry: JsonObject
    href: str
    type: str


@dataclass(frozen=True, slots=True)
class MemoryList:
    """A page of the list."""

    controls: tuple[Control, ...]
    sorts: tuple[tuple[str, str], ...]
    query: str
    sort: str
    parent: str
    rows: tuple[MemoryRow, ...]
    total: int
    more: bool
    next_query: str
    is_narrowed: bool

    @property
    def parent_href(self) -> str:
        """The address of the memory below which all of them stand, where it is one."""
        return path_of(self.parent) if self.parent.startswith(WORD) else ""


def read_list(caller: Caller, sent: Mapping[str, str]) -> MemoryList:
    """The caller's personal memories, as an address asks for them.

    Raises:
        Invalid: the address asks for what the list has not.
        TooLarge: the query is too long.
    """
    kind = personal_kind()
    asked = {name: value.strip() for name, value in sent.items() if value.strip()}
    query, filters = asked.get("q", ""), _filters(kind, asked)
    request = ListRequest(
        kind=kind.name, query=query or None, filters=filters, sort=asked.get("sort"),
        limit=PAGE, cursor=asked.get("cursor"),
    )  # fmt: skip
    answer = list_items(caller, request)
    sorts = [*(["relevance"] if query else []), *kind.sorts]
    cursor = answer.get("nextCursor")
    kept = {name: value for name, value in asked.items() if name != "cursor"}
    return MemoryList(
        controls=tuple(_controls(kind, asked)),
        sorts=tuple((name, str(SORTS[name])) for name in sorts),
        query=query,
        sort=asked.get("sort", sorts[0]),
        parent=asked.get("parent", ""),
        rows=tuple(_row(entry) for entry in answer["items"]),
        total=int(answer["total"]),
        more=bool(answer.get("more")),
        next_query=urlencode({**kept, "cursor": cursor}) if cursor else "",
        is_narrowed=bool(query or filters),
    )


def _filters(kind: Kind, asked: Mapping[str, str]) -> JsonObject:
    found: dict[str, Any] = {}
    for each in kind.filters:
        if each.name not in asked:
            continue
        if isinstance(each.type, Switch):
            found[each.name] = True
        else:
            value = asked[each.name]
            found[each.name] = [value] if isinstance(each.type, Tags) else value
    return found


def _controls(kind: Kind, asked: Mapping[str, str]) -> list[Control]:
    return [
        Control(
            name=each.name,
            label=str(FILTERS.get(each.name, each.name)),
            value=asked.get(each.name, ""),
            choices=tuple((word, value_word(word)) for word in each.type.words)
            if isinstance(each.type, Choice)
            else (),
            is_switch=isinstance(each.type, Switch),
        )
        for each in kind.filters
        if isinstance(each.type, Choice | Switch | Tags) and each.name not in _SAID
    ]


def _row(entry: JsonObject) -> MemoryRow:
    return MemoryRow(
        entry=entry,
        href=path_of(entry["ref"]),
        type=value_word(str(entry["type"])) if "type" in entry else "",
    )


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that happened to a memory, in words; `href` leads to the version it made."""

    word: str
    at: datetime
    by: str
    agent: str
    version: int | None
    reason: str
    fields: str
    href: str
    locked: bool
    erased: bool


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some events, newest first; `older` is the address of the next ones, or empty."""

    rows: tuple[EventRow, ...]
    older: str


def read_history(caller: Caller, memory: str, before: str | None) -> HistoryPage:
    """The events from a version downward, twenty at a time.

    Raises:
        NotFound: there is none of the caller's.
        Invalid: `before` is none of its versions.
    """
    version = read_number(before)
    if before is not None and version is None:
        raise Invalid("version must be the number of a version.", field="version")
    address = address_of(memory)
    answer = read_at(caller, ReadRequest(address, history=True, version=version))
    rows = tuple(_event(memory, each, hidden="locked" in answer) for each in answer["events"])
    following = answer.get("nextVersion")
    path = reverse("memory-history", args=[memory])
    return HistoryPage(rows, f"{path}?version={following}" if following else "")


def _event(memory: str, event: JsonObject, *, hidden: bool) -> EventRow:
    version = event.get("version")
    locked, erased = hidden or "locked" in event, "erased" in event
    is_shown = version is not None and not locked and not erased
    return EventRow(
        word=str(EVENTS.get(event["event"], event["event"])),
        at=datetime.fromisoformat(event["at"]),
        by=event["by"],
        agent=event.get("agent", ""),
        version=version,
        reason=event.get("reason", ""),
        fields=", ".join(str(FIELDS.get(name, name)) for name in event.get("fields", [])),
        href=reverse("memory-version", args=[memory, version]) if is_shown else "",
        locked=locked,
        erased=erased,
    )
