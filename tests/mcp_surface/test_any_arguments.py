"""Whatever is sent, reading it ends in values of the right types or in a refusal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject, compact
from mcp_surface.arguments import ENVELOPE, read_arguments
from mcp_surface.tools import Tool, all_tools

pytestmark = pytest.mark.no_database

NAMES = sorted({name for tool in all_tools() for name in tool.parameter_names})
PYTHON = {"integer": (int, str), "string": (str, int), "boolean": (bool,), "object": (dict,)}

# Surrogates too: text with them reaches us from JSON escapes.
texts = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["", "null", "true", "3", "#3", "v3", "3.0", "{}", "[]", '{"a": 1}', "owner/name#3", "memory:a"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
as_text = values.map(lambda value: json.dumps(value, ensure_ascii=True))
names = st.sampled_from(NAMES) | st.sampled_from(["toolCallId", "title", "project_id"]) | texts
tools = st.sampled_from(all_tools())


@given(tool=tools, sent=st.dictionaries(names, values | as_text, max_size=6) | values)
def test_any_arguments_are_read_or_refused_with_what_can_be_sent(tool: Tool, sent: Json) -> None:
    try:
        read = read_arguments(tool, sent)
    except DomainError as refusal:
        check_refusal(refusal)
    else:
        check(tool, sent or {}, dict(read))


@given(data=st.data(), tool=tools)
def test_known_parameters_with_any_values_are_read_or_refused(
    data: st.DataObject, tool: Tool
) -> None:
    sent = {
        name: data.draw(values | as_text)
        for name in data.draw(st.sets(st.sampled_from(tool.parameter_names)))
    }

    try:
        read = read_arguments(tool, sent)
    except DomainError as refusal:
        check_refusal(refusal)
    else:
        check(tool, sent, dict(read))


def check_refusal(refusal: DomainError) -> None:
    """It says something, names the field, and can be encoded."""
    compact(refusal.as_answer()).encode()
    assert refusal.message
    assert refusal.details["field"] is not None


def check(tool: Tool, sent: JsonObject, read: JsonObject) -> None:
    """What was read is of its type, was sent, can be encoded, and loses nothing silently."""
    compact(read).encode()
    words = {each.name: each.type.word for each in tool.parameters}
    for name, value in read.items():
        assert isinstance(value, PYTHON[words[name]])
        assert name in sent
    for name, value in sent.items():
        if name not in read and value not in (None, "", "null"):
            assert "".join(filter(str.isalnum, name.lower())) in ENVELOPE
    for parameter in tool.parameters:
        assert parameter.name in read or not parameter.required
