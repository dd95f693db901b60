"""Issues of beads as tasks."""

import json
from dataclasses import replace
from pathlib import Path
from typing import IO
from zipfile import BadZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.common.json import Json
from exchange.importers.beads import BEADS
from exchange.importers.registry import importer_for
from exchange.sources import source_of_path
from tests.exchange.importers.markdown import read, single, zipped

SAMPLE = Path(__file__).parents[1] / "samples" / "beads.jsonl"

pytestmark = pytest.mark.no_database


def issue(**members: Json) -> str:
    return json.dumps({"id": "sh-1", "title": "T", "status": "open", "priority": 2, **members})


def test_issues_become_tasks_with_parents_first_whatever_their_order() -> None:
    found = read(BEADS, source_of_path(SAMPLE))

    assert list(found.records) == ["sh-2", "sh-2.1", "sh-1", "sh-3", "sh-4", "memory:style"]
    assert found.records["sh-2.1"].parent == "sh-2"
    statuses = [record.fields.get("status") for record in found.records.values()]
    assert statuses == ["in_progress", "open", "blocked", "done", "open", None]
    priorities = [record.fields.get("priority") for record in found.records.values()]
    assert priorities == ["urgent", "high", "low", "normal", "normal", None]
    assert found.left_out == {"line 6": "It was deleted in the source."}


def test_a_file_of_issues_is_known_alone_and_as_a_list() -> None:
    assert importer_for(source_of_path(SAMPLE)) is BEADS
    assert importer_for(single("list.json", f"[{issue()}]")) is BEADS


def test_texts_comments_and_what_has_no_field_are_kept_in_the_content() -> None:
    found = read(BEADS, source_of_path(SAMPLE))

    assert found.content("sh-2") == (
        "All of \\#12\n\n## Design\n\nIn two passes.\n\n## Acceptance Criteria\n\n- [ ] done\n\n"
        "## Notes\n\nLater: \\#13\n\n## Details\n\n- ID: sh-2\n- Assignee: bob\n\n"
        "## Comments\n\n**cleo, 2026-01-04 05:06 UTC**\n\nBegun; half of it."
    )
    assert "- external_ref: gh-9" in found.content("sh-1")
    assert "abc" not in found.content("sh-1")
    assert "- Close reason: Done in PR \\#4" in found.content("sh-3")


def test_days_times_tags_and_names_arrive_as_they_are_meant() -> None:
    found = read(BEADS, source_of_path(SAMPLE))
    epic, child = found.records["sh-2"], found.records["sh-2.1"]

    assert epic.fields["due"] == "2026-12-31"  # the day of the source, in no other zone
    assert epic.fields["tags"] == ["io", "v2", "epic"]
    assert child.created is not None
    assert child.created.isoformat() == "2026-01-02T03:04:05.123456+00:00"
    assert child.credit.name == "ann"
    assert found.records["sh-1"].fields["blockedReason"]
    assert found.records["sh-4"].fields["tags"] == ["deferred"]


def test_dependencies_become_relations_and_those_to_nothing_are_named() -> None:
    found = read(BEADS, source_of_path(SAMPLE))

    assert found.links("sh-1") == [("blocks", "sh-2.1")]
    assert found.links("sh-2.1") == [("relates", "sh-3")]
    assert found.links("sh-4") == [("relates", "sh-3"), ("duplicates", "sh-2")]
    assert "sh-404" in found.records["sh-2.1"].warnings[0]
    assert "- Depends on: sh-404\n- Discovered from: sh-3" in found.content("sh-2.1")


def test_what_bd_remember_keeps_becomes_a_shared_memory() -> None:
    memory = read(BEADS, source_of_path(SAMPLE)).records["memory:style"]

    assert (memory.kind, memory.fields["visibility"]) == ("memory", "shared")
    assert memory.fields["content"] == "Short sentences."


