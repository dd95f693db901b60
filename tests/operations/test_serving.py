"""The server as people start it: a real process on a folder of its own."""

import json
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conderis.accounts.keys import mint_key
from tests.operations.processes import (
    ROOT,
    Server,
    environment,
    fetch,
    launch,
    manage,
    serving,
    wait_for_answer,
)
from tests.ports import free_port

pytestmark = [pytest.mark.slow, pytest.mark.no_database]

CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
HOSTS = "localhost,127.0.0.1,192.0.2.7,memory.example.com"
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def mcp_status(base: str, key: str, **headers: str) -> int | None:
    bearer = {"Authorization": f"Bearer {key}", "Mcp-Protocol-Version": "2025-06-18"}
    return fetch(f"{base}/mcp", method="POST", body=CALL, **{**JSON, **bearer, **headers})


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "conderis.sqlite3") as database:
        return database.execute(query).fetchall()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a new folder, which only tests share that leave it as it is."""
    folder = tmp_path_factory.mktemp("first") / "data"
    with serving(folder, CONDERIS_ALLOWED_HOSTS=HOSTS) as server:
        yield server


def test_the_first_start_prints_all_that_is_needed_and_it_works(first: Server) -> None:
    line = re.search(
        rf"claude mcp add --transport http conderis {first.base}/mcp "
        r'--header "Authorization: Bearer (cndr_\w+)"',
        first.out,
    )
    link = re.search(rf"{first.base}/sign-in/\S+", first.out)
    snippet = json.loads(first.out[first.out.index("{") : first.out.rindex("}") + 1])

    assert line is not None
    assert link is not None
    assert snippet["mcpServers"]["conderis"] == {
        "type": "http",
        "url": f"{first.base}/mcp",
        "headers": {"Authorization": f"Bearer {line.group(1)}"},
    }
    assert first.base in first.out.splitlines()[0]
    assert "owner/home" in first.out
    assert mcp_status(first.base, line.group(1)) == 200
    assert fetch(link.group()) == 200
    assert fetch(f"{first.base}/") == 200
    assert fetch(f"{first.base}/static/tokens.css") == 200
    assert first.err == ""


def test_files_with_secrets_are_for_the_eyes_of_the_servers_user_alone(first: Server) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in first.folder.iterdir()}

    assert modes["quickstart-key"] == 0o600
    assert modes["secret-key"] == 0o600
    assert stat.S_IMODE(first.folder.stat().st_mode) == 0o700


def test_a_key_that_is_revoked_by_a_command_is_refused_on_the_servers_next_call(
    first: Server,
) -> None:
    made = manage("add_key", "owner", "--name", "Codex", "--json", folder=first.folder).json
    assert mcp_status(first.base, made["key"]) == 200

    manage("revoke_key", made["id"], folder=first.folder)

    assert mcp_status(first.base, made["key"]) == 401


def test_a_command_prints_links_to_the_port_that_is_served(first: Server) -> None:
    links = [
        manage(*command, "--json", folder=first.folder).json
        for command in (("sign_in_link", "owner"), ("password_link", "owner"), ("invite",))
    ]

    assert links[0]["sign_in"].startswith(f"{first.base}/sign-in/")
    assert links[1]["link"].startswith(f"{first.base}/account/")
    assert links[2]["link"].startswith(f"{first.base}/join/")
    other = manage("sign_in_link", "owner", "--json", folder=first.folder, CONDERIS_PORT="8123")
    assert other.json["sign_in"].startswith("http://localhost:8123/")


def test_hosts_are_let_in_by_one_setting_for_web_health_and_mcp_alike(first: Server) -> None:
    key = (first.folder / "quickstart-key").read_text().strip()

    def statuses(host: str) -> list[int | None]:
        return [
            fetch(f"{first.base}/", Host=host),
            fetch(f"{first.base}/healthz", Host=host),
            mcp_status(first.base, key, Host=host),
        ]

    assert statuses("memory.example.com") == [200, 200, 200]
    assert statuses("192.0.2.7:8000") == [200, 200, 200]
    assert statuses("evil.example.net") == [400, 400, 421]


def test_a_later_start_is_quick_and_prints_no_secret(folder: Path) -> None:
    with serving(folder):
        pass

    took: list[float] = []
    while len(took) < 3 and min(took, default=6) >= 6:
        with serving(folder) as server:
            assert server.base in server.out
            assert "manage.py quickstart" in server.out
            assert "cndr_" not in server.out
            assert "/sign-in/" not in server.out
            # Three seconds on a machine that does nothing else: there they are processor time.
            # A busy one has its chances.
            took.append(min(server.cpu_seconds * 2, server.seconds))

    assert min(took) < 6


def test_a_start_in_json_prints_one_object_alone(folder: Path) -> None:
    with serving(folder, "--json") as server:
        first = json.loads(server.out)
        assert first.keys() == {"address", "mcp", "key", "project", "sign_in"}
        assert mcp_status(server.base, first["key"]) == 200

    with serving(folder, "--json") as server:
        assert json.loads(server.out) == {"address": server.base, "mcp": f"{server.base}/mcp"}


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_good_order_and_the_last_uses_are_written(
    folder: Path, ending: signal.Signals
) -> None:
    with serving(folder, "--json") as server:
        assert mcp_status(server.base, json.loads(server.out)["key"]) == 200

        server.process.send_signal(ending)

        assert server.process.wait(timeout=180) == 0
        assert server.err == ""
    assert rows(
        folder, "SELECT count(*) FROM accounts_agentkey WHERE last_used_at IS NOT NULL"
    ) == [(1,)]


def test_several_workers_serve_one_port(folder: Path) -> None:
    with serving(folder, "--json", "--workers", "2") as server:
        key = json.loads(server.out)["key"]

        assert {mcp_status(server.base, key) for _ in range(20)} == {200}
        assert server.err == ""


def test_workers_end_when_the_process_that_started_them_is_killed(folder: Path) -> None:
    with serving(folder, "--json", "--workers", "2") as server:
        server.process.kill()
        server.process.wait(timeout=180)

        deadline = time.monotonic() + 180
        while time.monotonic() < deadline and listens(server.port):
            time.sleep(0.1)

        assert not listens(server.port)


def listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def test_two_first_starts_at_once_on_one_folder_both_come_up_with_one_account(
    folder: Path,
) -> None:
    ports = [free_port() for _ in range(3)]
    processes = [launch(folder, port, "--json") for port in ports]
    try:
        for process, port in zip(processes, ports, strict=True):
            wait_for_answer(process, port, folder)
        answers = [json.loads((folder.parent / f"out-{port}").read_text()) for port in ports]
    finally:
        for process in processes:
            process.terminate()
            process.wait(timeout=180)

    assert sum("key" in answer for answer in answers) == 1
    assert rows(folder, "SELECT handle FROM accounts_person") == [("owner",)]
    assert rows(folder, "SELECT count(*) FROM accounts_agentkey") == [(1,)]
    assert rows(folder, "PRAGMA integrity_check") == [("ok",)]


def test_many_processes_that_start_at_once_agree_on_one_secret(folder: Path) -> None:
    program = "import conderis.settings as s; print(s.SECRET_KEY)"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment(folder),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]

    secrets = {process.communicate(timeout=180)[0] for process in processes}

    assert len(secrets) == 1
    assert [path.name for path in folder.iterdir()] == ["secret-key"]


def test_the_host_of_the_public_address_is_always_let_in_and_all_addresses_use_it(
    folder: Path,
) -> None:
    with serving(folder, "--json", CONDERIS_URL="https://Memory.example.com/") as server:
        answer = json.loads(server.out)

        assert answer["address"] == "https://memory.example.com"
        assert answer["mcp"] == "https://memory.example.com/mcp"
        assert answer["sign_in"].startswith("https://memory.example.com/sign-in/")
        assert fetch(f"{server.base}/healthz", Host="memory.example.com") == 200


def test_the_log_of_a_server_holds_no_key_no_link_and_no_address(folder: Path) -> None:
    with serving(folder, "--json", CONDERIS_LOG_LEVEL="debug") as server:
        first = json.loads(server.out)
        email = "ada.canary@example.org"
        added = manage("add_person", "ada", "--email", email, "--json", folder=folder).json
        for key in (first["key"], first["key"][:-1], mint_key().text):
            mcp_status(server.base, key)
        for link in (first["sign_in"], added["sign_in"], f"{first['sign_in']}x"):
            fetch(link)
            fetch(link, method="POST", body=b"")
        secrets = [first["key"], *(made["sign_in"].rpartition("/")[2] for made in (first, added))]

        assert server.err != ""
        assert [one for one in [*secrets, "canary"] if one in server.err] == []


def test_pages_leave_no_connection_open(folder: Path) -> None:
    with serving(folder, "--json") as server:
        for number in range(40):
            fetch(server.base + "/", Cookie=f"conderis_session=made-up-{number}")

        opened = [
            path
            for path in Path(f"/proc/{server.process.pid}/fd").iterdir()
            if "conderis.sqlite3" in str(path.readlink())
        ]

    assert len(opened) < 20
