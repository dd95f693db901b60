"""task-master's tasks.json (IMP-8): contexts stay apart, order and dependencies are kept."""

from pathlib import Path
from typing import Any

import pytest

from conderis.common.errors import Invalid
from exchange.importers.base import Options
from exchange.importers.task_master import TASK_MASTER
from exchange.records import Link
from exchange.sources import source_of_path
from tests.exchange.importers.finding import (
    SAMPLES,
    Finds,
    found_in,
    json_file,
    shared_file,
    with_shared,
)


def task(number: Any, **members: Any) -> dict[str, Any]:
    return {"id": number, "title": f"Task {number}", "status": "pending", **members}


def tasks(*found: Any) -> Finds:
    return found_in(TASK_MASTER, json_file({"tasks": list(found)}, "tasks.json"))


def links(found: Finds) -> set[tuple[str, str]]:
    return {(key, link.key) for key, each in found.records.items() for link in each.links}


@with_shared
def test_both_contexts_come_with_their_own_tasks_and_dependencies() -> None:
    source = shared_file("task-master-tasks.json")
    found = found_in(TASK_MASTER, source)

    assert TASK_MASTER.parts(source) == ["test-tag", "tm-start"]
    assert found.order == ["test-tag:1", "tm-start:1", "tm-start:3", "tm-start:4", "tm-start:7",
                           "tm-start:2", "tm-start:8"]  # fmt: skip
    assert links(found) == {
        ("tm-start:1", "tm-start:3"), ("tm-start:3", "tm-start:4"), ("tm-start:3", "tm-start:7"),
        ("tm-start:4", "tm-start:7"), ("tm-start:7", "tm-start:2"),
    }  # fmt: skip
    assert list(found.records["test-tag:1"].warnings) == [
        "It depends on task 16, which is not imported."
    ]
    assert {tuple(each.fields["tags"]) for each in found.records.values()} == {
        ("test-tag",), ("tm-start",),
    }  # fmt: skip


@with_shared
def test_one_context_can_be_chosen() -> None:
    found = found_in(TASK_MASTER, shared_file("task-master-tasks.json"), only=("test-tag",))

    assert found.order == ["test-tag:1"]


def test_a_context_that_is_not_there_is_refused_with_those_that_are() -> None:
    source = source_of_path(SAMPLES / "tasks.json")

    with pytest.raises(Invalid) as refusal:
        list(TASK_MASTER.read(source, Options(("none",))))

    assert refusal.value.details["allowed"] == ["master", "later"]


def test_the_sample_comes_with_subtasks_sections_and_dependencies_of_every_form() -> None:
    found = found_in(TASK_MASTER, source_of_path(SAMPLES / "tasks.json"))

    assert found.order == [
        "master:1",
        "master:1.1",
        "master:1.2",
        "master:2",
        "master:3",
        "later:1",
    ]
    assert found.content("master:1") == (
        "The ground\n\n## Implementation\n\nUse \\#2\n\n## Test strategy\n\nRun it"
    )
    assert found.records["master:1.2"].parent == "master:1"
    assert links(found) == {
        ("master:1.1", "master:1.2"), ("master:1", "master:2"), ("master:1.2", "master:2"),
        ("master:2", "master:3"),
    }  # fmt: skip
    assert [found.records[key].fields["status"] for key in found.order] == [
        "done", "done", "open", "in_progress", "blocked", "open",
    ]  # fmt: skip
    assert found.records["master:3"].fields["blockedReason"]
    assert [found.records[key].fields["priority"] for key in ("master:1", "later:1")] == [
        "high", "urgent",
    ]  # fmt: skip
    assert "- Status: deferred" in found.content("later:1")
    assert list(found.records["master:2"].warnings) == [
        "It depends on task 9, which is not imported."
    ]


def test_the_old_layout_has_the_keys_that_task_master_gives_it_later() -> None:
    old = tasks(task(1), task("2", dependencies=[1]))
    new = found_in(TASK_MASTER, json_file({"master": {"tasks": [task(1), task(2)]}}, "tasks.json"))

    assert old.order == new.order == ["master:1", "master:2"]
    assert "tags" not in old.records["master:1"].fields
    assert old.records["master:1"].links == (Link("blocks", "master:2"),)


def test_a_subtask_depends_on_its_sibling_before_the_task_of_that_number() -> None:
    found = tasks(
        task(1), task(2),
        task(3, subtasks=[task(1), task(2, dependencies=[1, "2", "3.1", 3]), task("3.7")]),
    )  # fmt: skip

    assert links(found) == {("master:3.1", "master:3.2"), ("master:3", "master:3.2")}
    assert list(found.records["master:3.2"].warnings) == ["It depends on itself; this is not kept."]
    assert found.records["master:3.7"].parent == "master:3"


def test_entries_that_are_no_tasks_are_named_and_the_others_come() -> None:
    deep: dict[str, Any] = task(1)
    for _level in range(7):
        deep = task(1, subtasks=[deep])
    odd = task(4, dependencies={"a": 1}, subtasks="none", status=["x"], details=7)
    found = tasks(task(9), None, [], {"id": 2}, task(9), task(None), {**deep, "id": 3}, odd)

    assert found.order == ["master:9", "master:3", "master:3.1", "master:3.1.1", "master:3.1.1.1",
                           "master:3.1.1.1.1", "master:4"]  # fmt: skip
    assert len(found.left_out) == 6
    assert found.records["master:4"].fields["status"] == "open"
    assert list(found.records["master:4"].warnings) == [
        "Not kept, for they are not of the expected type: subtasks, dependencies, status."
    ]


def test_the_file_is_found_in_the_folder_of_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / ".taskmaster" / "tasks"
    folder.mkdir(parents=True)
    (folder / "tasks.json").write_bytes((SAMPLES / "tasks.json").read_bytes())
    (tmp_path / "README.md").write_text("# Other")

    assert len(found_in(TASK_MASTER, source_of_path(tmp_path)).order) == 6
