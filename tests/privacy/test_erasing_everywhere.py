"""A marker stored in every place that can hold text is erased from every file of the server."""

import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest
from mcp.shared.exceptions import MCPError

from tests.privacy.marking import FOREIGN, MARK, STEM, TEXT
from tests.privacy.raw_files import Cluster, files_with
from tests.running import ROOT, Running, call, running

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]
TEXTS = (STEM, FOREIGN)
KEPT_FOR_THE_INDEX = {"items_search_data.block", "items_search_idx.term"}


def step(server: Running, name: str) -> Any:
    """Run a step of `tests.privacy.marking` beside the server."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.privacy.marking", name],
        env=server.environment, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def over_mcp(server: Running, key: str) -> None:
    """Send the marker in calls that succeed and in calls that are refused."""
    async with server.client(key) as client:
        place = {"projectId": "alice/shop"}
        for arguments in (
            {"kind": "page", "fields": {"title": f"{MARK} by MCP", "content": TEXT}},
            {"number": 1, "version": 1, "fields": {"content": TEXT}},
            {"kind": MARK, "fields": {"title": TEXT}},
        ):
            await call(client, "item_store", **place, **arguments)
        await call(client, "item_list", **place, kind="page", query=MARK)
        await client.call_tool("recall", {**place, "focus": TEXT})
        with pytest.raises(MCPError):
            await client.call_tool(MARK, {})


def connect(server: Running) -> Any:
    """A connection to the server's database, in a transaction of its own once it reads."""
    if server.database:
        connection = psycopg.connect(server.database)
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return connection
    return sqlite3.connect(server.folder / "conderis.sqlite3", isolation_level=None)


@contextmanager
def reading_all_the_time(server: Running) -> Iterator[list[int]]:
    """Somebody who reads in short transactions for as long as the block runs; each count."""
    over, counts = threading.Event(), list[int]()

    def read() -> None:
        with closing(connect(server)) as connection:
            while not over.wait(0.02):
                rows = connection.execute("SELECT COUNT(*) FROM items_itemevent").fetchone()
                counts.append(int(rows[0]))
                connection.commit()

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield counts
    finally:
        over.set()
        thread.join(30)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A server that tells its log all it can."""
    with running(CONDERIS_LOG_LEVEL="debug") as made:
        yield made


@pytest.fixture(scope="module")
def cluster(server: Running) -> Cluster | None:
    return Cluster(server) if server.database else None


def places_on_disk(server: Running, cluster: Cluster | None) -> list[Path]:
    if cluster is None:
        return [server.folder]
    cluster.write_out()
    return [server.folder, *cluster.tables, *cluster.logs]


@pytest.fixture(scope="module")
def story(server: Running, cluster: Cluster | None) -> dict[str, Any]:
    """What there was before, while a reader keeps the clearing waiting, and at the end."""
    key = server.key_for("alice")
    told: dict[str, Any] = {"stored": step(server, "store")}
    anyio.run(over_mcp, server, key)
    told["places before"] = step(server, "places")
    told["files before"] = files_with(TEXTS, places_on_disk(server, cluster))
    with closing(connect(server)) as reader:
        reader.execute("BEGIN") if not server.database else None
        reader.execute("SELECT COUNT(*) FROM items_item").fetchone()
        told["states with a reader"] = step(server, "erase_all")
        told["places with a reader"] = step(server, "places")
        told["files with a reader"] = files_with(TEXTS, places_on_disk(server, cluster))
        reader.rollback() if server.database else reader.execute("ROLLBACK")
    with reading_all_the_time(server) as counts:
        step(server, "finish_as_large")
    told["read meanwhile"] = len(counts)
    told["states"] = step(server, "states")
    told["places"] = step(server, "places")
    told["files"] = files_with(TEXTS, places_on_disk(server, cluster))
    return told


def test_the_marker_was_in_every_column_that_holds_content(story: dict[str, Any]) -> None:
    before = set(story["places before"])

    assert {
        "items_item.title", "items_item.summary", "items_item.content", "items_item.tags",
        "items_item.verified_against", "items_item.blocked_reason", "items_item.commits",
        "items_itemevent.reason", "items_itemevent.state", "items_itemtag.tag",
        "proposals_proposal.title", "proposals_proposal.reason", "proposals_proposal.fields",
        "proposals_proposal.decision_reason", "privacy_deletionrequest.reason",
        "privacy_deletionrequest.decision_reason",
    } <= before  # fmt: skip
    assert any(place.startswith("items_search") for place in before)
    assert story["files before"]


def test_while_somebody_reads_an_older_state_the_tables_are_empty_and_the_files_are_not(
    story: dict[str, Any],
) -> None:
    assert set(story["states with a reader"]) == {"erasing", "refused"}
    assert set(story["places with a reader"]) <= KEPT_FOR_THE_INDEX
    assert story["files with a reader"], "the search for the marker finds nothing at all"


def test_finishing_again_finds_nothing_left(server: Running, story: dict[str, Any]) -> None:
    assert server.command("finish_erasures") == {"finished": 0, "left": 0}


def test_afterwards_no_column_and_no_file_holds_it(story: dict[str, Any]) -> None:
    assert set(story["states"]) == {"erased", "refused"}
    assert story["states"]["refused"] == 1
    assert story["read meanwhile"] > 0
    assert story["places"] == []
    assert story["files"] == set()


def test_the_servers_own_log_never_held_it(server: Running, story: dict[str, Any]) -> None:
    log = server.folder / "server.log"

    assert log.stat().st_size > 0
    assert files_with(TEXTS, [log]) == set()
    assert str(log) not in story["files before"] | story["files with a reader"]


def test_the_log_of_postgresql_never_held_it_and_its_write_ahead_log_is_cleared_as_documented(
    cluster: Cluster | None, story: dict[str, Any]
) -> None:
    if cluster is None:
        pytest.skip("SQLite has none")
    before = files_with(TEXTS, cluster.write_ahead_log)
    try:
        cluster.as_documented()
        after = files_with(TEXTS, cluster.write_ahead_log)
    finally:
        cluster.reset()

    assert story["files"] == set()
    assert files_with(TEXTS, cluster.logs) == set()
    assert before
    assert after == set()


def test_the_journal_of_erasures_has_ids_alone(server: Running, story: dict[str, Any]) -> None:
    lines = (server.folder / "erasures.jsonl").read_text().splitlines()

    causes = {json.loads(line)["cause"] for line in lines}  # proposals go along with one
    assert 0 < len(causes) <= story["states"]["erased"]
    assert (server.folder / "erasures.jsonl").stat().st_mode & 0o077 == 0
    assert {key for line in lines for key in json.loads(line)} <= {
        "cause", "what", "target", "version", "at", "by",
    }  # fmt: skip
