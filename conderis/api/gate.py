"""The limit of a body, before Django reads it: nobody fills the disk without a key."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from conderis.api.problems import refusal, too_large

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/api/v1"
BODY_LIMIT: Final = 4 * 1024 * 1024
"""Bytes that a request may carry, as many as /mcp takes."""


def is_api(path: str) -> bool:
    """Whether a path, below the prefix of the server, is one of the API."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


class BodyGate:
    """Hands on what is not too large. A body of unknown length is read here first."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        length = _declared(scope)
        if length is not None and length > BODY_LIMIT:
            await _refuse(send)
            return
        if length is None:
            taken = await _taken(receive)
            if taken is None:
                await _refuse(send)
                return
            receive = _giving(taken, receive)
        await self.application(scope, receive, send)


def _declared(scope: Scope) -> int | None:
    """The length that the headers say; None where the body comes in chunks."""
    headers = dict(scope["headers"])
    text = headers.get(b"content-length", b"")
    if text.isdigit():
        return int(text)
    return None if b"transfer-encoding" in headers else 0


async def _taken(receive: Receive) -> list[Event] | None:
    """The events of the body; None where it is too large."""
    events: list[Event] = []
    length = 0
    while True:
        event = await receive()
        events.append(event)
        length += len(event.get("body", b""))
        if length > BODY_LIMIT:
            return None
        if event["type"] != "http.request" or not event.get("more_body", False):
            return events


def _giving(events: list[Event], receive: Receive) -> Receive:
    """An ASGI `receive` that gives these first, and then what the real one has."""
    waiting = iter(events)

    async def give() -> Event:
        event = next(waiting, None)
        return event if event is not None else await receive()

    return give


async def _refuse(send: Send) -> None:
    response = refusal(too_large(BODY_LIMIT))
    headers = [
        (b"content-type", response["Content-Type"].encode()),
        (b"content-length", str(len(response.content)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
