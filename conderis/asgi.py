"""The ASGI application: MCP at /mcp beside Django, and the lifespan of both.

`/mcp` and `/mcp/` are one endpoint, without a redirect, which clients do not follow
with a POST. Addresses at which OAuth clients look for metadata, and that Django does
not know, are a 404 in JSON: clients choke on an HTML page there.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from typing import Any, Final

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.signals import request_finished
from django.db import connections
from django.urls import Resolver404, resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
# Django's types say dict where ASGI has any mutable mapping.
_django: Final[Any] = get_asgi_application()

from conderis.api.gate import BodyGate, is_api  # noqa: E402 - as below
from conderis.common.databases import limit_statements  # noqa: E402 - as below
from conderis.web.bodies import held_to_limit  # noqa: E402 - needs what stands above
from exchange import running  # noqa: E402 - has models
from mcp_surface.transport.http import Event, Receive, Scope, Send, refusal  # noqa: E402 - has models
from mcp_surface.transport.mount import McpMount  # noqa: E402 - models need what stands above

_mcp: Final = McpMount()
_api: Final = BodyGate(_django)


def _close_connections(**_signal: Any) -> None:
    """Close what a page's request has opened: its thread ends with it.

    The signal is sent for Django's pages alone; the threads of tool calls keep theirs.
    """
    connections.close_all()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request, or the lifespan of the process."""
    scope = _below_prefix(scope)
    if scope["type"] == "lifespan":
        _end_with_parent()
        _limit_statements()
        request_finished.connect(_close_connections)
        running.resume_working()
        try:
            await _mcp.lifespan(receive, _when_imports_stand(send))
        finally:
            # Nothing is awaited here: who has been told that all is done waits no longer.
            running.stop_working()
            request_finished.disconnect(_close_connections)
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close"})
    elif _path(scope) in ("/mcp", "/mcp/"):
        await _mcp(scope, receive, send)
    elif _is_unknown_metadata(scope):
        await refusal(404, "not_found", "There is nothing at this address.").send(send)
    elif is_api(_path(scope)):
        await _api(scope, receive, send)
    else:
        await _django(scope, held_to_limit(scope["headers"], receive), send)


def _when_imports_stand(send: Send) -> Send:
    """The same `send`, which says that the shutdown is complete once no import is written."""

    async def sending(event: Event) -> None:
        if event["type"] == "lifespan.shutdown.complete":
            await asyncio.to_thread(running.stop_working)
        await send(event)

    return sending


def _end_with_parent() -> None:
    """Let a worker end when the process that started it is gone, however it went.

    Otherwise it would go on serving the port with the code and settings of that time.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end, name="end-with-parent", daemon=True).start()


def _limit_statements() -> None:
    """Have PostgreSQL end what runs too long, for what is served alone.

    Not for commands, migrations and what `serve` does before it: they may take their time.
    """
    if not settings.STATEMENT_SECONDS:
        return
    connection: Any  # the pool is PostgreSQL's alone, and so no part of the types
    for connection in connections.all():
        if connection.vendor == "postgresql":
            connection.close_pool()  # its connections were opened without
            limit_statements(connection.settings_dict, seconds=settings.STATEMENT_SECONDS)


def _below_prefix(scope: Scope) -> Scope:
    """The request with the path that CONDERIS_URL has as its root, in ASGI's form.

    Some proxies cut the path off before they hand on, others do not; both come out alike.
    """
    prefix: str = settings.URL_PREFIX
    if not prefix or scope["type"] != "http":
        return scope
    path: str = scope["path"]
    whole = path == prefix or path.startswith(f"{prefix}/")
    return {**scope, "root_path": prefix, "path": path if whole else prefix + path}


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path") or "")


def _is_unknown_metadata(scope: Scope) -> bool:
    """Whether a client asks for OAuth metadata, or to register, where there is none."""
    path = _path(scope)
    registers = path == "/register" and scope["method"] == "POST"
    if not registers and "/.well-known/" not in path:
        return False
    try:
        resolve(path)
    except Resolver404:
        return True
    return False
