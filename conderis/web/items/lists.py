"""A list of items as its page shows it: what narrows it, its entries, and the way on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypedDict
from urllib.parse import urlencode

from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
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
from conderis.web.items.list_words import age_word, count_word, refusal_word
from conderis.web.items.words import STATUS_ICONS, value_word
from conderis.web.projects.frame import ProjectFrame
from items.beside import Beside, beside_entries
from items.kinds.base import Kind
from items.kinds.values import Choice
from items.listing import list_items
from items.requests import ListRequest

VIEW, BOARD = "view", "board"
PAGE: Final = 50
ON_A_BOARD: Final = 100


class Entry(dict[str, Json]):
    """An entry in which a template finds "" for what it has not, without a search for it."""

    def __missing__(self, name: str) -> Json:
        """Nothing."""
        return ""


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of the list with its address, what stands beside it, and the words of its states.

    `tally` has a stroke, drawn or not, for each step of a priority.
    """

    entry: Entry
    href: str
    beside: Beside
    status: str
    status_icon: str
    priority: str
    tally: tuple[bool, ...]
    type: str
    age: str
    due: date | None

    @property
    def status_class(self) -> str:
        """What the status is drawn as."""
        return f"st-{self.status_icon.removeprefix('s-')}" if self.status_icon else ""

    @property
    def holder(self) -> tuple[str, str]:
        """The reference and the name of who has it; both "" where nobody has."""
        holder = self.entry["assignee"]
        return (str(holder["ref"]), str(holder["name"])) if isinstance(holder, dict) else ("", "")

    @property
    def by_agent(self) -> bool:
        """Whether an agent has it."""
        return self.holder[0].startswith("agent:")

    @property
    def more_inside(self) -> int:
        """How many children are not named."""
        return self.beside.children - len(self.beside.inside)


@dataclass(frozen=True, slots=True)
class Column:
    """The tasks of a board that are in one state."""

    name: str
    word: str
    icon: str
    rows: Sequence[Row]

    @property
    def status_class(self) -> str:
        """What the state is drawn as."""
        return f"st-{self.icon.removeprefix('s-')}"


