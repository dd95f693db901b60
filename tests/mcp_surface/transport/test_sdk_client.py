"""The real client of the SDK against a real server, in both eras."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from mcp_surface.instructions import SERVER_INSTRUCTIONS
from mcp_surface.tools import listed_tools
from tests.mcp_surface.transport.server import RunningServer

Mode = Literal["legacy", "auto", "2026-07-28"]
Outcome = TypeVar("Outcome")
Session = Callable[[Callable[[Client], Awaitable[Any]]], Any]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"]),
]


@pytest.fixture(scope="module")
def key(server: RunningServer) -> str:
    made: str = server.manage("add_key", "alice", "--name", "sdk")["key"]
    return made


def with_client(
    server: RunningServer,
    key: str,
    mode: Mode,
    work: Callable[[Client], Awaitable[Outcome]],
    *,
    path: str = "",
) -> Outcome:
    async def run() -> Outcome:
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            transport = streamable_http_client(server.url + path, http_client=http)
            async with Client(transport, mode=mode) as client:
                return await work(client)

    return asyncio.run(run())


def test_the_client_lists_the_tools_as_the_surface_has_them(
    server: RunningServer, key: str, mode: Mode
) -> None:
    listed = with_client(server, key, mode, lambda client: client.list_tools())

    shown = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools]
    assert shown == listed_tools()


def test_the_client_learns_the_instructions(server: RunningServer, key: str, mode: Mode) -> None:
    if mode == "2026-07-28":
        pytest.skip("A client that is set to this revision asks for nothing first.")

    async def instructions(client: Client) -> str | None:
        return client.instructions

    assert with_client(server, key, mode, instructions) == SERVER_INSTRUCTIONS


def test_the_client_calls_a_tool_and_reads_one_text(
    server: RunningServer, key: str, mode: Mode
) -> None:
    answer = with_client(server, key, mode, lambda client: client.call_tool("project_get", {}))

    assert isinstance(answer, types.CallToolResult)
    (block,) = answer.content
    assert isinstance(block, types.TextContent)
    assert answer.is_error is False
    assert answer.structured_content is None
    assert json.loads(block.text)["total"] == 0


def test_the_client_stores_and_reads_back(server: RunningServer, key: str, mode: Mode) -> None:
    fields = {"title": "Größe 😀", "content": "line one\nline two"}

    async def store_and_read(client: Client) -> tuple[Any, Any]:
        stored = await client.call_tool("item_store", {"kind": "memory", "fields": fields})
        ref = json.loads(text_of(stored))["ref"]
        return stored, await client.call_tool("item_get", {"ref": ref})

    stored, read = with_client(server, key, mode, store_and_read)

    assert stored.is_error is False
    assert {name: json.loads(text_of(read))[name] for name in fields} == fields


def text_of(answer: Any) -> str:
    (block,) = answer.content
    text: str = block.text
    return text


def test_a_refusal_reaches_the_client_as_a_tool_result(
    server: RunningServer, key: str, mode: Mode
) -> None:
    answer = with_client(server, key, mode, lambda client: client.call_tool("item_store", {}))

    refusal = json.loads(text_of(answer))
    assert answer.is_error is True
    assert refusal["error"] == "invalid"


def test_an_unknown_tool_reaches_the_client_as_an_error_that_names_the_tools(
    server: RunningServer, key: str, mode: Mode
) -> None:
    async def call_unknown(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("item_create", {})
        return caught.value

    error = with_client(server, key, mode, call_unknown)

    assert error.error.code == -32602
    assert all(tool["name"] in error.error.message for tool in listed_tools())


def test_the_client_works_with_a_slash_at_the_end(
    server: RunningServer, key: str, mode: Mode
) -> None:
    listed = with_client(server, key, mode, lambda client: client.list_tools(), path="/")

    assert len(listed.tools) == 8


def test_a_client_with_a_bad_key_gets_no_further(server: RunningServer, mode: Mode) -> None:
    with pytest.raises((ExceptionGroup, MCPError, httpx2.HTTPStatusError)):
        with_client(server, "cndr_wrong", mode, lambda client: client.list_tools())
