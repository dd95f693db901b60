"""One HTTP request to the product's own ASGI application, without a server between."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync

from mcp_surface.transport.http import Event

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", LEGACY)
ERAS = (LEGACY, MODERN)


@dataclass(frozen=True)
class Heard:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def result(self) -> dict[str, Any]:
        """The JSON-RPC result of an answer that is none but that."""
        assert self.status == 200, self
        answer = self.json
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    @property
    def refusal(self) -> dict[str, Any]:
        """The refusal in a tool result: one text block of JSON."""
        assert self.result["isError"] is True, self.result
        (block,) = self.result["content"]
        refusal: dict[str, Any] = json.loads(block["text"])
        return refusal


def ask(
    body: bytes | Iterable[bytes] = b"",
    *,
    events: list[Event] | None = None,
    **about: Any,
) -> Heard:
    """The answer to a request; a body of several parts comes in chunks.

    `about` is what `scope_of` takes; `events` replace the body.
    """
    parts = [body] if isinstance(body, bytes) else list(body)
    scope = scope_of(body if isinstance(body, bytes) else None, **about)
    if events is None:
        events = [
            {"type": "http.request", "body": part, "more_body": at < len(parts)}
            for at, part in enumerate(parts, start=1)
        ]
    return async_to_sync(_exchange)(scope, events)


def scope_of(
    body: bytes | None,
    *,
    method: str = "POST",
    path: str = "/mcp",
    root_path: str = "",
    headers: dict[str, str] | list[tuple[str, str]] | None = None,
) -> dict[str, Any]:
    """The ASGI scope of a request whose body is this one, or (None) comes in chunks."""
    pairs = list(headers.items() if isinstance(headers, dict) else headers or [])
    names = {name.lower() for name, _ in pairs}
    if "host" not in names:
        pairs.append(("Host", "localhost"))
    if body:
        pairs.append(("Content-Length", str(len(body))))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": root_path,
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in pairs],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 50000),
    }


async def _exchange(scope: dict[str, Any], events: list[Event]) -> Heard:
    from conderis.asgi import application  # noqa: PLC0415 - sets Django up once more

    waiting = list(events)
    said: list[Event] = []
    never = asyncio.Event()

    async def receive() -> Event:
        if not waiting:
            await never.wait()
        return waiting.pop(0)

    async def send(event: Event) -> None:
        said.append(event)

    await application(scope, receive, send)
    if not said:
        return Heard(0, {}, b"")
    start, *rest = said
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    return Heard(start["status"], headers, b"".join(event.get("body", b"") for event in rest))


def rpc(method: str, params: Any = None, *, era: str = LEGACY, request_id: Any = 1) -> bytes:
    """A JSON-RPC request as a client of this era sends it."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if era == MODERN:
        params = {**(params or {}), "_meta": modern_meta()}
    if params is not None:
        message["params"] = params
    return json.dumps(message).encode()


def modern_meta() -> dict[str, Any]:
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    }


def headers_for(key: str | None, *, era: str = LEGACY, **more: str) -> dict[str, str]:
    """The headers of a client of this era; more by name, `mcp_method` for Mcp-Method."""
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": era,
    }
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    return headers | {name.replace("_", "-"): value for name, value in more.items()}


def call(
    key: str | None, tool: str, arguments: Any = None, *, era: str = LEGACY, **more: str
) -> Heard:
    """The answer to a tool call."""
    params = {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}
    headers = headers_for(key, era=era, **(_routing("tools/call", tool, era=era) | more))
    return ask(rpc("tools/call", params, era=era), headers=headers)


def request(key: str | None, method: str, params: Any = None, *, era: str = LEGACY) -> Heard:
    """The answer to any other JSON-RPC request."""
    headers = headers_for(key, era=era, **_routing(method, era=era))
    return ask(rpc(method, params, era=era), headers=headers)


def raw_call(key: str, arguments: bytes, *, tool: str = "item_store", era: str = LEGACY) -> Heard:
    """The answer to a tool call whose arguments are given as they stand in the body."""
    body = rpc("tools/call", {"name": tool, "arguments": 0}, era=era)
    assert body.count(b'"arguments": 0') == 1
    body = body.replace(b'"arguments": 0', b'"arguments": ' + arguments)
    headers = headers_for(key, era=era, **_routing("tools/call", tool, era=era))
    return ask(body, headers=headers)


def _routing(method: str, tool: str | None = None, *, era: str) -> dict[str, str]:
    """What the modern era says in headers as well."""
    if era != MODERN:
        return {}
    return {"mcp_method": method} | ({"mcp_name": tool} if tool is not None else {})
