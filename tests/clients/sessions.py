"""One way to drive all the clients that hold a session, whoever wrote them."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from fastmcp import Client as FastClient
from fastmcp.client.transports import StreamableHttpTransport
from mcp import Client, StdioServerParameters

from tests.clients.node_clients import MODULES, NodeClient, node, node_client, node_environment
from tests.running import ROOT, Running

HANDSHAKE = "legacy"
MODERN = "2026-07-28"
BY_PROCESS = "stdio: "


@dataclass(frozen=True, slots=True)
class Said:
    """What a tool said: its one text, and whether it is a refusal."""

    text: str
    is_error: bool

    @property
    def json(self) -> dict[str, Any]:
        """The text as the JSON object that it is."""
        read: dict[str, Any] = json.loads(self.text)
        return read


class Session(Protocol):
    """A client that is connected."""

    async def tools(self) -> list[str]:
        """The names of the tools that it sees."""
        ...

    async def call(self, tool: str, **arguments: Any) -> Said:
        """What the tool says."""
        ...


Connect = Callable[[Running, str], AbstractAsyncContextManager[Session]]


@dataclass(frozen=True, slots=True)
class PythonSession:
    """The Python SDK's client, over whatever transport."""

    client: Client

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, tool: str, **arguments: Any) -> Said:
        result = await self.client.call_tool(tool, arguments)
        (block,) = result.content
        assert block.type == "text"
        return Said(block.text, result.is_error)


@dataclass(frozen=True, slots=True)
class FastSession:
    """fastmcp's client."""

    client: FastClient[Any]

    async def tools(self) -> list[str]:
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, tool: str, **arguments: Any) -> Said:
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        (block,) = result.content
        assert block.type == "text"
        return Said(block.text, result.is_error)


@dataclass(frozen=True, slots=True)
class NodeSession:
    """One of the TypeScript clients."""

    client: NodeClient

    async def tools(self) -> list[str]:
        return [tool["name"] for tool in (await self.client.ask(list=True))["tools"]]

    async def call(self, tool: str, **arguments: Any) -> Said:
        result = await self.client.ask(call={"name": tool, "arguments": arguments})
        (block,) = result["content"]
        return Said(block["text"], result["isError"])


def stdio_command() -> list[str]:
    """The command line that clients launch."""
    return [sys.executable, str(ROOT / "manage.py"), "mcp_stdio"]


def stdio_server(server: Running, key: str) -> StdioServerParameters:
    """The product as a process of the client, beside the server on its database."""
    command, *arguments = stdio_command()
    environment = server.environment | {"CONDERIS_KEY": key}
    return StdioServerParameters(command=command, args=arguments, env=environment)


@asynccontextmanager
async def _python(mode: str, server: Running, key: str) -> AsyncIterator[Session]:
    async with server.client(key, mode) as client:
        yield PythonSession(client)


@asynccontextmanager
async def _python_stdio(mode: str, server: Running, key: str) -> AsyncIterator[Session]:
    async with Client(stdio_server(server, key), mode=mode) as client:
        yield PythonSession(client)


@asynccontextmanager
async def _fastmcp(server: Running, key: str) -> AsyncIterator[Session]:
    async with FastClient(StreamableHttpTransport(server.url, auth=key)) as client:
        yield FastSession(client)


@asynccontextmanager
async def _typescript(script: str, era: str, server: Running, key: str) -> AsyncIterator[Session]:
    environment = {"MCP_URL": server.url, "MCP_KEY": key, "MCP_ERA": era}
    async with node_client(script, **environment) as client:
        yield NodeSession(client)


@asynccontextmanager
async def _typescript_stdio(
    script: str, era: str, server: Running, key: str
) -> AsyncIterator[Session]:
    command = json.dumps(stdio_command())
    environment = server.environment | {"CONDERIS_KEY": key}
    async with node_client(script, MCP_COMMAND=command, MCP_ERA=era, **environment) as client:
        yield NodeSession(client)


@asynccontextmanager
async def _mcp_remote(server: Running, key: str) -> AsyncIterator[Session]:
    """mcp-remote stands between a client that launches processes and the server."""
    proxy = StdioServerParameters(
        command=node(),
        args=[
            str(MODULES / "mcp-remote" / "dist" / "proxy.js"),
            server.url,
            "--allow-http",
            "--header",
            "Authorization:${HEADER}",
        ],
        env=node_environment() | {"HEADER": f"Bearer {key}", "HOME": str(server.folder)},
    )
    async with Client(proxy, mode=HANDSHAKE) as client:
        yield PythonSession(client)


CLIENTS: dict[str, Connect] = {
    "python sdk, handshake": partial(_python, HANDSHAKE),
    "python sdk, auto": partial(_python, "auto"),
    "python sdk, 2026-07-28": partial(_python, MODERN),
    "fastmcp": _fastmcp,
    "typescript sdk 1": partial(_typescript, "sdk_1.mjs", ""),
    "typescript sdk 2, handshake": partial(_typescript, "client_2.mjs", ""),
    "typescript sdk 2, auto": partial(_typescript, "client_2.mjs", "auto"),
    "typescript sdk 2, 2026-07-28": partial(_typescript, "client_2.mjs", MODERN),
    "mcp-remote": _mcp_remote,
    BY_PROCESS + "python sdk, handshake": partial(_python_stdio, HANDSHAKE),
    BY_PROCESS + "python sdk, auto": partial(_python_stdio, "auto"),
    BY_PROCESS + "python sdk, 2026-07-28": partial(_python_stdio, MODERN),
    BY_PROCESS + "typescript sdk 1": partial(_typescript_stdio, "sdk_1.mjs", ""),
    BY_PROCESS + "typescript sdk 2, handshake": partial(_typescript_stdio, "client_2.mjs", ""),
    BY_PROCESS + "typescript sdk 2, auto": partial(_typescript_stdio, "client_2.mjs", "auto"),
}