@dataclass(frozen=True, slots=True)
class ItemList:
    """A page of a list; `refusal` says why there is none, where the address asks wrongly."""

    kind: Kind
    query: str
    sort: str
    controls: tuple[Control, ...]
    sorts: tuple[tuple[str, str], ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    total: int = 0
    count: str = ""
    next_query: str = ""
    first_query: str = ""
    is_first: bool = True
    columns: tuple[Column, ...] = ()
    is_board: bool = False
    refusal: str = ""
    narrowed: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_narrowed(self) -> bool:
        """Whether something but the order was asked for."""
        return bool(self.chips)

    @property
    def has_board(self) -> bool:
        """Whether the kind has states to make columns of."""
        return bool(self.kind.statuses)

    @property
    def other_view(self) -> str:
        """The query of the same as a board, or of the board as a list."""
        kept = {name: value for name, value in self.narrowed.items() if name != VIEW}
        return urlencode(kept if self.is_board else {**kept, VIEW: BOARD})


def read_list(frame: ProjectFrame, kind: Kind, sent: Mapping[str, str]) -> ItemList:
    """The list of a kind in the project, as an address asks for it.

    Raises:
        Invalid: the address asks for what the list has not.
        TooLarge: the query is too long.
    """
    asked = {name: value.strip() for name, value in sent.items() if value.strip()}
    is_board = asked.get(VIEW) == BOARD and bool(kind.statuses)
    request = ListRequest(
        kind=kind.name,
        project_id=frame.project_id,
        query=asked.get(QUERY),
        filters=values_sent(kind, asked),
        sort=asked.get(SORT),
        limit=ON_A_BOARD if is_board else PAGE,
        cursor=asked.get(CURSOR),
    )
    answer = list_items(frame.caller, request)
    rows = _rows(frame, kind, answer["items"], searching=QUERY in asked)
    cursor, total = answer.get("nextCursor"), int(answer["total"])
    shown = _shown(frame, kind, asked)
    return ItemList(
        **shown,
        rows=rows,
        total=total,
        count=count_word(kind.name, total, more=bool(answer.get("more"))),
        next_query=urlencode({**shown["narrowed"], CURSOR: cursor}) if cursor else "",
        first_query=urlencode(shown["narrowed"]),
        is_first=CURSOR not in asked,
        columns=_columns(kind, rows, asked) if is_board else (),
        is_board=is_board,
    )


def refused_list(
    frame: ProjectFrame, kind: Kind, sent: Mapping[str, str], refusal: DomainError
) -> ItemList:
    """What was asked for, to be asked for again, and why there is no list of it."""
    asked = {name: value.strip() for name, value in sent.items() if value.strip()}
    name = str(refusal.details.get("field") or "").removeprefix("filter.")
    shown = _shown(frame, kind, asked)
    return ItemList(**shown, refusal=refusal_word(refusal, asked.get(name, "")[:80]))


def unasked_list(frame: ProjectFrame, kind: Kind) -> ItemList:
    """The form of the list before anything was asked for, for what is shown otherwise."""
    return ItemList(**_shown(frame, kind, {}))


class _Shown(TypedDict):
    """What an `ItemList` says of what was asked for."""

    kind: Kind
    query: str
    sort: str
    controls: tuple[Control, ...]
    sorts: tuple[tuple[str, str], ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    narrowed: Mapping[str, str]


def _shown(frame: ProjectFrame, kind: Kind, asked: Mapping[str, str]) -> _Shown:
    """What the form and the chips say of what was asked for."""
    query = asked.get(QUERY, "")
    sorts = sorts_of(kind, searching=bool(query))
    narrowed = {name: value for name, value in asked.items() if name != CURSOR}
    controls = controls_of(frame, kind, asked)
    hidden = {VIEW, "parent"} & narrowed.keys()
    return {
        "kind": kind,
        "query": query,
        "sort": asked.get(SORT, sorts[0][0]),
        "controls": controls,
        "sorts": sorts,
        "chips": chips_of(kind, controls, narrowed),
        "kept": tuple((name, narrowed[name]) for name in sorted(hidden)),
        "narrowed": narrowed,
    }


def _rows(
    frame: ProjectFrame, kind: Kind, entries: Sequence[JsonObject], *, searching: bool
) -> tuple[Row, ...]:
    """The rows of the entries; what stands within another row of the page is not one itself."""
    numbers = [int(entry["number"]) for entry in entries]
    beside = beside_entries(
        frame.caller, project_id=frame.project_id, kind=kind.name, numbers=numbers
    )
    nothing, path = Beside(), frame.item_path()
    inside = set() if searching else _inside(entries, beside)
    return tuple(
        _row(path(number), kind, entry, beside.get(number, nothing))
        for number, entry in zip(numbers, entries, strict=True)
        if number not in inside
    )


def _inside(entries: Sequence[JsonObject], beside: Mapping[int, Beside]) -> set[int]:
    """The numbers of what its parent, on the same page, names as inside it."""
    named = {number for each in beside.values() for number in each.numbers}
    return named & {int(entry["number"]) for entry in entries}


def _row(href: str, kind: Kind, entry: JsonObject, beside: Beside) -> Row:
    status = str(entry.get("status", ""))
    return Row(
        entry=Entry(entry),
        href=href,
        beside=beside,
        status=value_word(status) if status else "",
        status_icon=STATUS_ICONS.get(status, ""),
        priority=value_word(str(entry["priority"])) if "priority" in entry else "",
        tally=tally_of(kind, entry),
        type=value_word(str(entry["type"])) if "type" in entry else "",
        age=age_word(str(entry.get("age", ""))),
        due=_day(entry.get("due")),
    )


def tally_of(kind: Kind, entry: JsonObject) -> tuple[bool, ...]:
    """Strokes for the priority, as many as there are, the highest with all of them drawn."""
    if "priority" not in entry:
        return ()
    ranks = kind.by_name["priority"].type
    words = ranks.words if isinstance(ranks, Choice) else ()
    place = words.index(str(entry["priority"]))
    return tuple(step < len(words) - place for step in range(len(words)))


def _day(text: Json) -> date | None:
    return date.fromisoformat(str(text)) if text else None


def _columns(kind: Kind, rows: Sequence[Row], asked: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(
        Column(
            name=status.name,
            word=value_word(status.name),
            icon=STATUS_ICONS.get(status.name, "s-open"),
            rows=[row for row in rows if row.entry.get("status") == status.name],
        )
        for status in kind.statuses
        if status.active or asked.get("includeClosed") == "true"
    )
