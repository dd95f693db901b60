"""Forgiving in, strict out: the values that each tool reads from what clients send."""

import json

import pytest

from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json, JsonObject
from mcp_surface.arguments import read_arguments
from tests.mcp_surface.argument_reading import (
    EVERY_PARAMETER,
    NEEDED,
    READING,
    WRITING,
    read,
    refusal,
    tool_named,
)

pytestmark = pytest.mark.no_database

OF_TYPE: dict[str, Json] = {"string": "x", "integer": 3, "boolean": True, "object": {"title": "x"}}


@pytest.mark.parametrize(("tool", "name"), EVERY_PARAMETER)
def test_a_value_as_the_schema_has_it_is_read_as_it_is(tool: str, name: str) -> None:
    schema = tool_named(tool).advertised["inputSchema"]["properties"][name]
    value = OF_TYPE[schema["type"]]

    assert read(tool, **{name: value}) == {name: value}


@pytest.mark.parametrize("tool", READING + WRITING)
def test_no_arguments_at_all_are_an_empty_object(tool: str) -> None:
    if tool in NEEDED:
        with pytest.raises(Invalid, match=f"{tool} needs"):
            read_arguments(tool_named(tool), None)
    else:
        assert read_arguments(tool_named(tool), None) == {}


@pytest.mark.parametrize("sent", [[], [1], "text", 3, True, 1.5])
def test_arguments_that_are_no_object_are_refused_with_the_names(sent: Json) -> None:
    with pytest.raises(Invalid) as caught:
        read_arguments(tool_named("recall"), sent)

    assert caught.value.details["field"] == "arguments"
    assert "projectId" in caught.value.details["allowed"]


# Objects as JSON text


@pytest.mark.parametrize(
    ("tool", "name"), [(tool, name) for tool, name in EVERY_PARAMETER if name in
                       ("fields", "filter", "batch")]
)  # fmt: skip
def test_an_object_sent_as_json_text_is_read(tool: str, name: str) -> None:
    value = {"title": "Größe", "tags": ["a", "b"], "n": 3}

    assert read(tool, **{name: json.dumps(value)}) == {name: value}
    assert read(tool, **{name: f"  {json.dumps(value, indent=2)}\n"}) == {name: value}


@pytest.mark.parametrize(
    "text",
    ["{", "tags: a", '["a"]', "3", '"text"', "true", "{'a': 1}", '{"a": NaN}', '{"a": 1e999}',
     "[" * 5000, '{"a":' * 5000, " "],
)  # fmt: skip
@pytest.mark.parametrize(("tool", "name"), [("item_store", "fields"), ("item_list", "filter"),
                                            ("item_store", "batch")])  # fmt: skip
def test_a_text_that_is_no_json_object_is_refused_with_the_shape(
    tool: str, name: str, text: str
) -> None:
    refused = refusal(tool, **{name: text})

    assert refused.details["field"] == name
    assert refused.details["allowed"][0].startswith("{")


@pytest.mark.parametrize("value", [[], [{}], 3, True, 1.5])
def test_another_shape_than_an_object_is_refused_with_the_shape(value: Json) -> None:
    refused = refusal("item_store", fields=value)

    assert refused.details["field"] == "fields"
    assert "JSON object" in refused.message


@pytest.mark.parametrize("text", ['{"a": 1}', '["a"]', "3", "true", "null", ""])
def test_text_inside_fields_stays_text(text: str) -> None:
    assert read("item_store", fields={"title": text}) == {"fields": {"title": text}}
    assert read("item_store", fields=json.dumps({"title": text})) == {"fields": {"title": text}}


def test_null_inside_fields_is_kept_since_it_clears() -> None:
    assert read("item_store", fields={"due": None}) == {"fields": {"due": None}}


def test_filters_that_stand_for_nothing_are_dropped() -> None:
    sent = {"due": None, "tags": "", "assignee": "null", "parent": "none", "ready": False}

    assert read("item_list", filter=sent) == {"filter": {"parent": "none", "ready": False}}


def test_an_object_nested_without_end_is_refused_and_breaks_nothing() -> None:
    deep: JsonObject = {}
    for _ in range(5000):
        deep = {"a": [deep]}

    refused = refusal("item_store", fields=deep)

    assert isinstance(refused, TooLarge)
    assert refused.details["field"] == "fields"


