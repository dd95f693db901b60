"""Lines that clients should not send, and some that they do: the process lives on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from conderis.common.json_reading import NESTING_LIMIT
from mcp_surface.stdio import LINE_LIMIT
from mcp_surface.tools import listed_tools
from mcp_surface.transport.gate import BODY_LIMIT
from tests.clients.launching import Launched, launched, told
from tests.running import Running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(server: Running, key: str) -> Iterator[Launched]:
    """One process for all these tests, so that each shows that it outlived those before."""
    with launched(server.environment | {"CONDERIS_KEY": key}) as started:
        started.initialize()
        yield started
        assert started.hang_up() == (0, [])
        assert started.errors == []


def call_line(arguments: str, *, tool: str = "item_store") -> bytes:
    params = f'{{"name": "{tool}", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {params}}}'.encode()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{broken", -32700),
        (b"hello", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"} trailing', -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "p\xff"}', -32700),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "error": 5}', -32600),
        (b"[" * 1000 + b"]" * 1000, -32600),
        (b'{"a": ' * 100_000 + b"}" * 100_000, -32600),
        (call_line('{"fields": ' + "[" * NESTING_LIMIT + "]" * NESTING_LIMIT + "}"), -32600),
        (b" " * 100 + b"x" * LINE_LIMIT, -32600),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_line_that_is_no_message_is_refused_and_the_next_one_is_answered(
    client: Launched, line: bytes, code: int
) -> None:
    client.send_line(line)

    answer = client.read()

    assert answer["id"] is None
    assert answer["error"]["code"] == code
    assert client.ask("ping")["result"] == {}


@pytest.mark.parametrize("line", [b"", b"   ", b"\r", b'{"jsonrpc": "2.0", "id": 5, "result": {}}'])
def test_an_empty_line_and_an_answer_to_nothing_are_passed_over(
    client: Launched, line: bytes
) -> None:
    client.send_line(line)

    assert client.ask("ping")["result"] == {}


def test_the_end_of_a_line_may_be_that_of_windows(client: Launched) -> None:
    client.send_line(b'{"jsonrpc": "2.0", "id": 7, "method": "ping"}\r')

    assert client.read() == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_the_tools_are_those_of_the_surface(client: Launched) -> None:
    assert client.ask("tools/list")["result"]["tools"] == listed_tools()


def test_arguments_sent_as_json_text_are_read(client: Launched, project: str) -> None:
    fields = {"title": "Sent as text 😀"}

    stored = client.call(
        "item_store", json.dumps({"kind": "task", "projectId": project, "fields": fields})
    )
    read = client.call("item_get", {"projectId": project, "number": stored["number"]})

    assert read["title"] == "Sent as text 😀"


def test_arguments_that_are_missing_are_none(client: Launched) -> None:
    answer = told(client.ask("tools/call", name="project_get"))

    assert answer["total"] >= 1


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (r'{"kind": "task", "fields": {"title": "half \ud83d"}}', "fields.title"),
        (r'"{\"kind\": \"task\", \"fields\": {\"title\": \"\\ud83d\"}}"', "fields.title"),
    ],
)
def test_half_a_character_is_a_refusal_that_names_the_field(
    client: Launched, arguments: str, field: str
) -> None:
    client.send_line(call_line(arguments))

    answer = client.read()

    assert answer["id"] == 7
    assert told(answer)["error"] == "invalid"
    assert told(answer)["field"] == field


def test_a_call_that_is_too_long_is_refused_under_its_own_id(client: Launched) -> None:
    text = "long " * (BODY_LIMIT // 5)

    client.send_line(call_line(json.dumps({"kind": "memory", "fields": {"title": text}})))
    answer = client.read()

    assert answer["id"] == 7
    assert told(answer)["error"] == "too_large"
    assert "4 MB" in told(answer)["message"]


def test_an_unknown_tool_is_an_error_that_names_the_tools(client: Launched) -> None:
    error = client.ask("tools/call", name="item_create", arguments={})["error"]

    assert error["code"] == -32602
    assert all(tool["name"] in error["message"] for tool in listed_tools())


def test_a_method_that_is_not_there_is_an_error(client: Launched) -> None:
    assert client.ask("resources/list")["error"]["code"] == -32601


def test_many_calls_at_once_are_each_answered_once(client: Launched, project: str) -> None:
    def numbered(number: int) -> dict[str, Any]:
        fields = {"title": f"At once {number}"}
        return {"kind": "task", "projectId": project, "fields": fields}

    sent = {client.send("tools/call", name="item_store", arguments=numbered(n)) for n in range(30)}
    answers = [client.read() for _ in sent]

    assert {answer["id"] for answer in answers} == sent
    assert len({told(answer)["number"] for answer in answers}) == 30
