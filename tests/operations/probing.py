"""Asking a running server as a probe does, and as clients do that know nothing of outages."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.running import Running

PATIENCE = 60  # seconds, for a busy machine


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its status, its headers by their names in small letters, and its text."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.text)
        return answer


def ask(server: Running, path: str, body: bytes | None = None, **headers: str) -> Said:
    """One request; a status of 4xx or 5xx is an answer like any other."""
    url = f"http://localhost:{server.port}{path}"
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return Said(answer.status, _named(answer.headers.items()), answer.read().decode())
    except urllib.error.HTTPError as refused:
        return Said(refused.code, _named(refused.headers.items()), refused.read().decode())


def _named(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}


def ready(server: Running) -> tuple[int, str]:
    """What `/readyz` says: the status and the reason, or that all is well."""
    said = ask(server, "/readyz")
    return said.status, said.json.get("reason", said.json["status"])


def becomes(server: Running, status: int, reason: str) -> bool:
    """Whether `/readyz` says so before long."""
    deadline = time.monotonic() + PATIENCE
    while ready(server) != (status, reason):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def call(server: Running, key: str, tool: str, **arguments: Any) -> Said:
    """A call of a tool as a raw request, which is not sent again."""
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}  # fmt: skip
    return ask(
        server,
        "/mcp",
        json.dumps(sent).encode(),
        **{
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Mcp-Protocol-Version": "2025-06-18",
        },
    )


def tool_answer(said: Said) -> dict[str, Any]:
    """What the tool has answered, or the refusal of the request as a whole."""
    answer = said.json
    if "result" not in answer:
        return answer
    told: dict[str, Any] = json.loads(answer["result"]["content"][0]["text"])
    return told
