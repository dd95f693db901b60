"""The body of a request: read within limits, parsed, and checked before the SDK sees it.

What the SDK gets is never what was sent but the checked message, so the two cannot
disagree; a tool's arguments do not go through it at all.
"""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from conderis.common.errors import DomainError, Invalid, TooLarge
from conderis.common.json import JsonObject, compact
from conderis.common.json_reading import (
    DECODER,
    INVALID_TEXT,
    MAYBE_SURROGATE,
    NESTING_LIMIT,
    SURROGATE,
    is_deeper_than,
    surrogate_in,
)
from mcp_surface.transport.gate import BODY_LIMIT
from mcp_surface.transport.http import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Receive,
    Reply,
    rpc_error,
)

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Disconnected(Exception):
    """The client went away before its request was complete."""


class BodyRefused(Exception):
    """The body cannot be taken; `reply` says why."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A `tools/call`: what to run, or (`refused`) why it cannot be."""

    name: str
    arguments: JsonObject
    refused: DomainError | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A checked JSON-RPC message: what the SDK gets, and the tool call in it, if any."""

    body: bytes
    call: ToolCall | None


async def read_body(receive: Receive) -> bytes | None:
    """The whole body; None when it is larger than `BODY_LIMIT`.

    Raises:
        Disconnected: the client went away.
    """
    parts: list[bytes] = []
    length = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Disconnected
        part = event.get("body", b"")
        length += len(part)
        if length > BODY_LIMIT:
            return None
        parts.append(part)
        if not event.get("more_body", False):
            return b"".join(parts)


def read_message(body: bytes) -> Message:
    """The one JSON-RPC message in a body.

    Raises:
        BodyRefused: it is none, or one that cannot be taken.
    """
    message = _parse(body.removeprefix(_BYTE_ORDER_MARK))
    if isinstance(message, list):
        _refuse(INVALID_REQUEST, "A batch is not taken: send one JSON-RPC message per request.")
    if not isinstance(message, dict):
        _refuse(INVALID_REQUEST, "The body must be one JSON-RPC message, a JSON object.")
    # Looking through every text costs something, so only where there may be a reason.
    suspicious = MAYBE_SURROGATE.search(body) is not None
    # An answer has no method. This server waits for none: the SDK acknowledges it.
    if "method" in message or not ("result" in message or "error" in message):
        _check_envelope(message)
    if message.get("method") == "tools/call":
        return _read_call(message, suspicious=suspicious)
    _refuse_surrogate(message, suspicious=suspicious)
    return Message(_encode(message), None)


def _parse(body: bytes) -> Any:
    """The JSON in a body, whatever it is."""
    if not body.strip():
        _refuse(PARSE_ERROR, "Parse error: the body is empty.")
    try:
        message = DECODER.decode(body.decode())
    except UnicodeDecodeError as error:
        _refuse(PARSE_ERROR, f"Parse error: byte {error.start} of the body is not valid UTF-8.")
    except json.JSONDecodeError as error:
        _refuse(PARSE_ERROR, f"Parse error: {error.msg} at character {error.pos} of the body.")
    except RecursionError:
        _refuse(INVALID_REQUEST, _TOO_DEEP)
    except ValueError:
        _refuse(PARSE_ERROR, "Parse error: a number in the body is too large, or no JSON number.")
    if is_deeper_than(message, NESTING_LIMIT):
        _refuse(INVALID_REQUEST, _TOO_DEEP)
    return message


def _read_call(message: JsonObject, *, suspicious: bool) -> Message:
    params = message.get("params") or {}
    arguments, refused = _read_arguments(params.get("arguments"))
    rest = {**message, "params": {**params, "arguments": {}}}
    _refuse_surrogate(rest, suspicious=suspicious)
    name = params.get("name")
    if not isinstance(name, str):
        _refuse(INVALID_PARAMS, "params.name must be the name of a tool.", _id_of(message))
    if suspicious and (found := surrogate_in(arguments)) is not None:
        field, subject = found
        refused = Invalid(f"{subject} {INVALID_TEXT}", field=field or "arguments")
    return Message(_encode(rest), ToolCall(name, {} if refused else arguments, refused))


def _read_arguments(sent: Any) -> tuple[JsonObject, DomainError | None]:
    """The arguments as an object: absent is empty, and JSON text is read."""
    if isinstance(sent, str):
        sent = _parse_arguments(sent)
    if sent is None:
        return {}, None
    if isinstance(sent, DomainError):
        return {}, sent
    if isinstance(sent, dict):
        return sent, None
    return {}, _not_an_object("a list" if isinstance(sent, list) else "a single value")


def _parse_arguments(text: str) -> Any:
    """What clients mean that send `arguments` as JSON text, or a refusal of it."""
    if not text.strip():
        return None
    try:
        arguments = DECODER.decode(text)
    except RecursionError:
        return TooLarge(_TOO_DEEP, field="arguments")
    except ValueError:
        return _not_an_object("a text that is not JSON")
    # The message and its params stand round it.
    if is_deeper_than(arguments, NESTING_LIMIT - 2):
        return TooLarge(_TOO_DEEP, field="arguments")
    return arguments


def _not_an_object(what: str) -> Invalid:
    return Invalid(
        f"arguments is {what}. Send a JSON object with the tool's parameters by name, "
        'as {"projectId": "owner/name"}.',
        field="arguments",
    )


def _check_envelope(message: JsonObject) -> None:
    """Clear words for a malformed message; what is left, the SDK checks."""
    request_id = _id_of(message)
    if message.get("jsonrpc") != "2.0":
        _refuse(INVALID_REQUEST, 'jsonrpc must be "2.0".', request_id)
    if not isinstance(message.get("method"), str):
        _refuse(INVALID_REQUEST, "method must be the name of a method.", request_id)
    if message.get("id") is not None and request_id is None:
        _refuse(INVALID_REQUEST, "id must be a text or a whole number.")
    if message.get("params") is not None and not isinstance(message["params"], dict):
        _refuse(INVALID_PARAMS, "params must be an object.", request_id)


def _id_of(message: JsonObject) -> str | int | None:
    sent = message.get("id")
    if isinstance(sent, str):
        return None if SURROGATE.search(sent) else sent
    return sent if isinstance(sent, int) and not isinstance(sent, bool) else None


def _refuse(code: int, text: str, request_id: str | int | None = None) -> NoReturn:
    raise BodyRefused(rpc_error(code, text, request_id=request_id))


def _refuse_surrogate(message: JsonObject, *, suspicious: bool) -> None:
    if suspicious and (found := surrogate_in(message)) is not None:
        _refuse(INVALID_PARAMS, f"{found[1]} {INVALID_TEXT}", _id_of(message))


def _encode(message: JsonObject) -> bytes:
    return compact(message).encode()


_TOO_DEEP = f"More than {NESTING_LIMIT} objects and lists inside each other are not taken."
