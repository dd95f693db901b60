"""Batches over the tool, as clients send them."""

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped] # comes with mcp
import pytest
from django.test import Client

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.json import Json, JsonObject
from conderis.web.published.views import EXAMPLE, FOLDER, SCHEMA
from items.batches.reading import MAX_ITEMS, MEMBERS, OF_ITEMS, kinds_of_batches
from items.kinds.registry import kind_named
from items.models import Item
from mcp_surface.dispatch import call_tool
from projects.models import Project
from tests.factories import agent_caller

SHOP = "alice/shop"
TASK: JsonObject = {"key": "a", "kind": "task", "fields": {"title": "T"}}

pytestmark = pytest.mark.django_db


@pytest.fixture
def robo(alice: Person, project: Project) -> Caller:
    """An agent of the owner of alice/shop."""
    assert project.path == SHOP
    return agent_caller(alice)


def say(caller: Caller, batch: Json, *, error: bool = False, **more: Json) -> JsonObject:
    arguments: JsonObject = {"projectId": SHOP, "batch": batch, **more}
    answer = call_tool(caller, "item_store", arguments)
    assert answer.is_error is error, answer.text
    said: JsonObject = json.loads(answer.text)
    return said


def published(name: str) -> JsonObject:
    read: JsonObject = json.loads((Path(FOLDER) / name).read_text(encoding="utf-8"))
    return read


def test_the_published_example_is_stored(robo: Caller) -> None:
    example = published(EXAMPLE)

    answer = say(robo, example)
    again = say(robo, example)

    assert answer["outcome"] == "stored"
    assert again["items"] == answer["items"]
    assert Item.objects.count() == len(example["items"])
    assert {each["key"]: each.get("parent", {}).get("title") for each in answer["items"]} == {
        "queue": None, "queue-limit": "The delivery queue", "handbook": None,
        "deploying": "Handbook", "release": None, "measure": "Release 0.19",
        "announce": "Release 0.19",
    }  # fmt: skip


def test_the_published_example_is_of_the_published_schema(db: None) -> None:
    schema, example = published(SCHEMA), published(EXAMPLE)

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(example, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"items": [{"kind": "instructions", "fields": {}}]}, schema)


def test_the_published_schema_has_the_members_kinds_and_fields_that_are_taken(db: None) -> None:
    schema = published(SCHEMA)

    kinds = {name: each for name, each in schema["$defs"].items() if "kind" in str(each.keys()) or
             "properties" in each}  # fmt: skip
    assert set(schema["properties"]) == set(MEMBERS)
    assert schema["properties"]["items"]["maxItems"] == MAX_ITEMS
    assert set(kinds) == set(kinds_of_batches())
    for name, each in kinds.items():
        kind = kind_named(name)
        members = set(OF_ITEMS) if kind.statuses else set(OF_ITEMS) - {"reason"}
        fields = each["properties"]["fields"]["properties"]
        assert set(each["properties"]) == members
        assert set(fields) == set(kind.by_name)
        for field_name, field in kind.by_name.items():
            limit = getattr(field.type, "limit", None)
            words = getattr(field.type, "words", None)
            said = str(fields[field_name])
            assert limit is None or f"'maxLength': {limit}" in said
            assert words is None or fields[field_name]["enum"] == list(words)


@pytest.mark.parametrize(("path", "name"), [("/schemas/", SCHEMA), ("/examples/", EXAMPLE)])
def test_schema_and_example_are_read_at_fixed_addresses_by_everybody(
    db: None, path: str, name: str
) -> None:
    answer = Client().get(f"{path}{name}")

    assert answer.status_code == 200
    assert "json" in answer["Content-Type"]
    assert answer.json() == published(name)


@pytest.mark.parametrize("spelled", ["batch", "items", "item", "fields"])
def test_json_sent_as_text_is_read(robo: Caller, spelled: str) -> None:
    fields: Json = {"title": "T"}
    item: Json = {**TASK, "fields": json.dumps(fields) if spelled == "fields" else fields}
    items: Json = [json.dumps(item) if spelled == "item" else item]
    batch: Json = {"items": json.dumps(items) if spelled == "items" else items}

    answer = say(robo, json.dumps(batch) if spelled == "batch" else batch)

    assert answer["outcome"] == "stored"


def test_null_members_are_absent_and_text_stays_text(robo: Caller) -> None:
    item = {"key": None, "kind": "task", "fields": {"title": '{"a": 1}'}, "reason": None}

    answer = say(robo, {"items": [item], "idempotencyKey": None, "atomic": None}, kind=None)

    assert answer["items"] == [{"index": 0, "number": 1}]
    assert Item.objects.get().title == '{"a": 1}'


def test_a_lone_surrogate_anywhere_is_refused_with_its_place(robo: Caller) -> None:
    refused = say(robo, {"idempotencyKey": "a\ud83d", "items": [TASK]}, error=True)
    inside = say(robo, {"items": [{"kind": "task", "fields": {"title": "a\ud83d"}}]}, error=True)

    assert refused["field"] == "batch.idempotencyKey"
    assert inside["field"] == "batch.items[0].fields.title"


def test_a_refused_batch_is_an_error_and_one_with_failed_kinds_an_answer(robo: Caller) -> None:
    bad = {"kind": "task", "fields": {"title": "T", "due": "soon"}}

    refused = say(robo, {"items": []}, error=True)
    failed = say(robo, {"items": [bad]})

    assert (refused["error"], refused["field"]) == ("invalid", "batch.items")
    assert refused["allowed"]
    assert failed["outcome"] == "failed"
    assert failed["items"][0]["allowed"] == ["YYYY-MM-DD", None]


def test_reading_alone_sends_no_batch(alice: Person, project: Project) -> None:
    reader = agent_caller(alice, "reader", scopes=frozenset({Scope.READ}))

    refused = say(reader, {"items": [TASK]}, error=True)

    assert (refused["error"], refused["missing"]) == ("denied", "write")


def test_an_answer_holds_no_null_and_no_text_of_the_items(robo: Caller) -> None:
    item: dict[str, Any] = {"kind": "page", "fields": {"title": "P", "content": "zanzibar"}}

    answer = call_tool(robo, "item_store", {"projectId": SHOP, "batch": {"items": [item]}})

    assert "null" not in answer.text
    assert "zanzibar" not in answer.text
    assert answer.text == (
        '{"outcome":"stored","kinds":{"page":{"outcome":"stored","count":1}},'
        '"items":[{"index":0,"number":1}]}'
    )
