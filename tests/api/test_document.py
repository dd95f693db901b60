"""The OpenAPI document: made from the registry, kept in step, and held to its own word."""

import json
from typing import Any

import pytest
from django.test import Client

from conderis.accounts.models import Person
from conderis.api.queries import HistoryPage, ItemList, Recalling, VersionedParts, item_filters
from items.kinds.base import Field, Kind
from items.kinds.registry import all_kinds, one_more
from items.kinds.values import Line
from projects.models import Project
from tests.api.calling import by_key
from tests.api.snapshot import SNAPSHOT, document_now
from tests.api.translating import as_request
from tests.privacy.locked_world import locked_world
from tests.privacy.reading_paths import CALLS

RENEW = "make api-snapshot"


def document() -> Any:
    return json.loads(document_now())


@pytest.mark.django_db
def test_the_document_is_the_stored_one() -> None:
    assert document() == json.loads(SNAPSHOT.read_text(encoding="utf-8")), RENEW


@pytest.mark.django_db
def test_the_document_stands_at_its_address_for_everybody() -> None:
    answer = Client().get("/api/v1/openapi.json")

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/json")
    assert answer.json() == document()


def test_the_document_has_the_fields_filters_and_actions_of_the_kinds() -> None:
    found = document()
    schemas = found["components"]["schemas"]
    listed = found["paths"]["/api/v1/projects/{project}/items"]["get"]["parameters"]

    for kind in all_kinds():
        assert set(kind.by_name) <= set(schemas[f"{kind.name.capitalize()}Fields"]["properties"])
        assert set(kind.by_name) <= set(schemas["Item"]["properties"])
    filters = {each.name for kind in all_kinds() for each in kind.filters if kind.listed}
    assert filters <= {each["name"] for each in listed}


def test_a_new_kind_is_in_the_document_at_once() -> None:
    kind = Kind(name="note", plural="notes", fields=(Field("mood", Line(20)),))

    with one_more(kind):
        found = json.loads(document_now())

    assert "mood" in found["components"]["schemas"]["NoteFields"]["properties"]
    assert "mood" in found["components"]["schemas"]["Item"]["properties"]


def test_no_filter_has_the_name_of_another_parameter() -> None:
    others = {name for model in (ItemList, VersionedParts, HistoryPage, Recalling)
              for name in model.model_fields}  # fmt: skip

    assert not set(item_filters()) & others


def test_the_numbers_of_an_address_have_their_bounds() -> None:
    for path, methods in document()["paths"].items():
        for each in methods.get("get", {}).get("parameters", ()):
            if each["schema"].get("type") == "integer":
                assert "minimum" in each["schema"], (path, each["name"])
            if each["name"] in {"limit", "take", "maxChars"}:
                assert "maximum" in each["schema"], (path, each["name"])


def test_every_operation_has_words_and_says_which_refusals_it_makes() -> None:
    for methods in document()["paths"].values():
        for method, operation in methods.items():
            assert operation["summary"].endswith("."), operation
            expected = {"400", "401", "403", "404", "429", "503"}
            expected |= {"409", "415", "423"} if method != "get" else set()
            assert expected <= set(operation["responses"])
            assert operation["security"] == [{"AgentKey": []}, {"BrowserSession": []}]


def test_answers_hold_nothing_that_the_document_does_not_name(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    world = locked_world(project, alice, bob, carol)
    client = by_key(alice)
    found = document()
    missing: set[str] = set()
    for call in CALLS:
        if call.tool not in {"item_get", "item_list", "project_get", "recall"}:
            continue
        arguments = world.filled(call.arguments)
        if call.in_project and arguments.get("kind") != "project":
            arguments["projectId"] = project.path
        request = as_request(call.tool, arguments)
        heard = client(request.method, request.path)
        if heard.status == 200:
            schema = schema_of(found, request.path)
            missing |= {f"{schema}{each}" for each in undeclared(found, schema, heard.json)}
    assert missing == set()


def schema_of(found: Any, path: str) -> Any:
    """The schema of what a GET of this path answers."""
    sent = path.partition("?")[0].replace("alice/shop", "{project}").split("/")
    for pattern, methods in found["paths"].items():
        parts = pattern.removeprefix("/api/v1").split("/")
        same = len(parts) == len(sent) and all(
            one == other or (one.startswith("{") and one != "{project}")
            or (one == "{project}" and other == "{project}")
            for one, other in zip(parts, sent, strict=True)
        )  # fmt: skip
        if same and "get" in methods:
            return methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    raise AssertionError(path)


def undeclared(found: Any, schema: Any, value: Any, place: str = "") -> list[str]:
    """The members of an answer that its schema does not name."""
    if "$ref" in schema:
        schema = found["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if isinstance(value, list) and "items" in schema:
        return [each for one in value for each in undeclared(found, schema["items"], one, place)]
    if not isinstance(value, dict) or "properties" not in schema:
        return []
    missing = [f"{place}.{name}" for name in value if name not in schema["properties"]]
    return missing + [
        each
        for name, inner in value.items()
        if name in schema["properties"]
        for each in undeclared(found, schema["properties"][name], inner, f"{place}.{name}")
    ]


def test_the_pages_show_every_operation_and_shape_of_the_document() -> None:
    page = Client().get("/api/docs/").content.decode()
    shapes = Client().get("/api/docs/shapes/").content.decode()

    for path, methods in document()["paths"].items():
        for operation in methods.values():
            assert f'id="{operation["operationId"].replace("_", "-")}"' in page, path
    for name in document()["components"]["schemas"]:
        assert f'id="schema-{name}"' in shapes
