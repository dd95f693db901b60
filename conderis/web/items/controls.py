"""What narrows a list of items: its controls, what they were set to, and how to take it back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from conderis.common.json import Json
from conderis.web.items.list_words import SEARCHED, filter_value_word, filter_word
from conderis.web.items.words import SORTS
from conderis.web.projects.frame import ProjectFrame
from items.kinds.base import Filter, Kind
from items.kinds.values import Assignee, Choice, Due, ParentFilter, Switch, Tags, read_number
from projects.assignees import project_assignees

QUERY, SORT, CURSOR = "q", "sort", "cursor"
RELEVANCE: Final = "relevance"


@dataclass(frozen=True, slots=True)
class Control:
    """A control that narrows the list: a choice of pairs, a switch, or (neither) a line."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    is_switch: bool = False

    @property
    def word(self) -> str:
        """What it is set to, in words."""
        return dict(self.choices).get(self.value) or filter_value_word(self.name, self.value)


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that narrows the list, and the query of the list without it."""

    label: str
    word: str
    without: str


def values_sent(kind: Kind, asked: Mapping[str, str]) -> dict[str, Any]:
    """The filters of the kind that were sent, as its list takes them."""
    found: dict[str, Json] = {}
    for each in kind.filters:
        value = asked.get(each.name)
        if value is None:
            continue
        found[each.name] = [value] if isinstance(each.type, Tags) else value
    return found


def sorts_of(kind: Kind, *, searching: bool) -> tuple[tuple[str, str], ...]:
    """The orders of the list by name and word, the first of which it has unasked."""
    names = [*([RELEVANCE] if searching else []), *kind.sorts]
    return tuple((name, str(SORTS.get(name, name))) for name in names)


def controls_of(
    frame: ProjectFrame | None, kind: Kind, asked: Mapping[str, str]
) -> tuple[Control, ...]:
    """The controls of the list. Parents are followed by links, and have none.

    Without a project nobody is there to choose from.
    """
    return tuple(
        _control(frame, each, asked.get(each.name, ""))
        for each in kind.filters
        if not isinstance(each.type, ParentFilter)
    )


def _control(frame: ProjectFrame | None, each: Filter, value: str) -> Control:
    words: tuple[str, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    if isinstance(each.type, Choice):
        words = each.type.words
    elif isinstance(each.type, Assignee):
        words = ("me", "none")
        people = _people(frame)
    elif isinstance(each.type, Due):
        words = ("overdue", "none")
    choices = (*((word, filter_value_word(each.name, word)) for word in words), *people)
    if choices and value and value not in dict(choices):
        choices = (*choices, (value, value))  # so that the form says what was asked for
    return Control(
        name=each.name,
        label=filter_word(each.name),
        value=value,
        choices=choices,
        is_switch=isinstance(each.type, Switch),
    )


def _people(frame: ProjectFrame | None) -> tuple[tuple[str, str], ...]:
    """Who can be assigned work, as far as the caller may know."""
    found = project_assignees(frame.access) if frame is not None else []
    return tuple((str(each["ref"]), str(each["name"])) for each in found)


def chips_of(
    kind: Kind, controls: tuple[Control, ...], narrowed: Mapping[str, str]
) -> tuple[Chip, ...]:
    """What the list is narrowed by, each with the query that is left without it."""
    chips: list[Chip] = []

    def add(name: str, label: str, word: str) -> None:
        rest = {key: value for key, value in narrowed.items() if key != name}
        chips.append(Chip(label, word, urlencode(rest)))

    if QUERY in narrowed:
        add(QUERY, str(SEARCHED), f"“{narrowed[QUERY][:60]}”")
    if "parent" in narrowed and "parent" in kind.filter_names:
        number = read_number(narrowed["parent"])
        shown = f"#{number}" if number else filter_value_word("parent", narrowed["parent"])
        add("parent", filter_word("parent"), shown)
    for each in controls:
        if each.value and (each.value, each.is_switch) != ("false", True):
            add(each.name, each.label, "" if each.is_switch else each.word)
    return tuple(chips)
