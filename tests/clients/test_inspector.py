"""The inspector's command line, which also judges the schemas of the tools."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mcp_surface.tools import listed_tools
from tests.clients.node_clients import MODULES, node, node_environment
from tests.running import Running

# The wire is the same on every database.
pytestmark = [pytest.mark.slow, pytest.mark.no_database]

INSPECTOR = MODULES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def inspect(server: Running, key: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    header = f"Authorization: Bearer {key}"
    return subprocess.run(
        [node(), str(INSPECTOR), "--cli", server.url, "--transport", "http", "--header", header,
         *words],
        env=node_environment() | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )  # fmt: skip


def answer_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_inspector_finds_nothing_in_the_schemas_of_the_tools(
    server: Running, key: str, tmp_path: Path
) -> None:
    done = inspect(server, key, tmp_path, "--method", "tools/list", "--strict")

    listed = [tool["name"] for tool in answer_of(done)["tools"]]
    assert listed == [tool["name"] for tool in listed_tools()]
    assert done.stderr == ""


def test_the_inspector_stores_a_task_and_shows_a_refusal(
    server: Running, project: str, key: str, tmp_path: Path
) -> None:
    call = ("--method", "tools/call", "--tool-name")
    kind = ("--tool-arg", "kind=task")
    where = ("--tool-arg", f"projectId={project}")

    stored = inspect(
        server, key, tmp_path, *call, "item_store", *kind, *where,
        "--tool-arg", 'fields={"title": "Inspected"}',
    )  # fmt: skip
    listed = inspect(server, key, tmp_path, *call, "item_list", *kind, *where)
    refused = inspect(server, key, tmp_path, *call, "item_store", *kind, *where,
                      "--tool-arg", 'fields={"name": "x"}')  # fmt: skip

    assert "published" in answer_of(stored)["content"][0]["text"]
    assert "Inspected" in answer_of(listed)["content"][0]["text"]
    assert "allowed" in refused.stdout


def test_the_inspector_with_a_wrong_key_says_so_and_fails(server: Running, tmp_path: Path) -> None:
    done = inspect(server, "cndr_wrong", tmp_path, "--method", "tools/list", "--stored-auth-only")

    assert done.returncode != 0
    assert "auth_required" in done.stderr
