"""Entities of the reference memory server as memories: one each, more where it is too long."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.importers.drafts import Draft, limit_of
from exchange.importers.members import Members
from exchange.importers.texts import closed, cut, escape_numbers
from exchange.records import Credit, Found, Link

_TYPES: Final = {
    "decision": "decision", "convention": "convention", "rule": "convention",
    "guideline": "convention", "preference": "preference", "gotcha": "gotcha",
    "pitfall": "gotcha", "lesson": "gotcha", "bug": "gotcha", "reference": "reference",
    "resource": "reference", "document": "reference", "link": "reference",
}  # fmt: skip
_RESERVE: Final = 500  # characters of a memory for what is not observations
_BREAK = re.compile(r"\n(?=[^\n])")
_RELATIONS: Final = "## Relations"
_KIND: Final = "memory"


@dataclass(slots=True)
class Entity:
    """An entity, of all the entries with its name.

    `observations` are by their text, `relations` are (word, other entity, leads from here).
    """

    name: str
    place: str
    types: dict[str, None] = field(default_factory=dict)
    observations: dict[str, Members] = field(default_factory=dict)
    relations: dict[tuple[str, str, bool], None] = field(default_factory=dict)
    values: list[Members] = field(default_factory=list)


def memories(entity: Entity, entities: Mapping[str, Entity]) -> Iterator[Found]:
    """The memory of an entity; of one that is too long several, the others within the first."""
    texts = _packed(entity)
    for number, text in enumerate(texts, start=1):
        draft = _draft(entity, number, len(texts))
        draft.content = text
        if number == 1:
            draft.links = [Link("relates", other) for other in _linked(entity, entities)]
            draft.warnings.extend(_warnings(entity, len(texts)))
        yield draft.finished()


def _draft(entity: Entity, number: int, of: int) -> Draft:
    title, key = entity.name, entity.name
    if number > 1:
        suffix = f" ({number} of {of})"
        title = cut(entity.name, limit_of(_KIND, "title") - len(suffix))[0] + suffix
        key = f"{entity.name}\n{number}"
    draft = Draft(key, entity.place, _KIND, title, tags=list(entity.types))
    draft.parent = entity.name if number > 1 else None
    known = (_TYPES.get(each.casefold()) for each in entity.types)
    draft.fields = {
        "visibility": "shared",
        "type": next((each for each in known if each), "fact"),
    }
    times = list(_times(entity))
    draft.created = min(times, default=None)
    draft.changed = max(times, default=None)
    names = (each.person("createdBy", "updatedBy") for each in entity.values)
    draft.credit = Credit(next((name for name in names if name), ""))
    return draft


def _times(entity: Entity) -> Iterator[datetime]:
    for value in (*entity.values, *entity.observations.values()):
        for name in ("createdAt", "timestamp", "_savedAt", "updatedAt"):
            if at := value.moment(name):
                yield at


def _warnings(entity: Entity, parts: int) -> Iterator[str]:
    if len(entity.values) > 1:
        yield _("It stands %(count)d times in the file; its observations were put together.") % {
            "count": len(entity.values)
        }
    if parts > 1:
        reason = ngettext(
            "It is too long for one memory: the rest became %(count)d memory within the first.",
            "It is too long for one memory: the rest became %(count)d memories within the first.",
            parts - 1,
        )
        yield reason % {"count": parts - 1}
    for value in entity.values:
        yield from value.odd.sentences()


def _linked(entity: Entity, entities: Mapping[str, Entity]) -> Iterator[str]:
    """The other entities that it leads to, each pair of entities once."""
    others = dict.fromkeys(other for _word, other, leads in entity.relations if leads)
    for other in others:
        known = entities.get(other)
        if known is None or known is entity:
            continue
        both_ways = any(back == entity.name and leads for _word, back, leads in known.relations)
        if not both_ways or entity.name < other:
            yield other


def _packed(entity: Entity) -> list[str]:
    """The observations and then the relations as texts that fit into a memory each."""
    room = limit_of(_KIND, "content") - _RESERVE
    if len(entity.name) > limit_of(_KIND, "title"):
        room = max(room - len(entity.name), _RESERVE)
    texts = [""]
    size = 0
    heading = ""
    for section, item in _items(entity, room - len(_RELATIONS) - 4):
        lead = f"\n\n{section}\n\n" if section != heading else "\n"
        length = len(escape_numbers(item)) + len(lead)
        if size + length > room and texts[-1]:
            texts.append("")
            size = 0
            lead = f"{section}\n\n" if section else ""
        texts[-1] += f"{lead}{item}" if texts[-1] else f"{lead.lstrip()}{item}"
        size += length
        heading = section
    return texts


def _items(entity: Entity, room: int) -> Iterator[tuple[str, str]]:
    """The items of the lists, each with the heading that it stands under."""
    for text, value in entity.observations.items():
        at = value.moment("timestamp", "createdAt")
        when = f" ({at:%Y-%m-%d %H:%M} UTC)" if at else ""
        for piece in _pieces(f"{text}{when}", room):
            yield "", "- " + _BREAK.sub("\n  ", closed(piece))
    for word, other, leads in entity.relations:
        named = cut(f"{word or 'relates'}: {other}", room // 2)[0]
        yield _RELATIONS, f"- → {named}" if leads else f"- ← {named}"


def _pieces(text: str, room: int) -> Iterator[str]:
    """The text in pieces that fit even when indented and escaped, cut at a line or a word."""
    fitting = room // 4
    if len(escape_numbers("- " + text.replace("\n", "\n  "))) + 8 <= room:
        yield text
        return
    while len(text) > fitting:
        at = max(text.rfind("\n", fitting // 2, fitting), text.rfind(" ", fitting // 2, fitting))
        at = at if at > 0 else fitting
        yield text[:at]
        text = text[at:].lstrip()
    yield text
