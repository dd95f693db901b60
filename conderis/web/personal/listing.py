"""The list of a person's memories across projects."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlencode

from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from conderis.web.items.controls import (
    CURSOR,
    QUERY,
    SORT,
    Chip,
    Control,
    chips_of,
    controls_of,
    sorts_of,
    values_sent,
)
from conderis.web.items.list_words import count_word, refusal_word
from conderis.web.items.words import value_word
from conderis.web.personal.reading import path_of, personal_kind
from items.listing import list_items
from items.requests import ListRequest

PAGE: Final = 50
# All of them are private: there is a control for it only where it was asked for.
_SAID: Final = frozenset({"visibility"})


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """An entry of the list with its address and words."""

    entry: JsonObject
    href: str
    type: str


@dataclass(frozen=True, slots=True)
class MemoryList:
    """A page of the list; `refusal` says why there is none, where the address asks wrongly."""

    query: str
    sort: str
    controls: tuple[Control, ...]
    sorts: tuple[tuple[str, str], ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    narrowed: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[MemoryRow, ...] = ()
    count: str = ""
    next_query: str = ""
    is_first: bool = True
    refusal: str = ""

    @property
    def first_query(self) -> str:
        """The query of its first page."""
        return urlencode(self.narrowed)

    @property
    def is_narrowed(self) -> bool:
        """Whether something but the order was asked for."""
        return bool(self.chips)


def read_list(caller: Caller, sent: Mapping[str, str]) -> MemoryList:
    """The caller's personal memories, as an address asks for them.

    Raises:
        Invalid: the address asks for what the list has not.
        TooLarge: the query is too long.
    """
    kind, asked = personal_kind(), _asked(sent)
    request = ListRequest(
        kind=kind.name, query=asked.get(QUERY), filters=values_sent(kind, asked),
        sort=asked.get(SORT), limit=PAGE, cursor=asked.get(CURSOR),
    )  # fmt: skip
    answer = list_items(caller, request)
    shown, cursor = _form_of(asked), answer.get("nextCursor")
    return replace(
        shown,
        rows=tuple(_row(entry) for entry in answer["items"]),
        count=count_word(kind.name, int(answer["total"]), more=bool(answer.get("more"))),
        next_query=urlencode({**shown.narrowed, CURSOR: cursor}) if cursor else "",
        is_first=CURSOR not in asked,
    )


def refused_list(sent: Mapping[str, str], refusal: DomainError) -> MemoryList:
    """What was asked for, to be asked for again, and why there is no list of it."""
    asked = _asked(sent)
    name = str(refusal.details.get("field") or "").removeprefix("filter.")
    return replace(_form_of(asked), refusal=refusal_word(refusal, asked.get(name, "")[:80]))


def _asked(sent: Mapping[str, str]) -> dict[str, str]:
    return {name: value.strip() for name, value in sent.items() if value.strip()}


def _form_of(asked: Mapping[str, str]) -> MemoryList:
    """What the form and the chips say of what was asked for, before it is looked up."""
    kind, query = personal_kind(), asked.get(QUERY, "")
    narrowed = {name: value for name, value in asked.items() if name != CURSOR}
    sorts = sorts_of(kind, searching=bool(query))
    controls = tuple(
        each for each in controls_of(None, kind, asked) if each.value or each.name not in _SAID
    )
    return MemoryList(
        query=query,
        sort=asked.get(SORT, sorts[0][0]),
        controls=controls,
        sorts=sorts,
        chips=chips_of(kind, controls, narrowed),
        kept=(("parent", narrowed["parent"]),) if "parent" in narrowed else (),
        narrowed=narrowed,
    )


def _row(entry: JsonObject) -> MemoryRow:
    return MemoryRow(
        entry=entry,
        href=path_of(entry["ref"]),
        type=value_word(str(entry["type"])) if "type" in entry else "",
    )
