"""How long a body may be, decided before Django reads it."""

import asyncio
import json
from typing import Any

import pytest

from conderis.api.gate import BODY_LIMIT, BodyGate

pytestmark = pytest.mark.no_database


def sent(headers: list[tuple[bytes, bytes]], parts: list[bytes]) -> tuple[Any, list[int]]:
    """The status and JSON of an answer, and the lengths of what was handed on."""
    handed: list[int] = []
    heard: list[Any] = []
    waiting = iter(parts)

    async def receive() -> Any:
        part = next(waiting, None)
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": part is not parts[-1]}

    async def send(event: Any) -> None:
        heard.append(event)

    async def application(_scope: Any, receive: Any, send: Any) -> None:
        while True:
            event = await receive()
            handed.append(len(event.get("body", b"")))
            if not event.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    scope = {"type": "http", "headers": headers}
    asyncio.run(BodyGate(application)(scope, receive, send))
    return (heard[0]["status"], json.loads(heard[1]["body"])), handed


def test_a_long_body_is_refused_before_it_is_read() -> None:
    (status, answer), handed = sent([(b"content-length", b"200000000")], [b"x"])

    assert (status, answer["error"], handed) == (413, "too_large", [])


def test_a_body_that_grows_too_long_is_refused_and_not_handed_on() -> None:
    part = b"x" * (BODY_LIMIT // 2)

    (status, _), handed = sent([(b"transfer-encoding", b"chunked")], [part, part, b"x"])

    assert (status, handed) == (413, [])


@pytest.mark.parametrize("headers", [
    [(b"content-length", b"4")], [(b"transfer-encoding", b"chunked")],
])  # fmt: skip
def test_what_is_short_enough_is_handed_on_whole(headers: list[tuple[bytes, bytes]]) -> None:
    (status, _), handed = sent(headers, [b"ab", b"cd"])

    assert (status, sum(handed)) == (200, 4)