def test_a_dotted_id_stands_under_its_stem_and_a_circle_is_broken() -> None:
    found = read(BEADS, single("issues.jsonl", "\n".join([
        issue(id="a-1.1"), issue(id="a-1"), issue(id="a-2", parent="a-3"),
        issue(id="a-3", parent="a-2"), issue(id="a-4", parent="a-404"),
        issue(id="a-5", parent="a-5"),
    ])))  # fmt: skip

    parents = {key: record.parent for key, record in found.records.items()}
    assert parents["a-1.1"] == "a-1"
    assert {parents["a-2"], parents["a-3"]} in ({"a-3", None}, {"a-2", None})
    assert (parents["a-4"], parents["a-5"]) == (None, None)
    assert found.records["a-4"].warnings == ("Its parent is not there; it stands at the top.",)
    assert "- Parent: a-404" in found.content("a-4")


def test_a_bad_line_is_named_and_stops_nothing() -> None:
    lines = [
        issue(), "{half", "[1]", '{"id": 5}', issue(), issue(id=None), issue(id="sh-2", title=" "),
        '{"_type": "skeleton"}', '{"_type": "memory"}', "<<<<<<< HEAD", issue(id="sh-3"),
        issue(id="sh-4")[:-5],
    ]  # fmt: skip
    found = read(BEADS, single("issues.jsonl", "\n\n".join(lines)))

    assert list(found.records) == ["sh-1", "sh-3"]
    assert list(found.left_out) == [f"line {2 * n + 1}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)]
    assert found.left_out["line 9"] == "Its id is that of line 1."


def test_a_list_of_issues_is_read_too_also_when_it_is_cut_off() -> None:
    whole = f"[{issue()}, {issue(id='sh-2')}]"
    assert list(read(BEADS, single("list.json", whole)).records) == ["sh-1", "sh-2"]

    cut_off = read(BEADS, single("list.json", whole[:-20]))
    assert list(cut_off.records) == ["sh-1"]
    assert list(cut_off.left_out) == ["entry 2"]


def test_a_damaged_file_is_named() -> None:
    source = single("issues.jsonl", issue())
    damaged = replace(source, files=(replace(source.files[0], _open=_raises),))

    assert list(read(BEADS, damaged).left_out) == ["issues.jsonl"]
    assert not BEADS.looks_like(damaged)


def _raises() -> IO[bytes]:
    raise BadZipFile


def test_members_of_wrong_types_are_left_aside_with_a_word() -> None:
    line = issue(description={"a": 1}, labels="x", comments=[5], dependencies={}, due_at=7,
                 priority="high", created_at=[], assignee=None, status=None)  # fmt: skip
    record = read(BEADS, single("issues.jsonl", line)).records["sh-1"]

    assert record.fields["status"] == "open"
    assert "- Priority: high" in str(record.fields["content"])
    for name in ("description", "labels", "comments", "dependencies", "due_at"):
        assert name in " ".join(record.warnings)


def test_the_file_is_found_in_the_folder_of_a_repository() -> None:
    files = {
        ".beads/issues.jsonl": issue(), ".beads/interactions.jsonl": "{}", "README.md": "# Hello",
    }  # fmt: skip
    source = zipped(files)

    assert importer_for(source) is BEADS
    found = read(BEADS, source)
    assert list(found.records) == ["sh-1"]
    assert found.words == {".beads/issues.jsonl": "2 other files of the source are not read."}


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "entity", "name": "A", "entityType": "x", "observations": []}',
        '[{"id": 1, "title": "T", "state": "open"}]',
        '{"tasks": [{"id": 1, "title": "T", "status": "pending"}]}',
        "", "{", "[", "text", '{"id": "a", "title": "T"}',
    ],
)  # fmt: skip
def test_other_files_are_not_taken_for_issues(line: str) -> None:
    assert not BEADS.looks_like(single("file.jsonl", line))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (st.lists(inner, max_size=3)
                   | st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip
_MEMBERS = [
    "id",
    "title",
    "description",
    "status",
    "priority",
    "issue_type",
    "labels",
    "created_at",
    "due_at",
    "parent",
    "comments",
    "dependencies",
    "assignee",
    "deleted_at",
    "_type",
    "key",
    "value",
    "extra",
]


@given(st.lists(st.dictionaries(st.sampled_from(_MEMBERS), _JSON, max_size=8), max_size=5))
def test_whatever_the_members_are_each_line_is_a_record_or_named(rows: list[Json]) -> None:
    found = read(BEADS, single("issues.jsonl", "\n".join(map(json.dumps, rows))))

    assert len(found.records) + len(found.left_out) == len(rows)
