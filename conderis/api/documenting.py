"""The OpenAPI document: ninja's account of the operations, with the schemas of the registry.

Nothing in it is listed twice: fields, filters and actions are those of the kinds that there are.
"""

from typing import Any, Final

from conderis.api.answering import MEDIA_TYPE
from conderis.api.answers import answer_schemas, record, ref
from conderis.api.describing import EXTRA
from conderis.api.examples import EXAMPLES
from conderis.api.problems import MEDIA_TYPE as PROBLEM_TYPE
from conderis.api.queries import is_many, item_filters, proposal_filters
from conderis.api.shapes import (
    action_fields,
    fields_sent,
    filter_schema,
)
from conderis.common.json import JsonObject
from items.kinds.base import Filter
from items.kinds.registry import all_kinds
from projects.services import FIELDS, RECALL_MODES

MEANINGS: Final = {
    200: "Done.",
    201: "Made; Location says where.",
    202: "Waits for review: it is a proposal now.",
    400: "Something sent is wrong; nothing was stored.",
    401: "No agent key, or one that is not in force.",
    403: "You may read it, but lack what this needs.",
    404: "There is nothing here that you may read.",
    405: "This address takes other methods.",
    409: "Somebody else was there first; what now stands is said.",
    413: "More was sent than is taken.",
    415: "The body is of a type that is not taken here.",
    421: "The server does not answer to that host.",
    423: "A deletion request has locked the content.",
    429: "Too much at once; Retry-After says how long to wait.",
    503: "The server cannot do this now.",
}
LOCATION: Final = {"schema": {"type": "string"}}
HEADERS: Final[dict[int, JsonObject]] = {
    201: {"Location": LOCATION},
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "integer"}}},
}
OPEN: Final = "additionalProperties"
TAGS: Final = {
    "Recall": "Who you are, and what a project knows.",
    "Projects": "Projects that you may read.",
    "Items": "Tasks, memories, pages and the instructions.",
    "Batches": "Many items at once, and exactly once.",
    "Import and export": "Files of this and of other systems; the whole of a project.",
    "Proposals": "Changes that wait for review, and requests for deletion.",
}
PATHS: Final = {
    "project": "The project's id, or owner/name (the slash may be written as %2F).",
    "item": "The number, or `instructions`; without a project `memory:<id>`.",
    "proposal": "The id of the proposal, with or without `proposal:`.",
    "import_id": "The id of the import, as the answer of the upload says it.",
    "deletion": "The id of the request, with or without `deletion:`.",
}


