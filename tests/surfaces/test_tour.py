"""The example session of the docs, with the SDK's client against a real server."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.running import ROOT, Running, running

pytestmark = pytest.mark.slow

SMALL = ROOT / "docs" / "examples" / "files"
# Notes and tasks of other tools, where they are at hand; they are not ours to ship.
LARGE = ROOT.parent / "shared" / "cases" / "files"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(ROOT / "docs" / "examples" / "tour.py"), str(folder), *options]
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=180)


def tour(server: Running, folder: Path, mode: str) -> str:
    key = server.command("quickstart")["key"]
    done = run(folder, "--url", server.url, "--key", key, "--mode", mode)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_tour_stores_works_and_recalls_without_a_refused_call(
    server: Running, mode: str
) -> None:
    said = tour(server, SMALL, mode)

    assert "Stored 3 notes: 1 memory, 2 pages." in said
    assert "Stored 3 tasks." in said
    assert "its dependency 9 is not in the file" in said
    assert ", 0 refused." in said


def refused(folder: Path, *options: str) -> str:
    """The one line that it ends with, without having done anything."""
    done = run(folder, *options)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


def test_a_refused_key_is_one_line_that_does_not_repeat_it(server: Running) -> None:
    assert "refuses the key" in refused(SMALL, "--url", server.url, "--key", "cndr_nothing")
    assert "cndr_nothing" not in refused(SMALL, "--url", server.url, "--key", "cndr_nothing")


def test_an_address_without_a_server_is_one_line(server: Running) -> None:
    nobody = f"http://localhost:{free_port()}/mcp"

    assert "make run" in refused(SMALL, "--url", nobody, "--key", "cndr_nothing")
    assert "make run" in refused(SMALL, "--url", "nonsense", "--key", "cndr_nothing")
    assert "/mcp" in refused(SMALL, "--url", server.url + "x", "--key", "cndr_nothing")


def test_missing_notes_or_tasks_are_one_line_that_names_them(
    server: Running, tmp_path: Path
) -> None:
    options = ("--url", server.url, "--key", "cndr_nothing")
    assert "basic-memory-notes is missing" in refused(tmp_path / "nowhere", *options)

    (tmp_path / "basic-memory-notes").mkdir()
    assert "task-master-tasks.json is missing" in refused(tmp_path, *options)

    (tmp_path / "task-master-tasks.json").write_text("no JSON")
    assert "cannot be read" in refused(tmp_path, *options)


@pytest.mark.skipif(not LARGE.exists(), reason="the notes of other tools are not here")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_tour_takes_real_notes_and_tasks_of_other_tools(server: Running, mode: str) -> None:
    said = tour(server, LARGE, mode)

    assert "Stored 25 notes: 20 memories, 5 pages." in said
    assert "Stored 7 tasks." in said
    assert "its dependency 16 is not in the file" in said
    assert re.search(r"^Search task for command: [1-9]", said, re.MULTILINE)
    assert ", 0 refused." in said
