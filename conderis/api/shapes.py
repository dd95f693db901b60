"""The JSON schemas of fields and filters, made from the types in the registry of kinds."""

from collections.abc import Callable, Iterable
from functools import singledispatch
from typing import Any, Final

from conderis.common.json import JsonObject
from items.kinds import values
from items.kinds.base import ActionRow, Field, Filter, Kind
from items.kinds.registry import all_kinds
from items.patches import TEXT_WAYS

SHA: Final = {"type": "string", "pattern": "^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$"}
NUMBER: Final = {"type": "integer", "minimum": 1}
MEMORY: Final = {"type": "string", "pattern": "^memory:[0-9a-z]+$"}
WHO: Final = {"type": "string", "description": "me, person:<id> or agent:<id>"}
NAMED: Final = {"$ref": "#/components/schemas/Named"}
NULL: Final = {"type": "null"}


@singledispatch
def sent(kind: values.ValueType) -> JsonObject:
    """What a value of this type is sent as."""
    raise TypeError(f"{type(kind).__name__} has no schema.")


@sent.register(values.Line)
@sent.register(values.Text)
def _text(kind: values.Line | values.Text) -> JsonObject:
    return {"type": "string", "maxLength": kind.limit}


@sent.register
def _choice(kind: values.Choice) -> JsonObject:
    return {"type": "string", **({"enum": list(kind.words)} if kind.words else {})}


@sent.register
def _switch(_: values.Switch) -> JsonObject:
    return {"type": "boolean"}


@sent.register
def _tags(_: values.Tags) -> JsonObject:
    tag = {"type": "string", "maxLength": values.MAX_TAG}
    return {"type": "array", "items": tag, "maxItems": values.MAX_TAGS}


@sent.register
def _day(_: values.Day) -> JsonObject:
    return {"type": "string", "format": "date"}


@sent.register
def _moment(_: values.Moment) -> JsonObject:
    return {"type": "string", "description": "A time in ISO 8601, or a date."}


@sent.register
def _position(_: values.Position) -> JsonObject:
    return {**NUMBER, "description": "The place among the siblings."}


@sent.register
def _reference(_: values.ItemReference) -> JsonObject:
    return {"anyOf": [NUMBER, MEMORY]}


@sent.register
def _numbers(_: values.Numbers) -> JsonObject:
    return {"type": "array", "items": NUMBER, "maxItems": values.MAX_COMMITS}


@sent.register
def _assignee(_: values.Assignee) -> JsonObject:
    return WHO


@sent.register
def _commits(_: values.Commits) -> JsonObject:
    return {"type": "array", "items": SHA, "maxItems": values.MAX_COMMITS}


@sent.register
def _source(_: values.SourceState) -> JsonObject:
    whole = {
        "type": "object",
        "properties": {"commit": SHA, "repository": {"type": "string", "maxLength": 300}},
        "required": ["commit"],
        "additionalProperties": False,
    }
    return {"anyOf": [SHA, whole]}


@sent.register
def _due(_: values.Due) -> JsonObject:
    return {"type": "string", "enum": ["overdue", "none"]}


@sent.register
def _parent(_: values.ParentFilter) -> JsonObject:
    return {"type": "string", "description": "A number, memory:<id>, or none for the top level."}


SHOWN: Final[dict[type[values.ValueType], Callable[[], JsonObject]]] = {
    values.ItemReference: lambda: NAMED,
    values.Assignee: lambda: {"$ref": "#/components/schemas/Who"},
    values.Moment: lambda: {"type": "string", "format": "date-time"},
    values.SourceState: lambda: {
        "type": "object",
        "properties": {"commit": SHA, "repository": {"type": "string"}},
        "required": ["commit"],
    },
    values.Commits: lambda: {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"sha": SHA, "repository": {"type": "string"}},
            "required": ["sha"],
        },
    },
}
"""Types whose values answers carry in another shape than they are sent in."""


def shown(field: Field) -> JsonObject:
    """What a field's value is answered as."""
    other = SHOWN.get(type(field.type))
    return other() if other is not None else sent(field.type)


def fields_sent(kind: Kind) -> JsonObject:
    """The `fields` of a kind, and the ways to change a text instead of `content`."""
    properties = {each.name: _sent_field(each) for each in kind.fields}
    if "content" in kind.by_name:
        properties |= {name: WAYS[name] for name in TEXT_WAYS}
    return {
        "title": kind.plural.capitalize(),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


WAYS: Final[dict[str, JsonObject]] = {
    "append": {"type": "string", "description": "Text to join to the content by a line break."},
    "edits": {
        "type": "array",
        "description": "Each `find` stands exactly once in the text.",
        "items": {
            "type": "object",
            "properties": {"find": {"type": "string"}, "replace": {"type": "string"}},
            "required": ["find", "replace"],
            "additionalProperties": False,
        },
    },
    "complete": {"type": "boolean", "description": "The content is the whole text on purpose."},
}


def _sent_field(field: Field) -> JsonObject:
    schema = sent(field.type)
    if field.hint and "enum" not in schema:
        schema = {**schema, "description": field.hint}
    return {"anyOf": [schema, NULL]} if field.clearable else schema


def action_fields(row: ActionRow) -> dict[str, JsonObject]:
    """The fields of an action by name."""
    return {each.name: sent(each.type) for each in row.fields}


def filter_schema(rows: Iterable[tuple[str, Filter]]) -> JsonObject:
    """One schema for the filters of a name, whatever the kind."""
    return either([sent(each.type) for _, each in rows])


def fields_shown(names: Callable[[Kind], Iterable[str]]) -> dict[str, JsonObject]:
    """The schemas of the fields that answers show, of all kinds together."""
    found: dict[str, list[JsonObject]] = {}
    for kind in all_kinds():
        for name in names(kind):
            found.setdefault(name, []).append(shown(kind.by_name[name]))
    return {name: either(schemas) for name, schemas in found.items()}


def either(schemas: list[JsonObject]) -> JsonObject:
    """One schema for what is either of these; texts of several lengths take the longest."""
    once: list[JsonObject] = []
    for each in schemas:
        if each not in once:
            once.append(each)
    if all("maxLength" in each for each in once):
        return max(once, key=_longest)
    return once[0] if len(once) == 1 else {"anyOf": once}


def _longest(schema: dict[str, Any]) -> int:
    length: int = schema["maxLength"]
    return length
