"""A file goes into a project, out of it, and into another one, over REST on a real server."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.running import Running, running

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[1] / "exchange" / "samples"
WAIT_SECONDS = 120
LIMIT_MB = 5


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


@dataclass(frozen=True, slots=True)
class Script:
    """A program that calls the server with a key."""

    address: str
    key: str

    def call(self, method: str, path: str, **sent: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.key}", **sent.pop("headers", {})}
        return requests.request(
            method, f"{self.address}{path}", headers=headers, timeout=60, **sent
        )

    def made(self, name: str) -> str:
        """The path of a new project."""
        answer = self.call("POST", "/api/v1/projects", json={"fields": {"name": name}})
        assert answer.status_code == 201
        return f"/api/v1/projects/{answer.json()['name']}"

    def imported(self, project: str, name: str, content: bytes) -> Any:
        """What came of a file that was sent, checked and started."""
        begun = self.call("POST", f"{project}/imports", files={"file": (name, content)})
        assert begun.status_code == 202, begun.text
        place = begun.headers["Location"]
        assert self.ended(place)["state"] == "checked"
        assert self.call("POST", f"{place}/start").status_code == 200
        return self.ended(place)

    def ended(self, place: str) -> Any:
        """The import, once the server no longer works on it."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            found = self.call("GET", place).json()
            if found["state"] not in {"checking", "running"}:
                return found
            time.sleep(0.1)
        raise AssertionError(found)

    def exported(self, project: str, form: str = "jsonl") -> bytes:
        answer = self.call("GET", f"{project}/export?format={form}")
        assert answer.status_code == 200
        return answer.content


def titles(exported: bytes) -> dict[int, str]:
    """The title of each item in an export by its number."""
    rows = [json.loads(line) for line in exported.splitlines()]
    assert rows[-1]["type"] == "end"
    return {row["number"]: row["fields"]["title"] for row in rows
            if row["type"] == "item" and "title" in row.get("fields", {})}  # fmt: skip


@pytest.fixture
def script(server: Running) -> Script:
    return Script(f"http://localhost:{server.port}", server.command("quickstart")["key"])


@pytest.mark.parametrize("sample", ["trello.json", "beads.jsonl"])
def test_a_file_goes_in_once_out_and_in_elsewhere(script: Script, sample: str) -> None:
    name = sample.partition(".")[0]
    project, empty = script.made(name), script.made(f"{name}-again")
    content = (SAMPLES / sample).read_bytes()

    first = script.imported(project, sample, content)
    out = script.exported(project)
    again = script.imported(project, sample, content)

    made = sum(first["report"]["made"].values())
    assert (first["state"], again["state"]) == ("done", "done")
    assert made > 1
    assert (again["report"]["made"], again["report"]["known"]) == ({}, made)
    assert titles(script.exported(project)) == titles(out)
    assert len(titles(out)) == made

    moved = script.imported(empty, "export.jsonl", out)
    assert (moved["importer"], moved["state"]) == ("conderis", "done")
    assert titles(script.exported(empty)) == titles(out)
    assert script.exported(project, "markdown").startswith(b"PK")


def test_a_file_that_is_sent_in_chunks_and_too_large_is_413() -> None:
    with running(CONDERIS_IMPORT_MAX_MB=str(LIMIT_MB)) as server:
        script = Script(f"http://localhost:{server.port}", server.command("quickstart")["key"])
        project = script.made("chunks")
        answers = [
            script.call(
                "POST", f"{project}/imports?name=a.jsonl",
                data=iter([b" " * 1024 * 1024] * megabytes),
                headers={"Content-Type": "application/octet-stream"},
            )
            for megabytes in (LIMIT_MB, LIMIT_MB + 2)
        ]  # fmt: skip

    assert [each.status_code for each in answers] == [400, 413]
    assert answers[0].json()["field"] == "file"  # of no format that is known
    assert answers[1].headers["Content-Type"] == "application/problem+json"
