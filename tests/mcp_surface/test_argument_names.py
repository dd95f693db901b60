"""Unknown names: ignored where clients add them, else refused and shown their place."""

import pytest

from conderis.common.errors import Invalid
from conderis.common.json import Json
from mcp_surface.arguments import read_arguments
from tests.mcp_surface.argument_reading import NEEDED, READING, WRITING, read, refusal, tool_named

pytestmark = pytest.mark.no_database

ENVELOPE = ("toolCallId", "sessionId", "chatInput", "tool_call_id", "session_id", "chat_input")


@pytest.mark.parametrize("tool", READING + WRITING)
@pytest.mark.parametrize("name", ENVELOPE)
@pytest.mark.parametrize("value", [None, "call_1", {"a": 1}, "half \ud83d"])
def test_what_some_clients_add_on_their_own_is_ignored(tool: str, name: str, value: Json) -> None:
    assert read(tool, **{name: value}) == {}


@pytest.mark.parametrize("tool", READING + WRITING)
def test_every_other_unknown_parameter_is_refused_by_name_with_those_allowed(tool: str) -> None:
    refused = refusal(tool, colour="red")

    assert refused.details["field"] == "colour"
    assert refused.details["allowed"] == tool_named(tool).parameter_names
    assert "colour" in refused.message
    assert all(name in refused.message for name in tool_named(tool).parameter_names)


def test_an_unknown_parameter_is_refused_even_when_it_is_null() -> None:
    assert refusal("recall", colour=None).details["field"] == "colour"


@pytest.mark.parametrize(
    ("tool", "name", "advice"),
    [
        ("item_store", "action", "use item_action"),
        ("item_store", "section", "use item_get"),
        ("item_action", "batch", "use item_store"),
        ("recall", "cursor", "use item_list"),
        ("project_get", "fields", "use project_store or item_store or item_action"),
        ("item_action", "kind", "leave it out, number or ref is enough"),
        ("item_get", "kind", "leave it out, number or ref is enough"),
        ("recall", "kind", "use item_list or item_store"),
        ("item_store", "project_id", "use projectId"),
        ("recall", "maxchars", "use maxChars"),
        ("recall", "max_chars", "use maxChars"),
        ("recall", "MAXCHARS", "use maxChars"),
        ("recall", "project", "use projectId"),
        ("item_list", "filters", "use filter"),
        ("item_store", "title", "send it inside fields"),
        ("item_store", "append", "send it inside fields"),
        ("item_store", "depends_on", "use dependsOn inside fields"),
        ("item_store", "idempotencyKey", "send it inside batch"),
        ("item_store", "idempotency_key", "use idempotencyKey inside batch"),
        ("item_list", "assignee", "send it inside filter"),
        ("item_list", "includeclosed", "use includeClosed inside filter"),
        ("item_action", "summary", "send it inside fields"),
        ("project_store", "name", "send it inside fields"),
    ],
)
def test_a_misplaced_or_misspelled_parameter_is_shown_its_place(
    tool: str, name: str, advice: str
) -> None:
    assert advice in refusal(tool, **{name: "x"}).message


@pytest.mark.parametrize("tool", NEEDED)
def test_a_missing_parameter_is_refused_by_name(tool: str) -> None:
    (name,) = NEEDED[tool]

    with pytest.raises(Invalid) as caught:
        read_arguments(tool_named(tool), {})

    assert caught.value.details["field"] == name
    assert f"{tool} needs {name}" in caught.value.message
