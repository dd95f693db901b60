"""The limit of a body, before Django reads it, so that nobody fills the disk with more.

A file that is to be imported may be larger than what else is sent, at its own address alone.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from django.conf import settings

from conderis.api.problems import file_too_large, refusal, too_large
from conderis.common.errors import TooLarge

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PREFIX: Final = "/api/v1"
BODY_LIMIT: Final = 4 * 1024 * 1024
"""Bytes that a request may carry, as many as /mcp takes."""
AROUND_FILE: Final = 64 * 1024  # bytes of a multipart body beside its file
_UPLOADS: Final = re.compile(rf"{PREFIX}/projects/[^/]+(?:/[^/]+)?/imports\Z")


def is_api(path: str) -> bool:
    """Whether a path, below the prefix of the server, is one of the API."""
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def takes_file(method: str, path: str) -> bool:
    """Whether this is the address, below the prefix of the server, that takes a file."""
    return method == "POST" and _UPLOADS.match(path) is not None


class BodyGate:
    """Hands on what is not too large. A body of unknown length is read here first, files apart."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        length = _declared(scope)
        path = scope.get("path", "").removeprefix(scope.get("root_path") or "")
        if takes_file(scope.get("method", ""), path):
            await self._take_file(length, scope, receive, send)
            return
        if length is not None and length > BODY_LIMIT:
            await _refuse(send, too_large(BODY_LIMIT))
            return
        if length is None:
            taken = await _taken(receive)
            if taken is None:
                await _refuse(send, too_large(BODY_LIMIT))
                return
            receive = _giving(taken, receive)
        await self.application(scope, receive, send)

    async def _take_file(
        self, length: int | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Hand on a file as it comes in; Django keeps it in a file of its own, never more of it."""
        counted = _Counted(receive, settings.IMPORT_MAX_BYTES + AROUND_FILE)
        if length is not None and length > counted.left:
            await _refuse(send, file_too_large())
            return
        await self.application(scope, counted.receive, send)
        if counted.left < 0:
            await _refuse(send, file_too_large())


class _Counted:
    """An ASGI `receive` that ends as if the sender had gone where the body becomes too long.

    Django then answers nothing, and throws away what it has.
    """

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self.left = most  # bytes; below 0 where there were more

    async def receive(self) -> Event:
        """The next event."""
        if self.left < 0:
            return {"type": "http.disconnect"}
        event = await self._receive()
        self.left -= len(event.get("body", b""))
        return event if self.left >= 0 else {"type": "http.disconnect"}


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


async def _refuse(send: Send, error: TooLarge) -> None:
    response = refusal(error)
    headers = [
        (b"content-type", response["Content-Type"].encode()),
        (b"content-length", str(len(response.content)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
