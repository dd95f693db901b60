"""Tasks, documents and decisions of Backlog.md."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.importers.backlog_md import BACKLOG_MD
from exchange.importers.registry import importer_for
from tests.exchange.importers.markdown import handed, read, single, zipped

pytestmark = pytest.mark.no_database


def task(number: str, *lines: str, body: str = "") -> str:
    head = "\n".join([f"id: {number}", f"title: Task {number}", *lines])
    return f"---\n{head}\n---\n\n{body}"


def test_real_tasks_arrive_with_their_fields() -> None:
    found = read(BACKLOG_MD, handed("backlog-md"))

    assert found.left_out == {}
    assert sorted(found.records) == ["back-222.1", "back-239", "back-355", "back-401"]
    feature = found.records["back-239"]
    assert feature.fields["title"] == "Feature: Auto-link tasks to documents/decisions + backlinks"
    assert feature.fields["tags"] == ["web", "enhancement", "docs"]
    assert (feature.fields["status"], feature.fields["priority"]) == ("open", "normal")
    assert feature.created == datetime(2025, 8, 17, 16, 54, tzinfo=UTC)
    assert "(from issue \\#271)" in found.content("back-239")
    assert "- [ ] \\#1 Web: task detail" in found.content("back-239")
    assert "- ID: BACK-239\n- Assignee: @codex" in found.content("back-239")


def test_a_parent_that_is_not_in_the_folder_is_named() -> None:
    found = read(BACKLOG_MD, handed("backlog-md"))

    assert found.records["back-222.1"].parent is None
    assert found.records["back-222.1"].warnings == (
        "Its parent is not there; it stands at the top.",
    )
    assert "- Parent: BACK-222" in found.content("back-222.1")


def test_the_marks_of_sections_go_and_the_sections_stay() -> None:
    found = read(BACKLOG_MD, handed("backlog-md"))

    for key in found.records:
        assert "<!--" not in found.content(key)
    for heading in ("Description", "Acceptance Criteria", "Implementation Plan", "Final Summary"):
        assert f"## {heading}" in found.content("back-355")


def test_parents_by_field_or_dots_and_dependencies_however_ids_are_written() -> None:
    found = read(BACKLOG_MD, zipped({
        "backlog/tasks/task-10.1 - Dotted.md": task("task-10.1"),
        "backlog/tasks/task-2 - Named.md": task(
            "TASK-002", "parent_task_id: 10", "dependencies: [task-10.1, '3', TASK-404]"
        ),
        "backlog/tasks/task-10 - Top.md": task("task-10"),
        "backlog/tasks/task-3 - Before.md": task("task-3", "status: Blocked"),
    }))  # fmt: skip

    assert list(found.records) == ["task-3", "task-10", "task-2", "task-10.1"]
    assert found.records["task-10.1"].parent == "task-10"
    assert found.records["task-2"].parent == "task-10"
    assert found.links("task-3") == [("blocks", "task-2")]
    assert found.links("task-10.1") == [("blocks", "task-2")]
    assert found.records["task-2"].warnings == ("What it depends on is not there: task-404.",)
    assert found.records["task-3"].fields["blockedReason"]


def test_the_folder_says_whether_a_task_is_a_draft_done_or_archived() -> None:
    found = read(BACKLOG_MD, zipped({
        "backlog/drafts/draft-1 - D.md": task("draft-1", "status: Draft"),
        "backlog/completed/task-2 - C.md": task("task-2", "status: To Do"),
        "backlog/archive/tasks/task-3 - A.md": task("task-3", "status: To Do"),
        "backlog/archive/tasks/task-4 - A.md": task("task-4", "status: Done"),
        "backlog/tasks/task-5 - W.md": task("task-5", "status: In Progress"),
        "backlog/tasks/task-6 - W.md": task("task-6", "status: ◒ Shipping"),
    }))  # fmt: skip

    states = {key: (record.fields["status"], record.fields.get("tags"))
              for key, record in found.records.items()}  # fmt: skip
    assert states == {
        "draft-1": ("open", ["draft"]), "task-2": ("done", None),
        "task-3": ("canceled", ["archived"]), "task-4": ("done", ["archived"]),
        "task-5": ("in_progress", None), "task-6": ("open", None),
    }  # fmt: skip
    assert "- Status: ◒ Shipping" in found.content("task-6")


def test_documents_decisions_and_milestones_become_pages() -> None:
    found = read(BACKLOG_MD, zipped({
        "repo/backlog/tasks/task-1 - T.md": task("task-1", "status: Done"),
        "repo/backlog/docs/doc-1 - Setup.md": "---\nid: doc-1\ntitle: Setup\n---\nHow",
        "repo/backlog/docs/sub/doc-2 - More.md": "---\nid: doc-2\ntitle: More\n---\n",
        "repo/backlog/decisions/decision-1 - Use-SQLite.md":
            "---\nid: decision-1\ntitle: Use SQLite\ndate: 2026-01-02\nstatus: accepted\n---\nWhy",
        "repo/backlog/config.yml": "project_name: x",
        "repo/backlog/tasks/notes.txt": "x",
        "repo/README.md": "# Repo",
    }, "repo.tar"))  # fmt: skip

    assert [(record.kind, record.parent) for record in found.records.values()] == [
        ("task", None), ("page", None), ("page", "decisions/"), ("page", None),
        ("page", "documents/"), ("page", "documents/"),
    ]  # fmt: skip
    decision = found.records["decisions/decision-1 - Use-SQLite.md"]
    assert decision.fields["content"] == "Why\n\n## Details\n\n- id: decision-1\n- status: accepted"
    assert list(found.left_out) == ["repo/backlog/tasks/notes.txt"]
    assert set(found.words) == {"repo/backlog/config.yml", "repo/backlog/"}


def test_of_two_tasks_with_one_id_the_second_is_named() -> None:
    found = read(BACKLOG_MD, zipped({
        "backlog/completed/task-1 - Old.md": task("task-1"),
        "backlog/tasks/task-1 - New.md": task("task-1"),
        "backlog/tasks/task-2 - Other.md": task("task-2"),
    }))  # fmt: skip

    assert [record.place for record in found.records.values()] == [
        "tasks/task-1 - New.md", "tasks/task-2 - Other.md",
    ]  # fmt: skip
    assert found.left_out == {
        "completed/task-1 - Old.md": "Its id is that of tasks/task-1 - New.md."
    }


def test_the_day_that_a_task_is_due_is_not_shifted() -> None:
    text = task("task-1", "due_date: '2026-12-31 23:30'", "status: To Do")
    record = read(BACKLOG_MD, single("task-1 - T.md", text)).records["task-1"]

    assert record.fields["due"] == "2026-12-31"


def test_a_task_without_front_matter_is_named_by_its_file() -> None:
    record = read(BACKLOG_MD, single("task-7 - Fix-the-door.md", "text")).records["task-7"]

    assert record.fields["title"] == "Fix the door"


def test_parents_in_a_circle_come_to_the_top() -> None:
    found = read(BACKLOG_MD, zipped({
        "task-1 - A.md": task("task-1", "parent_task_id: task-2"),
        "task-2 - B.md": task("task-2", "parent_task_id: task-1"),
    }))  # fmt: skip

    assert min(record.parent or "" for record in found.records.values()) == ""
    assert len(found.records) == 2


def test_a_folder_of_tasks_is_known_and_a_vault_is_not_taken_for_one() -> None:
    assert importer_for(single("task-1 - T.md", task("task-1", "status: Done"))) is BACKLOG_MD
    assert not BACKLOG_MD.looks_like(zipped({"task-1 - T.md": "# T", "tasks/x.md": "status: x"}))


_LINES = st.lists(
    st.builds(
        "{}: {}".format,
        st.sampled_from(["id", "title", "status", "labels", "dependencies", "parent_task_id",
                         "priority", "due_date"]),
        st.text(alphabet=st.sampled_from("task-12.[]{},:'\" \t&*é\x00#")),
    ),
    max_size=5,
)  # fmt: skip


@given(_LINES, _LINES)
def test_whatever_the_front_matter_holds_no_file_is_lost(one: list[str], two: list[str]) -> None:
    texts = {f"task-{n} - T.md": "---\n" + "\n".join(lines) + "\n---\n"
             for n, lines in enumerate((one, two))}  # fmt: skip
    found = read(BACKLOG_MD, zipped(texts))

    assert len(found.records) + len(found.left_out) == 2
