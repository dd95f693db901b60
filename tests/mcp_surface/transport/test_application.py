"""The ASGI application round the endpoint: what else it serves, and its lifespan."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.urls import path
from pytest_django import Settings

from mcp_surface.transport.calls import Exchange
from mcp_surface.transport.http import Event
from mcp_surface.transport.mount import _WayOut
from tests.mcp_surface.transport.wire import ask, headers_for, rpc, scope_of

METADATA = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/mcp/.well-known/openid-configuration",
]

Mailbox = asyncio.Queue[Event]

urlpatterns = [path(".well-known/security.txt", lambda _request: HttpResponse("known"))]


@pytest.fixture
def pages(db: None) -> Iterator[None]:
    """Django's handler leaves the test's connection open, as its own test client has it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize("address", METADATA)
def test_metadata_that_is_not_there_is_404_in_json(address: str) -> None:
    heard = ask(method="GET", path=address)

    assert heard.status == 404
    assert heard.headers["content-type"] == "application/json"
    assert heard.json["error"] == "not_found"


def test_metadata_is_404_under_a_prefix_too() -> None:
    heard = ask(method="GET", path=f"/memory{METADATA[0]}", root_path="/memory")

    assert heard.json["error"] == "not_found"


def test_a_registration_of_an_oauth_client_is_404_in_json() -> None:
    heard = ask(b'{"redirect_uris": []}', path="/register")

    assert heard.status == 404
    assert heard.json["error"] == "not_found"


def test_metadata_that_django_knows_is_served_by_django(pages: None, settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__

    heard = ask(method="GET", path="/.well-known/security.txt")

    assert heard.status == 200
    assert heard.body == b"known"


@pytest.mark.parametrize("address", ["/mcpx", "/mcp/x", "/MCP", "/no/such/page"])
def test_every_other_address_is_djangos(pages: None, address: str) -> None:
    heard = ask(method="GET", path=address)

    assert heard.status == 404
    assert heard.headers["content-type"].startswith("text/html")


def test_a_websocket_is_closed() -> None:
    said = async_to_sync(_run)(
        {"type": "websocket", "path": "/mcp"}, [{"type": "websocket.connect"}]
    )

    assert said == [{"type": "websocket.close"}]


def test_the_endpoint_serves_while_the_lifespan_runs_and_after_it(key: str) -> None:
    answers = async_to_sync(_served_in_a_lifespan)(key)

    assert answers == [200, 200, 200]


def test_a_lifespan_that_is_broken_off_leaves_the_endpoint_serving(key: str) -> None:
    assert async_to_sync(_served_after_a_cancelled_lifespan)(key) == 200


def test_a_connection_that_breaks_under_the_answer_gets_no_second_one(
    key: str, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[Event] = []

    async def break_off() -> None:
        from conderis.asgi import application  # noqa: PLC0415 - sets Django up once more

        body = rpc("tools/call", {"name": "project_get"}, era="2026-07-28")
        headers = headers_for(
            key, era="2026-07-28", mcp_method="tools/call", mcp_name="project_get"
        )
        events: list[Event] = [{"type": "http.request", "body": body}]

        async def receive() -> Event:
            return events.pop(0)

        async def send(event: Event) -> None:
            tried.append(event)
            raise RuntimeError("SECRET")

        await application(scope_of(body, headers=headers), receive, send)

    async_to_sync(break_off)()

    assert len(tried) == 1
    assert "RuntimeError" in caplog.text
    assert "SECRET" not in caplog.text


def test_a_fault_of_the_sdk_leaves_as_a_clear_answer() -> None:
    said: list[Event] = []

    async def send(event: Event) -> None:
        said.append(event)

    way_out = _WayOut(Exchange("key"), send, ())
    async_to_sync(way_out.fault)(RuntimeError("SECRET"))

    start, body = said
    assert start["status"] == 500
    assert b"SECRET" not in body["body"]
    assert json.loads(body["body"])["error"] == "unavailable"


async def _run(scope: dict[str, Any], events: list[Event]) -> list[Event]:
    from conderis.asgi import application  # noqa: PLC0415 - sets Django up once more

    waiting = list(events)
    said: list[Event] = []

    async def receive() -> Event:
        return waiting.pop(0)

    async def send(event: Event) -> None:
        said.append(event)

    await application(scope, receive, send)
    return said


async def _status(key: str) -> int:
    body = rpc("tools/call", {"name": "project_get"})
    scope = scope_of(body, headers=headers_for(key))
    start, *_ = await _run(scope, [{"type": "http.request", "body": body}])
    code: int = start["status"]
    return code


async def _served_in_a_lifespan(key: str) -> list[int]:
    task, inbox, outbox = await _start_lifespan()
    during = [await _status(key), await _status(key)]
    await inbox.put({"type": "lifespan.shutdown"})
    assert await outbox.get() == {"type": "lifespan.shutdown.complete"}
    await task
    return [*during, await _status(key)]


async def _served_after_a_cancelled_lifespan(key: str) -> int:
    task, _, _ = await _start_lifespan()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return await _status(key)


async def _start_lifespan() -> tuple[asyncio.Task[None], Mailbox, Mailbox]:
    from conderis.asgi import application  # noqa: PLC0415 - as above

    inbox: Mailbox = asyncio.Queue()
    outbox: Mailbox = asyncio.Queue()
    task = asyncio.create_task(application({"type": "lifespan"}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert await outbox.get() == {"type": "lifespan.startup.complete"}
    return task, inbox, outbox
