"""ASGI in as many types as this package needs, and the answers that the mount gives itself."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from conderis.common.json import JsonObject, compact

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
HeaderList = tuple[tuple[bytes, bytes], ...]

NO_CONTENT = 204
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
PARSE_ERROR = -32700


@dataclass(frozen=True, slots=True)
class Reply:
    """One whole HTTP answer, with a JSON body or none."""

    status: int
    body: bytes = b""
    headers: HeaderList = ()

    async def send(self, send: Send, *, extra: HeaderList = ()) -> None:
        """Send it, with `extra` headers (those of CORS)."""
        headers = [*self.headers, (b"cache-control", b"no-store"), *extra]
        if self.body:
            headers.append((b"content-type", b"application/json"))
        if self.status != NO_CONTENT:
            headers.append((b"content-length", str(len(self.body)).encode()))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


def json_reply(status: int, content: JsonObject, *headers: tuple[bytes, bytes]) -> Reply:
    """An answer with a JSON body."""
    return Reply(status, compact(content).encode(), headers)


def refusal(status: int, error: str, message: str, *headers: tuple[bytes, bytes]) -> Reply:
    """A refusal of the transport, with the contract's `error` and `message`."""
    return json_reply(status, {"error": error, "message": message}, *headers)


def rpc_error(code: int, message: str, *, request_id: str | int | None, status: int = 400) -> Reply:
    """A JSON-RPC error; `request_id` is None where the request could not be read."""
    error = {"code": code, "message": message}
    return json_reply(status, {"jsonrpc": "2.0", "id": request_id, "error": error})


def unauthorized(reason: str, *, token_sent: bool) -> Reply:
    """401 as RFC 6750 has it. No `resource_metadata`: a dead key must start no OAuth."""
    challenge = b'Bearer error="invalid_token"' if token_sent else b"Bearer"
    content = {"error": "invalid_token", "error_description": reason}
    return json_reply(401, content, (b"www-authenticate", challenge))
