"""The ASGI application at /mcp."""

import asyncio
import gc

import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from conderis.accounts import last_use
from conderis.common import faulting
from conderis.common.json import JsonObject
from mcp_surface.dispatch import ToolAnswer
from mcp_surface.transport import gate, pool
from mcp_surface.transport.bodies import (
    BodyRefused,
    Disconnected,
    read_body,
    read_message,
)
from mcp_surface.transport.calls import Exchange, answer_call, authenticate
from mcp_surface.transport.gate import Headers
from mcp_surface.transport.http import Event, HeaderList, Receive, Reply, Scope, Send, json_reply
from mcp_surface.transport.server import Context, build_server, tool_list

_EXCHANGE = "conderis.exchange"


class McpMount:
    """Serves MCP over streamable HTTP: stateless, each answer one JSON body.

    `lifespan` starts the SDK's session manager once for the process. Where no lifespan
    is run (some servers, tests), each request gets a manager of its own, which costs
    some tenths of a millisecond and leaves nothing behind.
    """

    def __init__(self) -> None:
        self._server = build_server(_answer)
        self._running: tuple[asyncio.AbstractEventLoop, StreamableHTTPSessionManager] | None = None

    async def lifespan(self, receive: Receive, send: Send) -> None:
        """The lifespan of the whole application, from its start to its shutdown."""
        await receive()
        try:
            tool_list()  # a fault in the tools stops the start, not the first call
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        manager = self._new_manager()
        # What is there now stays: Python need not look through it for what can go, which
        # holds up every call of the process for a twentieth of a second.
        gc.collect()
        gc.freeze()
        async with manager.run():
            self._running = (asyncio.get_running_loop(), manager)
            try:
                await send({"type": "lifespan.startup.complete"})
                await receive()
            finally:
                self._running = None
        gc.unfreeze()  # what holds a connection has to go with it
        await asyncio.to_thread(pool.close)
        await asyncio.to_thread(last_use.flush_apart)
        await send({"type": "lifespan.shutdown.complete"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers.of(scope["headers"])
        reply = gate.host_refusal(headers) or gate.origin_refusal(headers)
        extra = gate.cors_headers(headers) if reply is None else ()
        try:
            taken = reply or gate.method_refusal(scope) or await _take(headers, receive)
        except Disconnected:
            return
        if isinstance(taken, Reply):
            await taken.send(send, extra=extra)
            return
        exchange, body = taken
        inner = {**scope, "headers": headers.for_sdk(len(body)), _EXCHANGE: exchange}
        way_out = _WayOut(exchange, send, extra)
        try:
            await self._hand_on(inner, _giving(body, receive), way_out)
        except Exception as error:  # noqa: BLE001 - the edge: a fault leaves as a clear answer
            await way_out.fault(error)

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        running = self._running
        if running is not None and running[0] is asyncio.get_running_loop():
            await running[1].handle_request(scope, receive, send)
            return
        manager = self._new_manager()
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    def _new_manager(self) -> StreamableHTTPSessionManager:
        # The body has been held to our own limit before.
        return StreamableHTTPSessionManager(
            self._server,
            stateless=True,
            json_response=True,
            max_request_body_size=2 * gate.BODY_LIMIT,
        )


class _WayOut:
    """The ASGI `send` that the SDK gets: nothing passes it before the key was checked."""

    def __init__(self, exchange: Exchange, send: Send, extra: HeaderList) -> None:
        self._exchange = exchange
        self._send = send
        self._extra = extra
        self._started = False
        self._replaced = False

    async def __call__(self, event: Event) -> None:
        if event["type"] == "http.response.start":
            if not self._exchange.authenticated and self._exchange.instead is None:
                # The SDK refused a tool call before the handler saw it.
                await authenticate(self._exchange)
            if self._exchange.instead is not None:
                self._replaced = True
                await self._exchange.instead.send(self._send, extra=self._extra)
                return
            event["headers"] = [*event["headers"], *self._extra]
            self._started = True
        if not self._replaced:
            await self._send(event)

    async def fault(self, error: Exception) -> None:
        """Answer a request that broke in the SDK or in the mount itself."""
        answer: JsonObject = faulting.unavailable(error, during="the MCP request").as_answer()
        if not (self._started or self._replaced):
            await json_reply(500, answer).send(self._send, extra=self._extra)


async def _take(headers: Headers, receive: Receive) -> tuple[Exchange, bytes] | Reply:
    """The request as it goes on to the SDK, or its refusal.

    A tool call goes on with its key unchecked: that happens in the thread hop of its
    work. Everything else, and all that is refused or large, has its key checked here.

    Raises:
        Disconnected: the client went away.
    """
    token = gate.bearer_token(headers)
    if isinstance(token, Reply):
        return token
    return gate.content_refusal(headers) or await _read(Exchange(token), headers, receive)


async def _read(
    exchange: Exchange, headers: Headers, receive: Receive
) -> tuple[Exchange, bytes] | Reply:
    length = gate.declared_length(headers)
    if (length is None or length > gate.UNPROVEN_LIMIT) and (refusal := await _checked(exchange)):
        return refusal
    body = await read_body(receive)
    if body is None:
        return gate.too_large()
    try:
        if len(body) > gate.UNPROVEN_LIMIT:
            if refusal := await _checked(exchange):
                return refusal  # more came than was declared
            # Up to seconds of work, which must not hold up everybody else.
            message = await pool.run(lambda: read_message(body))
        else:
            message = read_message(body)
    except BodyRefused as error:
        return await _checked(exchange) or error.reply
    exchange.call = message.call
    if message.call is None and (refusal := await _checked(exchange)):
        return refusal
    return exchange, message.body


async def _checked(exchange: Exchange) -> Reply | None:
    """The refusal of a key that is no good."""
    if not exchange.authenticated:
        await authenticate(exchange)
    return exchange.instead


async def _answer(context: Context, _params: types.CallToolRequestParams) -> ToolAnswer:
    """What the SDK's handler asks for: the call as the mount has read it."""
    exchange = context.request.scope[_EXCHANGE] if context.request is not None else None
    if not isinstance(exchange, Exchange) or exchange.call is None:
        raise LookupError("A tool call that the mount has not read.")
    return await answer_call(exchange, exchange.call)


def _giving(body: bytes, receive: Receive) -> Receive:
    """An ASGI `receive` that gives this body first, and then what the real one has."""
    events: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Event:
        return events.pop() if events else await receive()

    return give
