"""The SDK's server object: the protocol in both eras, with tools and nothing else."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

import conderis
from mcp_surface.dispatch import ToolAnswer, UnknownTool
from mcp_surface.instructions import SERVER_INSTRUCTIONS
from mcp_surface.tools import listed_tools

Context = ServerRequestContext[Any, Any]
CallHandler = Callable[[Context, types.CallToolRequestParams], Awaitable[ToolAnswer]]

LIST_FRESH_FOR = 300_000
"""Milliseconds that a client may keep the list of tools (and no other caller may share it)."""


def build_server(answer: CallHandler) -> "Server[Any]":
    """A server whose tool calls `answer` answers."""

    async def on_list_tools(
        _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return tool_list()

    async def on_call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            given = await answer(context, params)
        except UnknownTool as error:
            raise _unknown_tool(params.name) from error
        block = types.TextContent(type="text", text=_sendable(given.text))
        return types.CallToolResult(content=[block], is_error=given.is_error)

    server: Server[Any] = Server(
        "conderis",
        version=conderis.__version__,
        instructions=SERVER_INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        cache_hints={
            "tools/list": CacheHint(ttl_ms=LIST_FRESH_FOR, scope="private"),
            "server/discover": CacheHint(ttl_ms=LIST_FRESH_FOR, scope="private"),
        },
        # Without it the SDK lists the tools at every call, to check headers we do not use.
        get_tool_input_schema=lambda _name: None,
    )
    # Drops the span per message of OpenTelemetry, which is on by default.
    server.middleware.clear()
    return server


def tool_list() -> types.ListToolsResult:
    """The tools as they are now, checked by the SDK's model."""
    tools = [types.Tool.model_validate(tool) for tool in listed_tools()]
    return types.ListToolsResult(tools=tools)


def _sendable(text: str) -> str:
    """The text, with a question mark for what no encoding of JSON can carry.

    A refusal may quote a lone surrogate that came inside JSON text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


def _unknown_tool(name: str) -> MCPError:
    """-32602, as the protocol has it for unknown tools, with the names that there are."""
    names = [str(tool["name"]) for tool in listed_tools()]
    return MCPError(
        code=types.INVALID_PARAMS,
        message=f"There is no tool {name[:80]!r}. The tools are {', '.join(names)}.",
        data={"allowed": names},
    )
