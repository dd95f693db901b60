"""A client that costs next to nothing: MCP over one open HTTP/1.1 connection, by hand.

Client libraries cost 2 to 5 ms a call themselves, more than most calls of the server.
"""

import json
import re
import socket
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Self

from conderis.common.json import JsonObject, compact
from conderis.operations.faults import Fault

TIMEOUT_SECONDS = 60
OK = 200
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"


class Era(StrEnum):
    """The two eras of the protocol, which differ on the wire."""

    HANDSHAKE = "handshake"
    MODERN = "2026-07-28"

    @property
    def protocol(self) -> str:
        """The newest revision of the era."""
        return "2025-11-25" if self is Era.HANDSHAKE else self.value

    @property
    def ping(self) -> str:
        """The cheapest request that the era has: what every figure is compared with.

        2026-07-28 has no ping. `server/discover` is its smallest answer, and takes the
        same way: one check of the key in a thread, then the SDK.
        """
        return "ping" if self is Era.HANDSHAKE else "server/discover"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said."""

    text: str
    is_error: bool

    @property
    def json(self) -> JsonObject:
        """The text, which every tool but recall says in JSON."""
        answer: JsonObject = json.loads(self.text)
        return answer


class Wire:
    """A connection to a server on this machine, as one agent in one era."""

    def __init__(self, port: int, key: str, era: Era) -> None:
        self.era = era
        self._host = f"localhost:{port}"
        self._key = key
        self._port = port
        self._socket = _open(port)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def reopen(self) -> None:
        """Go on with a new connection: the server closes those that were idle for seconds."""
        self._socket.close()
        self._socket = _open(self._port)

    def call(self, tool: str, arguments: JsonObject) -> Answer:
        """Call a tool.

        Raises:
            Fault: the server does not answer as it should.
        """
        return answer_of(self.exchange(self.tool_request(tool, arguments)))

    def ask(self, method: str) -> JsonObject:
        """The result of a request that is no tool call.

        Raises:
            Fault: the server does not answer as it should.
        """
        return result_of(self.exchange(self.request(method)))

    def tool_request(self, tool: str, arguments: JsonObject) -> bytes:
        """The bytes of a tool call."""
        return self._bytes("tools/call", {"name": tool, "arguments": arguments}, name=tool)

    def request(self, method: str) -> bytes:
        """The bytes of any other request."""
        return self._bytes(method, {})

    def exchange(self, request: bytes) -> bytes:
        """Send a request and read the body of its answer. This alone is what is timed.

        Raises:
            Fault: the server hangs up, or answers anything but 200.
        """
        self._socket.sendall(request)
        heard = b""
        while _END_OF_HEAD not in heard:
            heard += self._more()
        head, _, body = heard.partition(_END_OF_HEAD)
        length = _LENGTH.search(head)
        if length is None:
            raise Fault(f"The server answered without a length: {head[:200]!r}")
        missing = int(length[1]) - len(body)
        parts = [body]
        while missing > 0:
            parts.append(self._more())
            missing -= len(parts[-1])
        whole = b"".join(parts)
        if int(head.split(maxsplit=2)[1]) != OK:
            raise Fault(f"The server answered {head.splitlines()[0]!r}: {whole[:500]!r}")
        return whole

    def _more(self) -> bytes:
        part = self._socket.recv(65536)
        if not part:
            raise Fault("The server closed the connection.")
        return part

    def _bytes(self, method: str, params: JsonObject, *, name: str | None = None) -> bytes:
        headers = {
            "Host": self._host,
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": self.era.protocol,
        }
        if self.era is Era.MODERN:
            headers |= {"Mcp-Method": method} | ({"Mcp-Name": name} if name else {})
            params = {**params, "_meta": self._meta()}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        body = compact(message).encode()
        headers["Content-Length"] = str(len(body))
        lines = ["POST /mcp HTTP/1.1", *(f"{each}: {value}" for each, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def _meta(self) -> JsonObject:
        prefix = "io.modelcontextprotocol"
        return {
            f"{prefix}/protocolVersion": self.era.protocol,
            f"{prefix}/clientCapabilities": {},
            f"{prefix}/clientInfo": {"name": "conderis-trial", "version": "1"},
        }


def _open(port: int) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


def result_of(body: bytes) -> JsonObject:
    """The JSON-RPC result in a body.

    Raises:
        Fault: it holds an error instead.
    """
    message: JsonObject = json.loads(body)
    if "result" not in message:
        raise Fault(f"The server answered with an error: {message.get('error')}")
    result: JsonObject = message["result"]
    return result


def answer_of(body: bytes) -> Answer:
    """What a tool said, from the body of its answer.

    Raises:
        Fault: it holds no tool's answer.
    """
    result = result_of(body)
    text = "".join(block["text"] for block in result["content"] if block["type"] == "text")
    return Answer(text, bool(result.get("isError")))
