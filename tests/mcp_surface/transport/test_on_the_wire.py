"""The endpoint behind a real server, over real sockets."""

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests.mcp_surface.transport.server import RunningServer, running_server
from tests.mcp_surface.transport.wire import ERAS, MODERN, headers_for, rpc

pytestmark = pytest.mark.slow

MEGABYTE = 1024 * 1024
_names = count(1)


@pytest.fixture(scope="module")
def key(server: RunningServer) -> str:
    return make_key(server)["key"]


def make_key(server: RunningServer) -> dict[str, str]:
    return server.manage("add_key", "alice", "--name", f"wire {next(_names)}")


@pytest.fixture
def wire(server: RunningServer) -> Iterator[HTTPConnection]:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        yield connection


def post(wire: HTTPConnection, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    wire.request("POST", "/mcp", body, headers)
    answer = wire.getresponse()
    content = answer.read()
    return answer.status, json.loads(content) if content else None


def call(wire: HTTPConnection, key: str, era: str, *, tool: str = "project_get") -> tuple[int, Any]:
    headers = headers_for(key, era=era, mcp_method="tools/call", mcp_name=tool)
    return post(wire, rpc("tools/call", {"name": tool, "arguments": {}}, era=era), headers)


def still_serves(server: RunningServer, key: str) -> bool:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=30)) as fresh:
        status, answer = call(fresh, key, MODERN)
    return status == 200 and answer["result"]["isError"] is False


@pytest.mark.parametrize("era", ERAS)
def test_one_connection_serves_call_after_call(wire: HTTPConnection, key: str, era: str) -> None:
    answers = [call(wire, key, era) for _ in range(5)]

    assert [status for status, _ in answers] == [200] * 5
    assert all(answer["result"]["isError"] is False for _, answer in answers)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_get_and_delete_end_at_once_and_leave_no_stream(
    wire: HTTPConnection, method: str, path: str
) -> None:
    wire.request(method, path, headers={"Accept": "text/event-stream"})
    answer = wire.getresponse()

    assert answer.status == 405
    assert answer.getheader("Allow") == "POST"
    assert answer.read() != b""


@pytest.mark.parametrize("era", ERAS)
def test_a_revoked_key_ends_on_an_open_connection_with_the_very_next_call(
    server: RunningServer, wire: HTTPConnection, era: str
) -> None:
    made = make_key(server)
    assert call(wire, made["key"], era)[0] == 200

    server.manage("revoke_key", made["id"])

    status, answer = call(wire, made["key"], era)
    assert status == 401
    assert answer["error"] == "invalid_token"


def test_blanks_round_header_values_on_the_wire_do_no_harm(server: RunningServer, key: str) -> None:
    body = rpc("tools/call", {"name": "project_get"}, era=MODERN)
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"authorization:   bearer {key}  \r\n"
        f"MCP-Protocol-Version:{MODERN}   \r\nMcp-Method:  tools/call \t\r\n"
        f"Mcp-Name: \tproject_get  \r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )

    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
        wire.sendall(head.encode() + body)
        answer = b"".join(iter(lambda: wire.recv(65536), b""))

    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"isError":false' in answer


@pytest.mark.parametrize("authorized", [False, True])
@pytest.mark.parametrize("chunked", [False, True])
def test_two_hundred_megabytes_are_refused_before_they_are_read(
    server: RunningServer, key: str, *, authorized: bool, chunked: bool
) -> None:
    length = 200 * MEGABYTE
    framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {length}"
    token = f"Authorization: Bearer {key}\r\n" if authorized else ""
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{token}{framing}\r\n\r\n"
    part = b"%x\r\n" % MEGABYTE + b" " * MEGABYTE + b"\r\n" if chunked else b" " * MEGABYTE
    before = server.memory

    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
        wire.sendall(head.encode())
        # With a key, what comes in chunks is read up to the limit.
        for _ in range(6 if authorized and chunked else 0):
            wire.sendall(part)
        early = wire.recv(65536)
        for _ in range(100):
            wire.sendall(part)

    assert early.startswith(b"HTTP/1.1 413" if authorized else b"HTTP/1.1 401")
    assert server.memory - before < 40 * MEGABYTE
    assert still_serves(server, key)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "arguments",
    [
        b'{"fields": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        b"[" * 1_000_000,
        b'{"fields": "' + b"\\ud83d" * 1000 + b'"}',
        json.dumps({f"k{at}": at for at in range(100_000)}).encode(),
        b'"' + b"[" * 100_000 + b'"',
    ],
    ids=["nested", "unclosed", "surrogates", "keys", "nested text"],
)
def test_hostile_arguments_are_a_clear_error_and_the_process_stays_up(
    server: RunningServer, wire: HTTPConnection, key: str, era: str, arguments: bytes
) -> None:
    body = rpc("tools/call", {"name": "item_store", "arguments": 0}, era=era)
    headers = headers_for(key, era=era, mcp_method="tools/call", mcp_name="item_store")

    status, answer = post(
        wire, body.replace(b'"arguments": 0', b'"arguments": ' + arguments), headers
    )

    assert (status, "error" in answer) in [(400, True), (200, False)]
    assert status == 400 or answer["result"]["isError"] is True
    assert still_serves(server, key)


def test_a_batch_of_ten_thousand_calls_is_refused_as_a_whole(
    server: RunningServer, wire: HTTPConnection, key: str
) -> None:
    batch = b"[" + b",".join([rpc("tools/call", {"name": "project_get"})] * 10_000) + b"]"

    status, answer = post(wire, batch, headers_for(key))

    assert status == 400
    assert answer["error"]["code"] == -32600


@pytest.mark.parametrize("era", ERAS)
def test_clients_that_go_away_in_the_middle_of_a_call_leave_nothing_behind(
    server: RunningServer, key: str, era: str
) -> None:
    headers = headers_for(key, era=era, mcp_method="tools/call", mcp_name="project_get")
    body = rpc("tools/call", {"name": "project_get"}, era=era)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{lines}"
    whole = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    assert still_serves(server, key)

    def go_away(length: int) -> None:
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
            wire.sendall(whole[:length])

    def storm() -> tuple[int, int]:
        for _ in range(100):
            go_away(len(whole))
            go_away(len(whole) - 20)
        assert still_serves(server, key)
        return server.open_files, server.threads

    first = storm()
    second = storm()

    assert second[0] <= first[0] + 8
    assert second[1] <= first[1] + 1


def test_many_clients_at_once_are_all_answered(server: RunningServer, key: str) -> None:
    def some_calls(era: str) -> list[int]:
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=60)) as wire:
            return [call(wire, key, era)[0] for _ in range(10)]

    with ThreadPoolExecutor(16) as clients:
        statuses = [code for codes in clients.map(some_calls, [*ERAS] * 8) for code in codes]

    assert statuses == [200] * 160


def test_nothing_of_all_this_has_broken_inside_the_server(server: RunningServer, key: str) -> None:
    assert still_serves(server, key)

    assert not [line for line in server.said if "Traceback" in line or "ERROR" in line]


@pytest.mark.skipif(not hasattr(signal, "SIGTERM"), reason="no signals here")
def test_a_server_that_is_told_to_stop_ends_cleanly(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), running_server(tmp_path) as server:
        server.manage("add_person", "alice", "--email", "alice@example.org")
        assert still_serves(server, make_key(server)["key"])

        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(20)
        except subprocess.TimeoutExpired:
            pytest.fail("".join(server.said))

    assert "Application shutdown complete" in "".join(server.said)
    assert not [line for line in server.said if "Traceback" in line or "Warning" in line]
