"""The threads that the synchronous services run in."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

Answer = TypeVar("Answer")

_state: dict[str, ThreadPoolExecutor] = {}


async def run(work: Callable[[], Answer]) -> Answer:
    """What `work` gives, run in a thread with a usable database connection.

    Django's own signals never fire for this endpoint. So connections that broke or are
    past their age are closed here, before and after each piece of work; with
    PostgreSQL's pool (whose connections have no age) that gives them back to it.

    With the setting MCP_THREAD_SENSITIVE the work runs in the thread that waits for the
    event loop, so that it sees the transaction of a test.
    """
    if getattr(settings, "MCP_THREAD_SENSITIVE", False):
        return await sync_to_async(work, thread_sensitive=True)()
    return await asyncio.get_running_loop().run_in_executor(_executor(), _with_connection, work)


def close() -> None:
    """Wait for work that is still running, and end the threads."""
    executor = _state.pop("executor", None)
    if executor is not None:
        executor.shutdown(wait=True)


def _with_connection(work: Callable[[], Answer]) -> Answer:
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()


def _executor() -> ThreadPoolExecutor:
    executor = _state.get("executor")
    if executor is None:
        executor = ThreadPoolExecutor(settings.POOL_THREADS, thread_name_prefix="mcp")
        # Two event loops in one process (tests) agree on the first.
        executor = _state.setdefault("executor", executor)
    return executor
