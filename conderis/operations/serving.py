"""Serving web and MCP on one port."""

import signal
import socket
import sys
from types import FrameType
from typing import NoReturn

import uvicorn
from uvicorn.supervisors import Multiprocess

APPLICATION = "conderis.asgi:application"
STARTUP_FAILED = 3
# How long a stopping server waits for calls that still run.
GRACE_SECONDS = 20


def run_server(listener: socket.socket, *, workers: int) -> None:
    """Serve on the listening socket until a signal ends it."""
    config = uvicorn.Config(
        APPLICATION,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        workers=workers,
        # Django's settings say what is logged and how; requests are not.
        log_config=None,
        access_log=False,
        server_header=False,
        # Forwarded headers are Django's, by CONDERIS_TRUST_PROXY.
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    if workers > 1:
        Multiprocess(config, sockets=[listener]).run()
        return
    # uvicorn raises the signal again when all is done: end in the way of Python, so that
    # what waits to be written at exit is written.
    signal.signal(signal.SIGTERM, _exit)
    server = uvicorn.Server(config)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(STARTUP_FAILED)


def _exit(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)
