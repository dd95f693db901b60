"""`mcp_stdio` as a client launches it, spoken to in raw lines."""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.clients.sessions import stdio_command

PATIENCE = 180  # for a busy machine
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


@dataclass
class Launched:
    """The process, its answers as they come, and what it wrote to standard error."""

    process: subprocess.Popen[bytes]
    answers: "queue.SimpleQueue[bytes]" = field(default_factory=queue.SimpleQueue)
    errors: list[bytes] = field(default_factory=list)
    last_id: int = 0

    def send_line(self, line: bytes) -> None:
        """Send these bytes and a line's end."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.send_line(json.dumps(message).encode())

    def send(self, method: str, **params: Any) -> int:
        """Send a request, and return its id."""
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.send_line(json.dumps(message).encode())
        return self.last_id

    def read(self) -> dict[str, Any]:
        """The next message of the server; every line of its output must be one."""
        answer: dict[str, Any] = json.loads(self.answers.get(timeout=PATIENCE))
        assert answer["jsonrpc"] == "2.0"
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and read its answer, which must be the next message."""
        sent = self.send(method, **params)
        answer = self.read()
        assert answer["id"] == sent
        return answer

    def call(self, tool: str, arguments: Any) -> dict[str, Any]:
        """Call a tool and read its JSON."""
        return told(self.ask("tools/call", name=tool, arguments=arguments))

    def initialize(self) -> None:
        """Open the session as clients of the handshake era do."""
        assert self.ask("initialize", **INITIALIZE)["result"]["serverInfo"]["name"] == "conderis"
        self.notify("notifications/initialized")

    def hang_up(self) -> tuple[int, list[dict[str, Any]]]:
        """Close its input; its exit code, and what it still answered."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        rest = []
        while line := self.answers.get(timeout=PATIENCE):
            rest.append(json.loads(line))
        return code, rest


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """The JSON in a tool's answer."""
    (block,) = answer["result"]["content"]
    said: dict[str, Any] = json.loads(block["text"])
    assert answer["result"]["isError"] is ("error" in said)
    return said


@contextmanager
def launched(environment: dict[str, str]) -> Iterator[Launched]:
    """The process, killed at the end if it still runs."""
    with subprocess.Popen(
        stdio_command(),
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        started = Launched(process)
        listeners = [
            threading.Thread(target=_listen_to_answers, args=(started,)),
            threading.Thread(target=_listen_to_errors, args=(started,)),
        ]
        for listener in listeners:
            listener.start()
        try:
            yield started
        finally:
            process.kill()
            for listener in listeners:
                listener.join()


def _listen_to_answers(started: Launched) -> None:
    for line in started.process.stdout or ():
        started.answers.put(line)
    started.answers.put(b"")


def _listen_to_errors(started: Launched) -> None:
    started.errors.extend(started.process.stderr or ())
