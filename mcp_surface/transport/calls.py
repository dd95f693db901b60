"""One request's key check and tool call, which run together in one thread."""

from dataclasses import dataclass
from typing import Any

from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.common import faulting
from conderis.common.caller import Caller, Surface
from conderis.common.errors import DomainError
from conderis.common.json import compact
from mcp_surface.dispatch import ToolAnswer, UnknownTool, call_tool
from mcp_surface.transport import pool
from mcp_surface.transport.bodies import ToolCall
from mcp_surface.transport.http import Reply, json_reply, unauthorized

_NEVER_SENT = ToolAnswer(text="", is_error=True)


@dataclass(slots=True)
class Exchange:
    """What is known of one request: shared by the mount and the SDK's tool handler.

    Nothing leaves the mount before `authenticated` is true or `instead` is set; the
    latter is then sent in place of whatever the SDK answers.
    """

    token: str
    call: ToolCall | None = None
    authenticated: bool = False
    instead: Reply | None = None


async def authenticate(exchange: Exchange) -> None:
    """Check the key alone, for what does not reach a tool."""
    try:
        await pool.run(lambda: _caller(exchange))
    except Exception as error:  # noqa: BLE001 - the edge: a fault leaves as a clear answer
        exchange.instead = _unavailable(error)


async def answer_call(exchange: Exchange, call: ToolCall) -> ToolAnswer:
    """Check the key and run the tool.

    When the key is no good, `exchange.instead` says so, and the answer is never sent.

    Raises:
        UnknownTool: there is no such tool.
    """
    try:
        return await pool.run(lambda: _answer(exchange, call))
    except UnknownTool:
        raise
    except Exception as error:  # noqa: BLE001 - the edge, as above
        if exchange.authenticated:
            return _refused(faulting.unavailable(error, during=f"tool {call.name[:40]!r}"))
        exchange.instead = _unavailable(error)
        return _NEVER_SENT


def _answer(exchange: Exchange, call: ToolCall) -> ToolAnswer:
    caller = _caller(exchange)
    if caller is None:
        return _NEVER_SENT
    if call.refused is not None:
        return _refused(call.refused)
    return call_tool(caller, call.name, call.arguments)


def _caller(exchange: Exchange) -> Caller | None:
    """Who asks; None when `exchange.instead` now says why nobody does."""
    exchange.authenticated = False
    try:
        caller = caller_of_key(exchange.token, surface=Surface.MCP)
    except NotAuthenticated as error:
        exchange.instead = unauthorized(error.reason, token_sent=True)
        return None
    exchange.authenticated = True
    return caller


def _refused(error: DomainError) -> ToolAnswer:
    return ToolAnswer(text=compact(error.as_answer()), is_error=True)


def _unavailable(error: Exception) -> Reply:
    answer: dict[str, Any] = faulting.unavailable(error, during="the key check").as_answer()
    wait = str(answer.get("retryAfter", 5)).encode()
    return json_reply(503, answer, (b"retry-after", wait))
