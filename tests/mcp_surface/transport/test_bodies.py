"""What a body must be before anything else looks at it."""

import json
from typing import Any

import pytest

from conderis.common.json_reading import NESTING_LIMIT
from mcp_surface.transport.bodies import BodyRefused, Message, read_message

pytestmark = pytest.mark.no_database


def refused(body: bytes) -> dict[str, Any]:
    with pytest.raises(BodyRefused) as caught:
        read_message(body)
    assert caught.value.reply.status == 400
    answer: dict[str, Any] = json.loads(caught.value.reply.body)
    assert answer["jsonrpc"] == "2.0"
    return answer


def call_body(arguments: str, *, name: str = '"recall"') -> bytes:
    params = f'{{"name": {name}, "arguments": {arguments}}}'
    message = f'{{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {params}}}'
    return message.encode()


def arguments_of(message: Message) -> Any:
    assert message.call is not None
    assert message.call.refused is None, message.call.refused
    return message.call.arguments


def refusal_of(message: Message) -> dict[str, Any]:
    assert message.call is not None
    assert message.call.refused is not None
    assert message.call.arguments == {}
    return message.call.refused.as_answer()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  \n",
        b"{",
        b"not json",
        b'{"jsonrpc": "2.0"} trailing',
        b'{"a": "\xff"}',
        '{"a": 1}'.encode("utf-16"),
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=repr,
)
def test_a_body_that_is_no_json_is_a_parse_error(body: bytes) -> None:
    answer = refused(body)

    assert answer["id"] is None
    assert answer["error"]["code"] == -32700
    assert answer["error"]["message"].startswith("Parse error")


def test_a_byte_order_mark_before_the_message_does_no_harm() -> None:
    message = read_message(b"\xef\xbb\xbf" + call_body("{}"))

    assert arguments_of(message) == {}


@pytest.mark.parametrize(
    "body", [b"[]", b"[1]", b'[{"jsonrpc": "2.0"}]', b"[" + b"1," * 9999 + b"1]"]
)
def test_a_batch_is_refused_with_what_to_do_instead(body: bytes) -> None:
    answer = refused(body)

    assert answer["error"]["code"] == -32600
    assert "one JSON-RPC message" in answer["error"]["message"]


@pytest.mark.parametrize("body", [b"1", b'"text"', b"null", b"true"])
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    assert refused(body)["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("member", "code", "word"),
    [
        ({"jsonrpc": "1.0"}, -32600, "jsonrpc"),
        ({"method": 5}, -32600, "method"),
        ({"method": None}, -32600, "method"),
        ({"id": True}, -32600, "id"),
        ({"id": 1.5}, -32600, "id"),
        ({"id": {"a": 1}}, -32600, "id"),
        ({"params": [1]}, -32602, "params"),
        ({"params": "text"}, -32602, "params"),
        ({"params": {"name": 5}}, -32602, "params.name"),
        ({"params": {}}, -32602, "params.name"),
        ({"params": None}, -32602, "params.name"),
    ],
    ids=str,
)
def test_a_malformed_message_is_refused_with_the_member_named(
    member: dict[str, Any], code: int, word: str
) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "recall"}}

    answer = refused(json.dumps(message | member).encode())

    assert answer["error"]["code"] == code
    assert answer["error"]["message"].startswith(word)
    assert answer["id"] == (None if "id" in member else 7)


def test_an_object_without_a_method_is_refused() -> None:
    assert "method" in refused(b'{"jsonrpc": "2.0", "id": 1}')["error"]["message"]


def nested(depth: int) -> str:
    """Lists inside each other, `depth` of them, with the message round them."""
    return "[" * depth + "]" * depth


def test_as_many_levels_as_allowed_are_taken() -> None:
    inside = NESTING_LIMIT - 3  # the message, its params, the arguments

    message = read_message(call_body(f'{{"fields": {nested(inside)}}}'))

    assert json.dumps(arguments_of(message)["fields"]) == nested(inside)


@pytest.mark.parametrize("depth", [NESTING_LIMIT - 2, 500, 5_000, 20_000, 1_000_000])
def test_one_level_too_many_is_refused_and_never_a_recursion_error(depth: int) -> None:
    answer = refused(call_body(f'{{"fields": {nested(depth)}}}'))

    assert answer["error"]["code"] == -32600
    assert "64" in answer["error"]["message"]


