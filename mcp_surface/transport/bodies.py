"""The body of a request: read within limits, parsed, and checked before the SDK sees it.

What the SDK gets is never what was sent but the checked message, so the two cannot
disagree; a tool's arguments do not go through it at all.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from conderis.common.errors import DomainError, Invalid, TooLarge
from conderis.common.json import JsonObject, compact
from mcp_surface.transport.gate import BODY_LIMIT
from mcp_surface.transport.http import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Receive,
    Reply,
    rpc_error,
)

NESTING_LIMIT = 64
"""Objects and lists inside each other, the message itself being the first."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MAYBE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INVALID_TEXT = (
    "holds half of a surrogate pair (a \\ud800 to \\udfff escape without its partner), "
    "which is no character. Send the whole character, or leave it out."
)


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
    suspicious = _MAYBE_SURROGATE.search(body) is not None
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
        message = _decoder.decode(body.decode())
    except UnicodeDecodeError as error:
        _refuse(PARSE_ERROR, f"Parse error: byte {error.start} of the body is not valid UTF-8.")
    except json.JSONDecodeError as error:
        _refuse(PARSE_ERROR, f"Parse error: {error.msg} at character {error.pos} of the body.")
    except RecursionError:
        _refuse(INVALID_REQUEST, _TOO_DEEP)
    except ValueError:
        _refuse(PARSE_ERROR, "Parse error: a number in the body is too large, or no JSON number.")
    if _deeper_than(message, NESTING_LIMIT):
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
    if suspicious and (found := _surrogate_in(arguments)) is not None:
        field, subject = found
        refused = Invalid(f"{subject} {_INVALID_TEXT}", field=field or "arguments")
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
        arguments = _decoder.decode(text)
    except RecursionError:
        return TooLarge(_TOO_DEEP, field="arguments")
    except ValueError:
        return _not_an_object("a text that is not JSON")
    # The message and its params stand round it.
    if _deeper_than(arguments, NESTING_LIMIT - 2):
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
        return None if _SURROGATE.search(sent) else sent
    return sent if isinstance(sent, int) and not isinstance(sent, bool) else None


def _refuse(code: int, text: str, request_id: str | int | None = None) -> NoReturn:
    raise BodyRefused(rpc_error(code, text, request_id=request_id))


def _refuse_surrogate(message: JsonObject, *, suspicious: bool) -> None:
    if suspicious and (found := _surrogate_in(message)) is not None:
        _refuse(INVALID_PARAMS, f"{found[1]} {_INVALID_TEXT}", _id_of(message))


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a message, linked to the one round it: spelt out only when asked for."""

    within: "_Place | None"
    step: str | int

    def __str__(self) -> str:
        spelt = ""
        place: _Place | None = self
        while place is not None:
            step = f"[{place.step}]" if isinstance(place.step, int) else f".{place.step[:80]}"
            spelt = step + spelt
            place = place.within
        return spelt.removeprefix(".")


def _surrogate_in(value: Any) -> tuple[str, str] | None:
    """Where the first lone surrogate stands: its place, as `fields.tags[2]`, and in words."""
    waiting: list[tuple[_Place | None, Any]] = [(None, value)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, str):
            if _SURROGATE.search(here):
                return str(place), str(place)
        elif isinstance(here, dict):
            if any(_SURROGATE.search(name) for name in here):
                return str(place or ""), f"A name in {place}" if place else "A name"
            waiting.extend((_Place(place, name), here[name]) for name in reversed(here))
        elif isinstance(here, list):
            waiting.extend((_Place(place, at), here[at]) for at in reversed(range(len(here))))
    return None


def _deeper_than(value: Any, limit: int) -> bool:
    """Whether more than `limit` objects and lists stand inside each other, itself counted."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            member
            for here in level
            for member in (here.values() if isinstance(here, dict) else here)
            if isinstance(member, dict | list)
        ]
    return bool(level)


def _encode(message: JsonObject) -> bytes:
    return compact(message).encode()


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_decoder = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
_TOO_DEEP = f"More than {NESTING_LIMIT} objects and lists inside each other are not taken."
