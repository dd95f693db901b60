"""What cannot be stored or sent is refused, and no refusal repeats it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conderis.common.json import Json, JsonObject, compact
from mcp_surface.tools import all_tools
from tests.mcp_surface.argument_reading import read, refusal

pytestmark = pytest.mark.no_database

TEXTUAL = [
    (tool.name, each["name"])
    for tool in all_tools()
    for each in ({"name": p.name, "type": p.type.word} for p in tool.parameters)
    if each["type"] == "string"
]


@pytest.mark.parametrize("bad", ["\ud83d", "bad \ud83d end", "\udc00x", "nul \x00"])
@pytest.mark.parametrize(("tool", "name"), TEXTUAL)
def test_text_that_cannot_be_stored_is_refused_by_name(tool: str, name: str, bad: str) -> None:
    refused = refusal(tool, **{name: bad})

    assert refused.details["field"] == name
    compact(refused.as_answer()).encode()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"title": "bad \ud83d"}, "fields.title"),
        ({"tags": ["fine", "\udfff"]}, "fields.tags[1]"),
        ({"edits": [{"find": "a", "replace": "\ud800"}]}, "fields.edits[0].replace"),
        ({"\ud83d": "x"}, "fields"),
        ({"verifiedAgainst": {"\ud83d": "x"}}, "fields.verifiedAgainst"),
    ],
)
@pytest.mark.parametrize("written", [dict, json.dumps])
def test_half_a_character_anywhere_inside_is_refused_with_its_place(
    sent: JsonObject, field: str, written: Callable[[JsonObject], Json]
) -> None:
    refused = refusal("item_store", fields=written(sent))

    assert refused.details["field"] == field
    assert "half of a surrogate pair" in refused.message
    compact(refused.as_answer()).encode()


def test_a_whole_emoji_in_json_escapes_is_kept() -> None:
    assert read("item_store", fields='{"title": "\\ud83c\\udf89"}') == {"fields": {"title": "🎉"}}


@pytest.mark.parametrize(
    "name", ["x" * 5000, "\ud83d", "a\nb", "\x00", "", "\u202eevil", "🎉" * 99]
)
def test_a_refusal_repeats_little_and_only_what_can_be_sent(name: str) -> None:
    answer: dict[str, Any] = refusal("project_get", **{name: 1}).as_answer()

    compact(answer).encode()
    assert len(answer["field"]) <= 41
    assert len(answer["message"]) < 200
    assert "\n" not in answer["message"]
    assert "\x00" not in answer["message"]
