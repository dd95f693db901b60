"""MCP over standard input and output, for clients that launch a process.

A line is a message. It goes the way of a body over HTTP: checked by `transport.bodies`,
spoken by the SDK in both eras of the protocol, run by `dispatch` in a thread of the pool.
Only who asks is known differently: `identify` says it at every call, so that a key that
has ended ends with the very next one.
"""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from conderis.common import faulting
from conderis.common.caller import Caller
from conderis.common.errors import DomainError, TooLarge
from conderis.common.json import compact
from mcp_surface.dispatch import ToolAnswer, UnknownTool, call_tool
from mcp_surface.pipes import Output, claimed_pipes, start_reading
from mcp_surface.transport import pool
from mcp_surface.transport.bodies import BodyRefused, Message, ToolCall, read_message
from mcp_surface.transport.gate import BODY_LIMIT
from mcp_surface.transport.http import INVALID_REQUEST, rpc_error
from mcp_surface.transport.server import Context, build_server, tool_list

LINE_LIMIT = 4 * BODY_LIMIT
"""Bytes of a line that is still read; above `BODY_LIMIT` only to answer whoever sent it."""

GRACE_SECONDS = 20
"""How long calls that run may take to end when the client has gone or a signal came."""

Identify = Callable[[], Caller]
"""Who asks, anew at every call. Raises DomainError when nobody may (any longer)."""

_ENDING = (signal.SIGTERM, signal.SIGINT)
_TOO_LONG = f"A message holds at most {BODY_LIMIT // 1024**2} MB."


def serve_stdio(identify: Identify) -> None:
    """Serve one client until its end of the pipe, SIGTERM or SIGINT. Calls that run may end."""
    tool_list()  # a fault in the tools stops the start, not the first call
    with claimed_pipes() as (stdin, stdout):
        asyncio.run(_Conversation(identify).run(stdin, stdout))
        _ignore_signals()
    pool.close()


class _Conversation:
    """One client's messages, from the first line to the end."""

    def __init__(self, identify: Identify) -> None:
        self._server = build_server(partial(_answer, identify))
        self._running = 0
        self._ending = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    async def run(self, stdin: int, stdout: int) -> None:
        """Take lines from one descriptor and answer on the other until the end."""
        output = Output(stdout, at_break=self._ending.set)
        to_sdk, sdk_reads = anyio.create_memory_object_stream[SessionMessage | Exception]()
        sdk_writes, from_sdk = anyio.create_memory_object_stream[SessionMessage]()
        _end_at_signals(self._ending.set)
        async with anyio.create_task_group() as group:
            group.start_soon(self._speak, self._server, sdk_reads, sdk_writes)
            group.start_soon(self._send, from_sdk, output)
            take = partial(self._take, to_sdk, output)
            start_reading(stdin, take, limit=LINE_LIMIT, at_end=self._ending.set)
            await self._ending.wait()
            with anyio.move_on_after(GRACE_SECONDS):
                await self._idle.wait()
            to_sdk.close()
        with anyio.move_on_after(GRACE_SECONDS):
            await output.finish()

    async def _speak(
        self,
        server: Server[Any],
        reads: MemoryObjectReceiveStream[SessionMessage | Exception],
        writes: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        await server.run(reads, writes, server.create_initialization_options())

    async def _take(
        self,
        to_sdk: MemoryObjectSendStream[SessionMessage | Exception],
        output: Output,
        line: bytes | None,
    ) -> None:
        """Hand one line on to the SDK, or refuse it."""
        if self._ending.is_set() or (line is not None and not line.strip()):
            return
        try:
            message = _read(line)
            sent = types.jsonrpc_message_adapter.validate_json(message.body, by_name=False)
        except BodyRefused as refused:
            output.put(refused.reply.body)
            return
        except ValidationError:
            output.put(_refusal("This line is no JSON-RPC message."))
            return
        metadata = ServerMessageMetadata(
            request_context=message.call, on_request_unanswered=self._unanswered
        )
        if isinstance(sent, types.JSONRPCRequest):
            self._running += 1
            self._idle.clear()
        # Closed while it waits: the end has come, and nobody waits for the answer.
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            await to_sdk.send(SessionMessage(sent, metadata))

    async def _send(
        self, from_sdk: MemoryObjectReceiveStream[SessionMessage], output: Output
    ) -> None:
        async for answer in from_sdk:
            output.put(answer.message.model_dump_json(by_alias=True, exclude_unset=True).encode())
            if isinstance(answer.message, types.JSONRPCResponse | types.JSONRPCError):
                self._settle()

    async def _unanswered(self) -> None:
        """A request that the client has taken back gets no answer."""
        self._settle()

    def _settle(self) -> None:
        self._running -= 1
        if self._running <= 0:
            self._idle.set()


def _read(line: bytes | None) -> Message:
    """The message in a line; a tool call that is too long becomes the refusal of itself.

    Raises BodyRefused.
    """
    if line is None:
        raise BodyRefused(rpc_error(INVALID_REQUEST, _TOO_LONG, request_id=None))
    message = read_message(line)
    if message.call is None or len(line) <= BODY_LIMIT:
        return message
    return replace(message, call=ToolCall(message.call.name, {}, TooLarge(_TOO_LONG)))


def _refusal(text: str) -> bytes:
    return rpc_error(INVALID_REQUEST, text, request_id=None).body


async def _answer(
    identify: Identify, context: Context, _params: types.CallToolRequestParams
) -> ToolAnswer:
    """What the SDK's handler asks for: the call as it was read from its line."""
    call = context.request
    if not isinstance(call, ToolCall):
        raise TypeError("A tool call that was not read here.")
    try:
        return await pool.run(lambda: _run(identify, call))
    except UnknownTool:
        raise
    except Exception as error:  # noqa: BLE001 - the edge: a fault leaves as a clear answer
        return _refused(faulting.unavailable(error, during=f"tool {call.name[:40]!r}"))


def _run(identify: Identify, call: ToolCall) -> ToolAnswer:
    try:
        caller = identify()
    except DomainError as refusal:
        return _refused(refusal)
    if call.refused is not None:
        return _refused(call.refused)
    return call_tool(caller, call.name, call.arguments)


def _refused(refusal: DomainError) -> ToolAnswer:
    return ToolAnswer(text=compact(refusal.as_answer()), is_error=True)


def _end_at_signals(end: Callable[[], None]) -> None:
    """Let the signals that end a process end the conversation first."""
    loop = asyncio.get_running_loop()

    def handle(_number: int, _frame: FrameType | None) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(end)

    for number in _ENDING:
        signal.signal(number, handle)


def _ignore_signals() -> None:
    """Clients send one signal after the other: what is written at exit must not be cut off."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
