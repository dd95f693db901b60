"""Files of the reference memory server of MCP: entities with observations, and relations.

Lines of JSON (the server's own form), one list, or an object with `entities` and `relations`.
All of a file is held while it is read, as its entities may stand there in parts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conderis.common.json import Json
from exchange.importers.base import Importer, Options
from exchange.importers.json_rows import Row, rows_of
from exchange.importers.json_streams import Unreadable, first_piece, pieces
from exchange.importers.members import Members
from exchange.importers.memory_entities import Entity, memories
from exchange.importers.places import named_place
from exchange.records import Found, Problem
from exchange.sources import Source, SourceFile

_LOOKED_AT: Final = 5  # lines, to tell what it is
_LISTS: Final = ("entities", "relations")


@dataclass(frozen=True, slots=True)
class _Relation:
    source: str
    target: str
    word: str
    place: str


def _looks_like(source: Source) -> bool:
    file = source.single
    if file is None:
        return False
    if _is_graph(file):
        return True
    seen = (row.value for row in islice(rows_of(file), _LOOKED_AT) if not row.problem)
    return _has(next(seen, None))


def _has(value: Json) -> bool:
    return isinstance(value, dict) and (
        {"name", "entityType", "observations"} <= value.keys()
        or {"from", "to", "relationType"} <= value.keys()
    )


def _is_graph(file: SourceFile) -> bool:
    """Whether the file is one object with the entities and relations in it."""
    first = first_piece(file)
    return first is not None and first.name in _LISTS and (not first.index or _has(first.value))


def _read(source: Source, _options: Options) -> Iterator[Found]:
    entities: dict[str, Entity] = {}
    relations: list[_Relation] = []
    for file in source.files:
        for row in _rows(file):
            place = row.place if source.single else f"{file.name}, {row.place}"
            reason = row.problem or _take(place, row.value, entities, relations)
            if reason:
                yield Problem(place, reason)
    for relation in relations:
        if problem := _relate(relation, entities):
            yield problem
    for entity in entities.values():
        yield from memories(entity, entities)


def _rows(file: SourceFile) -> Iterator[Row]:
    """The entries of a file, each with its place."""
    if not _is_graph(file):
        yield from rows_of(file)
        return
    number = 0
    try:
        for piece in pieces(file):
            if piece.name in _LISTS and piece.index is not None:
                number += 1
                yield Row(_("entry %(number)d") % {"number": number}, piece.value)
    except Unreadable as error:
        yield Row(_("entry %(number)d") % {"number": number + 1}, problem=str(error))


def _take(place: str, value: Json, entities: dict[str, Entity], relations: list[_Relation]) -> str:
    """Take an entry of a file; why it cannot be, else ""."""
    entry = Members(value)
    kind = entry.line("type", "_type").casefold()
    if kind == "relation" or (
        kind != "entity" and "from" in entry.names() and "to" in entry.names()
    ):
        relation = _Relation(
            entry.line("from"), entry.line("to"), entry.line("relationType"), place
        )
        if relation.source and relation.target:
            relations.append(relation)
            return ""
        return _("The relation does not say between what.")
    name = entry.line("name")
    if kind != "entity" and not {"entityType", "observations"}.intersection(entry.names()):
        return _("It is neither an entity nor a relation.")
    if not name:
        return _("The entity has no name.")
    entity = entities.setdefault(name, Entity(name, named_place(place, name)))
    entity.values.append(entry)
    if kind_of_entity := entry.line("entityType"):
        entity.types[kind_of_entity] = None
    _observe(entity, entry)
    return ""


def _observe(entity: Entity, entry: Members) -> None:
    for observation in entry.entries("observations"):
        value = observation if isinstance(observation, dict) else {"text": observation}
        member = Members(value, entry.odd, "observations.")
        if text := member.text("text", "content", "observation").strip():
            entity.observations.setdefault(text, member)


def _relate(relation: _Relation, entities: dict[str, Entity]) -> Problem | None:
    """Note the relation with both of its ends, or say what is missing."""
    source, target = entities.get(relation.source), entities.get(relation.target)
    if source:
        source.relations[relation.word, relation.target, True] = None
    if target and target is not source:
        target.relations[relation.word, relation.source, False] = None
    if source and target:
        return None
    kept = source is not None or target is not None
    reason = ngettext(
        "The relation names an entity that is not in the file.",
        "The relation names two entities that are not in the file.",
        1 if kept else 2,
    )
    if kept:
        reason = f"{reason} {_('It stays as text with the other one.')}"
    said = f"{relation.source} {relation.word} {relation.target}"
    return Problem(named_place(relation.place, said), reason, left_out=not kept)


MEMORY_SERVER: Final = Importer(
    name="memory-server",
    label=gettext_lazy("MCP memory server"),
    hint=gettext_lazy("The file that MEMORY_FILE_PATH of the server names, often memory.jsonl."),
    looks_like=_looks_like,
    read=_read,
)