def documented(document: JsonObject) -> JsonObject:
    """The document as it is published, made from what ninja says."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete(operation, f"{method.upper()} {path}")
    schemas = document["components"]["schemas"]
    for operation in _operations(document):
        _name_fields(operation, schemas)
    sent = {name: each for name, each in schemas.items() if not each.get(OPEN, True)}
    document["components"]["schemas"] = answer_schemas() | _sent_schemas() | sent
    for name, schema in document["components"]["schemas"].items():
        if name in EXAMPLES:
            schema["example"] = EXAMPLES[name]
    document["tags"] = [{"name": name, "description": said} for name, said in TAGS.items()]
    document["components"]["responses"] = {
        str(status): _refused(status) for status in sorted(MEANINGS) if status >= 400
    }
    return document


def _operations(document: JsonObject) -> list[JsonObject]:
    return [each for methods in document["paths"].values() for each in methods.values()]


def _refused(status: int) -> JsonObject:
    content = {PROBLEM_TYPE: {"schema": ref("Problem")}}
    answer: JsonObject = {"description": MEANINGS[status], "content": content}
    return answer | ({"headers": HEADERS[status]} if status in HEADERS else {})


def _complete(operation: JsonObject, name: str) -> None:
    extra = operation.pop(EXTRA)
    summary, _, more = operation.pop("description", "").partition("\n")
    operation["summary"] = summary.strip()
    if more.strip():
        operation["description"] = " ".join(more.split())
    _parameters(operation, extra)
    _body(operation, extra, name)
    responses: dict[str, JsonObject] = {}
    for status in extra["statuses"]:
        responses[str(status)] = {
            "description": extra["meanings"].get(status, MEANINGS[status]),
            "content": extra["media"] or {MEDIA_TYPE: _answered(extra["answer"], status)},
            **({"headers": HEADERS[status]} if status in HEADERS else {}),
        }
    for status in extra["refusals"]:
        responses[str(status)] = {"$ref": f"#/components/responses/{status}"}
    operation["responses"] = responses


def _answered(name: str, status: int) -> JsonObject:
    example = EXAMPLES.get(f"{name} {status}") or EXAMPLES.get(name)
    return {"schema": ref(name)} | ({"example": example} if example is not None else {})


def _parameters(operation: JsonObject, extra: JsonObject) -> None:
    for each in operation["parameters"]:
        schema = each["schema"]
        for word in ("title", "description", "examples"):
            schema.pop(word, None)
        each["schema"] = _without_null(schema)
        if each["in"] == "path":
            each["description"] = PATHS[each["name"]]
            each["schema"] = {"type": "string", "minLength": 1}
        if each["name"] == "kind":
            each["schema"] = {"type": "string", "enum": _listed()}
            each.pop("examples", None)
        if isinstance(each.get("examples"), list):
            each["example"] = each.pop("examples")[0]
    filters = item_filters() if extra["filters"] else {}
    if extra["answer"] == "ProposalPage":
        filters = proposal_filters()
    operation["parameters"] += [_filter(name, rows) for name, rows in filters.items()]


def _listed() -> list[str]:
    return [kind.name for kind in all_kinds() if kind.listed]


def _without_null(schema: JsonObject) -> JsonObject:
    """Absence is no value of a query."""
    kept: list[JsonObject] = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kept) != 1:
        return schema
    beside = {name: each for name, each in schema.items() if name not in ("anyOf", "default")}
    return kept[0] | beside


def _filter(name: str, rows: list[tuple[str, Filter]]) -> JsonObject:
    kinds = ", ".join(kind for kind, _ in rows)
    hint = next((each.hint for _, each in rows if each.hint), "")
    parameter: JsonObject = {
        "in": "query",
        "name": name,
        "required": False,
        "schema": filter_schema(rows),
        "description": f"Filter of {kinds}{f' ({hint})' if hint else ''}.",
    }
    return parameter | ({"style": "form", "explode": True} if is_many(rows) else {})


def _body(operation: JsonObject, extra: JsonObject, name: str) -> None:
    if extra["upload"] is not None:
        operation["requestBody"] = {"content": extra["upload"], "required": True}
    body = operation.get("requestBody")
    if body is None or extra["upload"] is not None:
        return
    content = body["content"][MEDIA_TYPE]
    if extra["body"]:
        content["schema"] = ref(extra["body"])
    operation["x-fields"] = extra["fields"]
    example = EXAMPLES.get(name) or EXAMPLES.get(extra["body"] or "")
    if example is not None:
        content["example"] = example
    body["required"] = True


def _name_fields(operation: JsonObject, schemas: JsonObject) -> None:
    """Say of the `fields` in a body which they are, and leave out titles that say nothing."""
    name = operation.pop("x-fields", None)
    content = operation.get("requestBody", {}).get("content", {}).get(MEDIA_TYPE)
    if content is None:
        return
    schema = content["schema"]
    body = schemas.get(schema["$ref"].rpartition("/")[2], {})
    body.pop("title", None)
    for each in body.get("properties", {}).values():
        each.pop("title", None)
    if name is not None:
        body["properties"]["fields"] = ref(name)


def _sent_schemas() -> dict[str, JsonObject]:
    kinds = {_name(kind.name): fields_sent(kind) for kind in all_kinds()}
    actions: dict[str, JsonObject] = {}
    for kind in all_kinds():
        for row in kind.actions:
            actions |= action_fields(row)
    fields: dict[str, Any] = {name: {"type": ["string", "null"]} for name in FIELDS}
    fields["recallMode"] = {"enum": [*RECALL_MODES, None]}
    return {
        **kinds,
        "Fields": {
            "description": "Those of the item's kind.",
            "anyOf": [ref(name) for name in kinds],
        },
        "ActionFields": {**record("", **actions), "additionalProperties": False},
        "ProjectFields": {**record("", **fields), "additionalProperties": False},
        "Batch": _batch(),
    }


def _name(kind: str) -> str:
    return f"{kind.capitalize()}Fields"


def _batch() -> JsonObject:
    numbered = [kind for kind in all_kinds() if kind.numbered]
    item = record(
        "kind fields",
        key={"type": "string", "maxLength": 100, "description": "Names it inside the batch."},
        kind={"type": "string", "enum": [kind.name for kind in numbered]},
        fields={
            "type": "object",
            "description": "As of an item; parent and dependsOn may be keys.",
        },
        reason={"type": "string"},
    )
    return {
        **record(
            "",
            idempotencyKey={"type": "string", "minLength": 1, "maxLength": 200},
            source={"type": "string", "maxLength": 200},
            atomic={"type": "boolean", "description": "All kinds or none."},
            items={"type": "array", "items": item, "minItems": 1, "maxItems": 100},
        ),
        "description": "/schemas/conderis-batch-v2.schema.json has the shape of each kind; a "
        "file of the older Conderis Memory Batch v1 is taken, too.",
    }