# Numbers and booleans


@pytest.mark.parametrize(
    ("sent", "number"),
    [(3, 3), (3.0, 3), ("3", 3), (" 3 ", 3), ("3.0", 3), ("03", 3), (0, 0), ("-1", -1)],
)
@pytest.mark.parametrize(("tool", "name"), [("item_list", "limit"), ("item_get", "offset"),
                                            ("recall", "maxChars"), ("item_get", "take"),
                                            ("item_store", "version")])  # fmt: skip
def test_a_whole_number_is_read_where_it_is_one(
    tool: str, name: str, sent: Json, number: int
) -> None:
    values = read(tool, **{name: sent})

    assert values == {name: number}
    assert type(values[name]) is int


@pytest.mark.parametrize(
    "sent",
    [True, False, 3.5, "3.5", "three", "1e3", "0x10", "vv3", "١", "３", "1_000",
     "+3", "--3", [], {}, [3], 10**10, -(10**10), 10**400, "9" * 400, 1e300,
     float("inf"), float("nan")],
)  # fmt: skip
@pytest.mark.parametrize(("tool", "name"), [("item_list", "limit"), ("item_store", "version")])
def test_what_is_no_whole_number_is_refused(tool: str, name: str, sent: Json) -> None:
    refused = refusal(tool, **{name: sent})

    assert refused.details["field"] == name
    assert "whole number" in refused.message


def test_a_version_is_read_as_lists_show_it() -> None:
    assert read("item_store", version="v3") == {"version": 3}
    assert refusal("item_list", limit="v3").details["field"] == "limit"


@pytest.mark.parametrize(
    ("sent", "number"),
    [
        (12, 12),
        ("12", 12),
        ("#12", 12),
        (" #12 ", 12),
        (12.0, 12),
        ("owner/name#12", "owner/name#12"),
    ],
)
@pytest.mark.parametrize(
    ("tool", "name"),
    [(tool, name) for tool, name in EVERY_PARAMETER if name in ("number", "ref", "target")],
)
def test_an_item_is_named_by_number_or_long_reference(
    tool: str, name: str, sent: Json, number: Json
) -> None:
    assert read(tool, **{name: sent}) == {name: number}


@pytest.mark.parametrize("sent", [True, 1.5, [], {}, [12], {"number": 12}, 0, -1, 10**12])
@pytest.mark.parametrize("name", ["number", "ref", "target"])
def test_what_names_no_item_is_refused_with_what_does(name: str, sent: Json) -> None:
    refused = refusal("item_action", **{name: sent})

    assert refused.details["field"] == name
    assert "12" in refused.details["allowed"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [(True, True), ("true", True), ("TRUE", True), (" True ", True), (False, False),
     ("false", False), ("False", False)],
)  # fmt: skip
@pytest.mark.parametrize(("tool", "name"), [("recall", "guide"), ("item_get", "history"),
                                            ("item_store", "propose")])  # fmt: skip
def test_a_boolean_is_read_from_its_words(tool: str, name: str, sent: Json, said: Json) -> None:
    assert read(tool, **{name: sent}) == {name: said}


@pytest.mark.parametrize("sent", [0, 1, 1.0, "1", "yes", "on", "null?", [], {}, "truefalse"])
def test_what_may_mean_either_is_no_boolean(sent: Json) -> None:
    refused = refusal("item_store", propose=sent)

    assert refused.details == {"field": "propose", "allowed": [True, False]}


@pytest.mark.parametrize("sent", [3, True, [], {}, 1.5])
@pytest.mark.parametrize(
    ("tool", "name"),
    [("item_list", "query"), ("item_list", "kind"), ("item_store", "reason"), ("recall", "focus")],
)
def test_what_is_no_text_is_refused_where_text_belongs(tool: str, name: str, sent: Json) -> None:
    assert refusal(tool, **{name: sent}).details["field"] == name


def test_blanks_round_a_name_do_not_count_and_those_of_a_text_do() -> None:
    values = read("item_list", kind=" task ", query=" two  words ")

    assert values == {"kind": "task", "query": " two  words "}
