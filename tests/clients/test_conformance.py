"""The protocol's own conformance suite against the real server, in both eras.

Its baselines list what a server of tools alone cannot have. An entry whose check passes
makes the suite fail, as does a check that fails without one.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clients.node_clients import MODULES, node, node_environment
from tests.operations.processes import fetch
from tests.ports import free_port
from tests.running import ROOT, Running

# The wire is the same on every database.
pytestmark = [pytest.mark.slow, pytest.mark.no_database]

SUITE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
BASELINES = Path(__file__).parent / "conformance"
START_SECONDS = 60
ENTRY = re.compile(r"  - [\w.-]+:[\w.-]+ # \w.+")


@pytest.fixture(scope="module")
def url(server: Running, key: str) -> Iterator[str]:
    """The endpoint beside the server, which needs no header."""
    with keyed_server(server, key) as address:
        yield address


@contextmanager
def keyed_server(server: Running, key: str) -> Iterator[str]:
    port = free_port()
    log = server.folder / "keyed.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "tests.clients.keyed:application",
             "--port", str(port), "--log-level", "warning"],
            cwd=ROOT,
            env=server.environment | {"TEST_KEY": key},
            stdout=out,
            stderr=out,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + START_SECONDS
        while fetch(f"http://localhost:{port}/healthz") != 200:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield f"http://localhost:{port}/mcp"
    finally:
        process.terminate()
        process.wait(30)


def run_suite(url: str, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [node(), str(SUITE), "server", "--url", url, "-o", str(out), *options],
        env=node_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_server_does_all_that_a_revision_asks_but_what_the_baseline_names(
    url: str, revision: str, tmp_path: Path
) -> None:
    baseline = str(BASELINES / f"{revision}.yml")

    done = run_suite(url, tmp_path, "--requirements", revision, "--expected-failures", baseline)

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


def test_the_server_compares_headers_with_the_body_as_the_suite_asks(
    url: str, tmp_path: Path
) -> None:
    done = run_suite(url, tmp_path, "--scenario", "http-header-validation")

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


@pytest.mark.parametrize("baseline", sorted(BASELINES.glob("*.yml")), ids=lambda path: path.stem)
def test_every_entry_of_a_baseline_is_one_check_with_its_reason(baseline: Path) -> None:
    lines = baseline.read_text().splitlines()
    entries = [line for line in lines if not line.startswith("#")]

    assert entries[0] == "server:"
    assert [line for line in entries[1:] if not ENTRY.fullmatch(line)] == []
