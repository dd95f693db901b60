"""An import that is killed in its midst is run again: nothing is lost and nothing doubled."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT
from tests.running import Running, running

pytestmark = pytest.mark.slow

MANY = 2_500


def graph(path: Path) -> Path:
    """A file of the reference memory server: entities, each related to the one before."""
    entities = [
        {"type": "entity", "name": f"E{at}", "entityType": "thing", "observations": [f"O {at}"]}
        for at in range(MANY)
    ]
    relations = [
        {"type": "relation", "from": f"E{at}", "to": f"E{at - 1}", "relationType": "follows"}
        for at in range(1, MANY)
    ]
    path.write_text("\n".join(json.dumps(row) for row in entities + relations))
    return path


def begin(server: Running, *words: str) -> "subprocess.Popen[str]":
    line = [sys.executable, str(ROOT / "manage.py"), "import_items", *words]
    return subprocess.Popen(
        line, env=server.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def exported(server: Running, project: str, path: Path) -> list[dict[str, Any]]:
    server.command("export_project", "--project", project, "--as", "owner", "--out", str(path))
    return [json.loads(line) for line in path.read_text().splitlines()]


def titled(row: dict[str, Any]) -> str:
    return str(row["fields"].get("title", ""))


def test_an_import_that_is_killed_goes_on_and_its_histories_are_whole(tmp_path: Path) -> None:
    source = graph(tmp_path / "memory.jsonl")
    with running() as server:
        project = server.command("quickstart")["project"]
        before = len(exported(server, project, tmp_path / "before.jsonl"))
        words = (str(source), "--project", project, "--as", "owner")
        killed = begin(server, *words)
        assert killed.stderr is not None
        killed.stderr.readline()  # says that the first 1,000 are worked through
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate(timeout=60)
        broken_off = exported(server, project, tmp_path / "broken.jsonl")

        again = server.command("import_items", *words)
        third = server.command("import_items", *words)
        rows = exported(server, project, tmp_path / "after.jsonl")

    items = [row for row in rows if row["type"] == "item" and titled(row).startswith("E")]
    events = Counter(row["item"] for row in rows if row["type"] == "event")
    assert 1_000 <= len(broken_off) - before < MANY * 2
    assert again["known"] >= 1_000
    assert again["known"] + sum(again["made"].values()) == MANY
    assert (third["known"], third["made"]) == (MANY, {})
    assert len(items) == len(set(map(titled, items))) == MANY
    assert {events[row["id"]] for row in items} == {1}
    assert sum(len(row.get("relations", ())) for row in items) >= MANY - 1


def test_two_imports_of_one_file_at_once_double_nothing(tmp_path: Path) -> None:
    source = graph(tmp_path / "memory.jsonl")
    with running() as server:
        project = server.command("quickstart")["project"]
        words = (str(source), "--project", project, "--as", "owner", "--json")
        both = [begin(server, *words) for _ in range(2)]
        told = [each.communicate(timeout=240) for each in both]
        reports = [json.loads(out) for out, _said in told]

    assert [each.returncode for each in both] == [0, 0], told
    made = [sum(report["made"].values()) for report in reports]
    assert sum(made) == MANY
    assert [many + report["known"] for many, report in zip(made, reports, strict=True)] == [
        MANY,
        MANY,
    ]
