"""The SDK's server object by itself, as another transport would use it."""

import asyncio
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp import Client

from mcp_surface.dispatch import ToolAnswer
from mcp_surface.tools import listed_tools
from mcp_surface.transport.server import Context, build_server

pytestmark = [
    pytest.mark.no_database,
    pytest.mark.parametrize("mode", ["legacy", "2026-07-28"]),
]


def answered(mode: Literal["legacy", "2026-07-28"], text: str, *, is_error: bool) -> Any:
    """What a client of the server is given for this answer of a tool."""

    async def answer(_context: Context, _params: types.CallToolRequestParams) -> ToolAnswer:
        return ToolAnswer(text=text, is_error=is_error)

    async def run() -> Any:
        async with Client(build_server(answer), mode=mode) as client:
            assert len((await client.list_tools()).tools) == len(listed_tools())
            return await client.call_tool("recall", {})

    return asyncio.run(run())


@pytest.mark.parametrize("is_error", [False, True])
def test_a_tools_answer_is_one_text(
    mode: Literal["legacy", "2026-07-28"], *, is_error: bool
) -> None:
    result = answered(mode, "what is known", is_error=is_error)

    (block,) = result.content
    assert block.text == "what is known"
    assert result.is_error is is_error


def test_an_answer_that_quotes_half_a_surrogate_pair_still_arrives(
    mode: Literal["legacy", "2026-07-28"],
) -> None:
    result = answered(mode, "There is no field \ud83d here: 😀.", is_error=True)

    (block,) = result.content
    assert block.text == "There is no field ? here: 😀."


def test_the_server_traces_nothing(mode: Literal["legacy", "2026-07-28"]) -> None:
    async def answer(_context: Context, _params: types.CallToolRequestParams) -> ToolAnswer:
        raise NotImplementedError

    assert build_server(answer).middleware == []