@pytest.mark.parametrize("depth", [NESTING_LIMIT - 2, 20_000])
def test_the_limit_holds_inside_arguments_sent_as_text(depth: int) -> None:
    text = json.dumps(f'{{"fields": {nested(depth)}}}')

    refusal = refusal_of(read_message(call_body(text)))

    assert refusal["error"] == "too_large"
    assert refusal["field"] == "arguments"


def test_a_hundred_thousand_keys_in_one_object_are_read() -> None:
    many = {f"k{at}": at for at in range(100_000)}

    message = read_message(call_body(json.dumps(many)))

    assert arguments_of(message) == many


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("null", {}),
        ('""', {}),
        ('"  "', {}),
        ('"null"', {}),
        ('"{}"', {}),
        (json.dumps('{"a": {"b": [1, "ü"]}}'), {"a": {"b": [1, "ü"]}}),
        ('{"a": "{\\"b\\": 1}"}', {"a": '{"b": 1}'}),
    ],
)
def test_arguments_are_read_as_an_object(sent: str, read: dict[str, Any]) -> None:
    assert arguments_of(read_message(call_body(sent))) == read


def test_arguments_that_are_not_sent_are_an_empty_object() -> None:
    body = b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "recall"}}'

    assert arguments_of(read_message(body)) == {}


@pytest.mark.parametrize("sent", ['"text"', '"[1]"', "[1]", "5", "true", '"{\\"a\\": }"', '"5"'])
def test_arguments_that_are_no_object_are_a_refusal_that_shows_the_form(sent: str) -> None:
    refusal = refusal_of(read_message(call_body(sent)))

    assert refusal["error"] == "invalid"
    assert refusal["field"] == "arguments"
    assert "JSON object" in refusal["message"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (r'{"fields": {"content": "bad \ud83d end"}}', "fields.content"),
        (r'{"fields": {"title": "\uDC00"}}', "fields.title"),
        (r'{"fields": {"tags": ["fine", "\udfff"]}}', "fields.tags[1]"),
        (r'{"query": "\ud83d\ud83d\ude00"}', "query"),
        (r'{"fields": {"\ud83d": 1}}', "fields"),
        (r'{"\ud83d": 1}', "arguments"),
        (r'"{\"fields\": {\"content\": \"\\ud83d\"}}"', "fields.content"),
        (r'"{\"query\": \"\ud83d\"}"', "query"),
    ],
)
def test_half_a_surrogate_pair_is_a_refusal_that_names_the_field(
    arguments: str, field: str
) -> None:
    refusal = refusal_of(read_message(call_body(arguments)))

    assert refusal["error"] == "invalid"
    assert refusal["field"] == field
    assert "surrogate" in refusal["message"]


def test_long_names_round_half_a_surrogate_pair_cost_little_and_are_cut_short() -> None:
    inside = ", ".join(f'"k{at}": 1' for at in range(10_000))
    arguments = f'{{"{"n" * 200_000}": {{{inside}, "bad": "\\ud83d"}}}}'

    refusal = refusal_of(read_message(call_body(arguments)))

    assert refusal["field"] == "n" * 80 + ".bad"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\\ud83d", r"\ud83d"),
        (r"a\u0000b", "a\0b"),
        (r"\uD7FF\uE000", "\ud7ff\ue000"),
    ],
)
def test_whole_characters_and_the_null_character_pass(text: str, read: str) -> None:
    assert arguments_of(read_message(call_body(f'{{"query": "{text}"}}'))) == {"query": read}


@pytest.mark.parametrize(
    "body",
    [
        call_body("{}", name=r'"rec\ud83dall"'),
        rb'{"jsonrpc": "2.0", "id": 7, "method": "tools/\ud83d"}',
        rb'{"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {"a": "\ud83d"}}',
        rb'{"jsonrpc": "2.0", "id": 7, "method": "ping", "\ud83d": 1}',
    ],
)
def test_half_a_surrogate_pair_elsewhere_is_a_json_rpc_error(body: bytes) -> None:
    answer = refused(body)

    assert answer["error"]["code"] == -32602
    assert answer["id"] == 7


def test_an_id_with_half_a_surrogate_pair_is_not_sent_back() -> None:
    assert refused(rb'{"jsonrpc": "2.0", "id": "\ud83d", "method": "ping"}')["id"] is None


def test_the_sdk_is_given_the_call_without_its_arguments() -> None:
    message = read_message(call_body('{"fields": {"content": "secret"}}'))

    assert json.loads(message.body)["params"] == {"name": "recall", "arguments": {}}
    assert b"secret" not in message.body
