"""The list of tools as clients receive it: its shape, its budget, its exact text."""

import json
from pathlib import Path

import pytest

from conderis.common.json import Json, compact
from conderis.common.tokens import count_tokens
from items.kinds.registry import all_kinds
from mcp_surface.tools import Effect, all_tools, listed_tools

pytestmark = pytest.mark.no_database

SNAPSHOT = Path(__file__).parent / "tools.json"
RENEW = "python manage.py measure_surface --list > tests/mcp_surface/tools.json"
MOST_CHARACTERS = 5_500
MOST_TOKENS = 1_300

# The contract's table: every tool, what it can do, and its parameters in order.
CONTRACT = {
    "recall": (Effect.READS, "projectId focus maxChars guide"),
    "project_get": (Effect.READS, "projectId"),
    "project_store": (Effect.WRITES, "projectId fields"),
    "item_get": (Effect.READS, "projectId number ref section history version offset take"),
    "item_list": (Effect.READS, "kind projectId query filter sort limit cursor"),
    "item_store": (
        Effect.WRITES,
        "kind projectId number ref version fields reason propose batch",
    ),
    "item_action": (
        Effect.WRITES,
        "projectId number ref action version reason target relation fields",
    ),
    "item_delete": (Effect.DESTROYS, "projectId number ref version reason"),
}


def test_the_list_is_the_stored_one() -> None:
    stored = json.loads(SNAPSHOT.read_text(encoding="utf-8"))

    assert listed_tools() == stored, f"If the change is meant, renew the snapshot: {RENEW}"


def test_the_list_keeps_its_budget_of_characters() -> None:
    assert len(compact(listed_tools())) <= MOST_CHARACTERS


def test_the_list_keeps_its_budget_of_tokens() -> None:
    assert count_tokens(compact(listed_tools())) <= MOST_TOKENS


def test_the_tools_and_parameters_are_those_of_the_contract() -> None:
    built = {tool.name: (tool.effect, " ".join(tool.parameter_names)) for tool in all_tools()}

    assert built == CONTRACT
    assert list(built) == list(CONTRACT)


def test_annotations_say_what_a_tool_can_do_and_no_more() -> None:
    said = {tool["name"]: tool["annotations"] for tool in listed_tools()}

    assert said == {
        "recall": {"readOnlyHint": True},
        "project_get": {"readOnlyHint": True},
        "project_store": {"destructiveHint": False},
        "item_get": {"readOnlyHint": True},
        "item_list": {"readOnlyHint": True},
        "item_store": {"destructiveHint": False},
        "item_action": {"destructiveHint": False},
        "item_delete": {"destructiveHint": True},
    }


def test_a_tool_is_listed_with_name_description_schema_and_annotations_alone() -> None:
    for tool in listed_tools():
        assert list(tool) == ["name", "description", "inputSchema", "annotations"]


def test_schemas_are_flat() -> None:
    for tool in listed_tools():
        schema = tool["inputSchema"]
        assert set(schema) <= {"type", "properties", "required"}
        assert schema["type"] == "object"
        assert set(schema.get("required", [])) <= set(schema["properties"])
        for name, parameter in schema["properties"].items():
            assert set(parameter) <= {"type", "description"}, name
            assert parameter["type"] in {"string", "integer", "boolean", "object"}, name


def test_no_schema_uses_what_some_client_cannot_take() -> None:
    refused = {"oneOf", "anyOf", "allOf", "$ref", "$defs", "default", "title", "outputSchema"}

    assert not refused & set(_keys(listed_tools()))


def _keys(value: Json) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for each in value.values() for key in _keys(each))]
    return [key for each in value for key in _keys(each)] if isinstance(value, list) else []


def test_required_parameters_are_the_few_that_no_call_can_do_without() -> None:
    required = {tool["name"]: tool["inputSchema"].get("required") for tool in listed_tools()}

    assert {name: needed for name, needed in required.items() if needed} == {
        "project_store": ["fields"],
        "item_list": ["kind"],
        "item_action": ["action"],
        "item_delete": ["reason"],
    }


def test_the_list_is_the_same_each_time() -> None:
    assert compact(listed_tools()) == compact(listed_tools())


def test_changing_an_answered_list_changes_no_later_one() -> None:
    before = compact(listed_tools())

    listed_tools()[0]["inputSchema"]["properties"].clear()

    assert compact(listed_tools()) == before


def test_every_kind_is_in_the_first_sentence_of_the_tools_that_take_it() -> None:
    first = {
        tool["name"]: tool["description"].split(".")[0].split("\n")[0] for tool in listed_tools()
    }

    for kind in all_kinds():
        assert kind.plural in first["recall"]
        for name in ("item_get", "item_store", "item_delete"):
            assert kind.name in first[name]
        if kind.listed:
            assert kind.name in first["item_list"]
        if kind.actions:
            assert kind.name in first["item_action"]


def test_fields_filters_and_actions_have_a_line_per_kind() -> None:
    lines = {tool["name"]: tool["description"].split("\n")[1:] for tool in listed_tools()}

    for kind in all_kinds():
        fields = _line_of(kind.name, lines["item_store"])
        assert [each.in_description for each in kind.fields] == _parts(fields)
        if kind.filters:
            filters = _line_of(kind.name, lines["item_list"])
            assert [each.in_description for each in kind.filters] == _parts(filters)
        if kind.actions:
            actions = _line_of(kind.name, lines["item_action"])
            assert [each.in_description for each in kind.actions] == _parts(actions)


def test_kinds_with_the_same_actions_share_a_line() -> None:
    described = next(t["description"] for t in listed_tools() if t["name"] == "item_action")

    assert "\nmemory, page: archive, restore, relate, unrelate\n" in described


def _line_of(kind: str, lines: list[str]) -> str:
    found = [line for line in lines if kind in line.partition(": ")[0].split(", ")]
    assert len(found) == 1, f"{kind} has one line"
    return found[0].partition(": ")[2]


def _parts(line: str) -> list[str]:
    """The parts of a line between commas, of which those in parentheses do not count."""
    parts, depth = [""], 0
    for each in line:
        depth += (each == "(") - (each == ")")
        if each == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip() for part in parts]
