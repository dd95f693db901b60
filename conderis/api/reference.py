"""The OpenAPI document as people read it: rows of operations, made from the document alone."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from conderis.common.json import JsonObject

PREFIX: Final = "/api/v1"
SAID_ONCE: Final = "project"  # of addresses: what it is stands at the beginning of the page


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A parameter, or a member of an object. `allowed` are the only words it takes, if any."""

    name: str
    type: str
    required: bool
    description: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A status that an operation answers with. `schema` names the shape of what it then says."""

    status: str
    meaning: str
    schema: str


@dataclass(frozen=True, slots=True)
class OperationRow:
    """One operation. `body` names the shape of its body, `request` is an example of it."""

    anchor: str
    method: str
    path: str
    summary: str
    more: str
    parameters: tuple[ValueRow, ...]
    body: str
    answers: tuple[AnswerRow, ...]
    request: str


@dataclass(frozen=True, slots=True)
class Group:
    """The operations on one thing."""

    name: str
    anchor: str
    about: str
    operations: tuple[OperationRow, ...]


@dataclass(frozen=True, slots=True)
class SchemaRow:
    """The shape of an object, with what it may hold."""

    name: str
    anchor: str
    description: str
    type: str
    members: tuple[ValueRow, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole: what holds for all, the groups in the order of the page, the shapes."""

    about: str
    groups: tuple[Group, ...]
    refusals: tuple[AnswerRow, ...]
    schemas: tuple[SchemaRow, ...]

    @property
    def count(self) -> int:
        """How many operations there are."""
        return sum(len(group.operations) for group in self.groups)


def reference_of(document: JsonObject) -> Reference:
    """The document's operations and schemas as rows."""
    groups: dict[str, list[OperationRow]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            row = _operation(document, path, method, operation)
            groups.setdefault(operation["tags"][0], []).append(row)
    return Reference(
        about=_plain(document["info"]["description"]),
        refusals=tuple(
            _answer(document, status, each)
            for status, each in document["components"]["responses"].items()
        ),
        groups=tuple(
            Group(
                each["name"],
                each["name"].lower().replace(" ", "-"),
                each["description"],
                tuple(groups[each["name"]]),
            )
            for each in document["tags"]
        ),
        schemas=tuple(
            SchemaRow(
                name=name,
                anchor=f"schema-{name}",
                description=_plain(schema.get("description", "")),
                type=_type(schema),
                members=tuple(_members(schema)),
            )
            for name, schema in sorted(document["components"]["schemas"].items())
        ),
    )


def _operation(document: JsonObject, path: str, method: str, operation: JsonObject) -> OperationRow:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    answers = [_answer(document, *each) for each in operation["responses"].items()]
    good = [each for each in answers if each.status < "400"]
    return OperationRow(
        anchor=operation["operationId"].replace("_", "-"),
        method=method.upper(),
        path=path[path.index(PREFIX) + len(PREFIX) :],
        summary=_plain(operation["summary"]),
        more=_plain(operation.get("description", "")),
        parameters=tuple(
            _parameter(each) for each in operation["parameters"] if each["name"] != SAID_ONCE
        ),
        body=_type(body["schema"]) if body else "",
        answers=tuple(good),
        request=_pretty(body.get("example")),
    )


def _answer(document: JsonObject, status: str, answer: JsonObject) -> AnswerRow:
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    content = next(iter(answer["content"].values()))
    return AnswerRow(status, answer["description"], _type(content["schema"]))


def _parameter(each: JsonObject) -> ValueRow:
    schema = each["schema"]
    return ValueRow(
        name=each["name"],
        type=_type(schema),
        required=each["required"],
        description=_plain(each.get("description", "")),
        allowed=_words(schema),
    )


def _members(schema: Mapping[str, Any]) -> Iterator[ValueRow]:
    required = schema.get("required", ())
    for name, each in schema.get("properties", {}).items():
        yield ValueRow(
            name=name,
            type=_type(each),
            required=name in required,
            description=_plain(each.get("description", "")),
            allowed=_words(each),
        )


def _words(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The only values that it takes, as words."""
    inside = schema.get("enum") or [
        word for each in schema.get("anyOf", ()) for word in each.get("enum", ())
    ]
    return tuple(str(word) for word in inside if word is not None)


def _type(schema: Mapping[str, Any]) -> str:
    """What a value is, in a few words: `array of string`."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema:
        kinds = [_type(each) for each in schema["anyOf"]]
        return " or ".join(dict.fromkeys(each for each in kinds if each != "null"))
    named = schema.get("type", "any")
    if isinstance(named, list):
        return " or ".join(each for each in named if each != "null")
    if named == "array":
        return f"array of {_type(schema['items'])}" if "items" in schema else "array"
    return str(named)


def _plain(text: str) -> str:
    """A description without the marks of Markdown, which the page does not read."""
    return text.replace("`", "")


def _pretty(example: JsonObject | None) -> str:
    return json.dumps(example, ensure_ascii=False, indent=2) if example is not None else ""
