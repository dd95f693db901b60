"""How long a body may be, decided before Django reads it."""

import asyncio
import json
from typing import Any

import pytest
from pytest_django import Settings

from conderis.api.gate import BODY_LIMIT, BodyGate

pytestmark = pytest.mark.no_database


UPLOAD = "/api/v1/projects/alice/shop/imports"


def sent(
    headers: list[tuple[bytes, bytes]], parts: list[bytes], path: str = "/api/v1/me"
) -> tuple[Any, list[int]]:
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
            if event["type"] == "http.disconnect":
                return  # as Django, which then answers nothing
            handed.append(len(event.get("body", b"")))
            if not event.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
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


@pytest.mark.parametrize("headers", [
    [(b"content-length", b"6000000")], [(b"transfer-encoding", b"chunked")],
])  # fmt: skip
@pytest.mark.parametrize("path", [UPLOAD, "/api/v1/projects/7q2m4x8vbn1c/imports"])
def test_a_file_may_be_larger_than_what_else_is_sent(
    headers: list[tuple[bytes, bytes]], path: str
) -> None:
    parts = [b"x" * 3_000_000, b"y" * 3_000_000]

    (status, _), handed = sent(headers, parts, path)

    assert (status, handed) == (200, [3_000_000, 3_000_000])


@pytest.mark.parametrize("path", [f"{UPLOAD}/7q2m4x8vbn1c/start", "/api/v1/imports", f"{UPLOAD}s"])
def test_at_no_other_address(path: str) -> None:
    (status, _), handed = sent([(b"content-length", b"6000000")], [b"x"], path)

    assert (status, handed) == (413, [])


def test_a_file_that_says_to_be_too_large_is_refused_unread(settings: Settings) -> None:
    settings.IMPORT_MAX_BYTES = 1024 * 1024

    (status, answer), handed = sent([(b"content-length", b"2000000")], [b"x"], UPLOAD)

    assert (status, answer["field"], answer["limit"], handed) == (413, "file", 1024 * 1024, [])


def test_a_file_that_grows_too_large_is_handed_on_up_to_the_limit(settings: Settings) -> None:
    settings.IMPORT_MAX_BYTES = 1024 * 1024
    parts = [letter * 600_000 for letter in (b"x", b"y", b"z")]

    (status, answer), handed = sent([(b"transfer-encoding", b"chunked")], parts, UPLOAD)

    assert (status, answer["error"], handed) == (413, "too_large", [600_000])
