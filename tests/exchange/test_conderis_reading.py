"""Reading exports back: both formats give the same records; what is damaged is named."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Invalid
from exchange.importers import json_lines
from exchange.importers.conderis import CONDERIS, CONDERIS_MARKDOWN
from exchange.importers.registry import importer_for
from exchange.records import Credit, Link, Record
from exchange.sources import source_of_bytes
from projects.models import Project
from tests.exchange.exports import (
    Line,
    archive_of,
    exported,
    files_of,
    found_in,
    history,
    lines_of,
    numbered,
    odd_project,
    of_type,
    problems_of,
    records_of,
    rich_project,
    tombstones_of,
    zipped,
)
from tests.factories import person_caller
from tests.items.calls import change, create
from tests.privacy.deletions import ask, erased


@pytest.fixture
def whole(project: Project, alice: Person, bob: Person, carol: Person) -> bytes:
    rich_project(project, alice, bob, carol)
    return exported(person_caller(alice), project)


def joined(lines: list[Line]) -> bytes:
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def by_number(content: bytes, number: int) -> Record:
    (found,) = [each for each in records_of(found_in(content)) if each.number == number]
    return found


def without_place(record: Record) -> Any:
    names = [name for name in Record.__slots__ if name != "place"]
    return {name: getattr(record, name) for name in names}


def test_each_format_is_known_by_its_files(whole: bytes, project: Project, alice: Person) -> None:
    archive = zipped(person_caller(alice), project)
    inside = archive_of({f"shop/{name}": text for name, text in files_of(archive).items()})

    assert importer_for(source_of_bytes("x.jsonl", whole)) is CONDERIS
    assert importer_for(source_of_bytes("x.zip", archive)) is CONDERIS_MARKDOWN
    assert importer_for(source_of_bytes("x.zip", inside)) is CONDERIS_MARKDOWN
    for other in (b"", b"{}", b'{"type":"header"}', b'{"a":1}\n{"format":"conderis-export"}'):
        assert not CONDERIS.looks_like(source_of_bytes("x", other))


def test_a_record_has_all_that_the_line_has(whole: bytes) -> None:
    lines = lines_of(whole)

    record = by_number(whole, 9)

    assert record.key == numbered(lines, 9)["id"]
    assert record.place.endswith(", #9")
    assert (record.kind, record.version, record.rewrites) == ("task", 3, True)
    assert record.fields == {
        "title": "Build", "status": "blocked", "priority": "normal",
        "blockedReason": "No key.\nAsk: #8", "content": "",
    }  # fmt: skip
    assert record.assignee is not None
    assert record.assignee["name"] == "robo"
    assert record.credit == Credit("Alice", "Codex")
    assert record.links == (Link("blocks", numbered(lines, 8)["id"]),)
    assert [(each.event, each.version, each.credit.name) for each in record.history] == [
        ("created", 1, "Alice"), ("claimed", 2, "Bob"), ("blocked", 3, "Bob"),
    ]  # fmt: skip
    page = by_number(whole, 2)
    assert page.history[2].credit == Credit("Bob", "robo", "Carol")
    assert page.history[1].state == history(lines, 2)[1]["state"]
    assert by_number(whole, 4).parent == page.key
    assert by_number(whole, 4).fields["position"] == 1
    assert page.source == "alice/shop"
    assert by_number(whole, 3).archived is not None
    assert by_number(whole, 8).fields["due"] == "2026-12-31"


@pytest.mark.parametrize("fill", [rich_project, odd_project])
def test_both_formats_give_the_same_records(
    project: Project, alice: Person, bob: Person, carol: Person, fill: Callable[..., None]
) -> None:
    owner = person_caller(alice)
    fill(project, owner) if fill is odd_project else fill(project, alice, bob, carol)

    lines, folder = found_in(exported(owner, project)), found_in(zipped(owner, project))

    texts = [without_place(each) for each in records_of(lines)]
    assert [without_place(each) for each in records_of(folder)] == texts
    assert tombstones_of(folder) == tombstones_of(lines)
    assert len(texts) > 5


def test_what_is_locked_or_erased_comes_as_a_tombstone(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Locked")
    create(person_caller(bob), project, "memory", title="Of Bob", visibility="private")
    create(owner, project, "page", title="Erased")
    create(owner, project, "page", title="Below", parent=1)
    ask(owner, project, 1)
    erased(carol, project, 3)

    for content in (exported(owner, project), zipped(owner, project)):
        found = found_in(content)

        assert tombstones_of(found) == {1: "not exported", 3: "erased"}
        (below,) = records_of(found)
        assert below.parent is None
        assert any("comes to the top" in each for each in below.warnings)


def test_a_version_without_its_state_stays_in_the_history(
    project: Project, alice: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Page", content="zanzibar")
    change(owner, project, 1, 1, content="two")
    erased(carol, project, 1, 1)

    record = by_number(exported(owner, project), 1)

    assert [(each.event, each.version) for each in record.history] == [
        ("created", 1), ("changed", 2), ("erased", None),
    ]  # fmt: skip
    assert record.history[0].state is None


def test_a_damaged_line_is_named_and_the_others_come(whole: bytes) -> None:
    parts = whole.split(b"\n")
    bad = next(place for place, part in enumerate(parts) if b'"number":8,' in part)
    parts[bad] = parts[bad][:40]

    found = found_in(b"\n".join(parts))

    assert (f"line {bad + 1}", "The line is damaged and is left out.") in problems_of(found)
    assert 8 not in {each.number for each in records_of(found)}
    # Its history goes to no other item.
    assert [each.version for each in by_number(b"\n".join(parts), 9).history] == [1, 2, 3]


def test_a_damaged_entry_of_a_history_leaves_a_version_without_its_text(whole: bytes) -> None:
    parts = whole.split(b"\n")
    bad = next(place for place, part in enumerate(parts) if b"Clearer." in part)
    parts[bad] = b"{"

    record = by_number(b"\n".join(parts), 2)

    assert [(each.version, each.state is None) for each in record.history] == [
        (1, False), (2, True), (3, False),
    ]  # fmt: skip
    assert "Versions of its history are missing in the file." in record.warnings


@pytest.mark.parametrize("lost", [1, 200, 5_000])
def test_a_file_that_is_cut_off_is_noticed(whole: bytes, lost: int) -> None:
    found = found_in(whole[: -lost - 1])

    assert any("cut off" in reason for _place, reason in problems_of(found))


def test_a_file_that_lost_lines_in_its_midst_is_noticed(whole: bytes) -> None:
    lines = [line for line in lines_of(whole) if line.get("version") != 2]

    assert any("fewer or more" in reason for _place, reason in problems_of(found_in(joined(lines))))


def test_a_later_minor_version_is_read_and_what_it_adds_is_said(whole: bytes) -> None:
    lines = lines_of(whole)
    lines[0]["version"] = "1.7"
    numbered(lines, 2)["fields"]["mood"] = "good"
    numbered(lines, 2)["colour"] = "green"
    lines.insert(1, {"type": "weather", "number": 900})

    found = found_in(joined(lines))

    assert len(records_of(found)) == len(of_type(lines, "item"))
    assert any("later version" in reason for _place, reason in problems_of(found))
    assert any("“mood”" in each for each in by_number(joined(lines), 2).warnings)


@pytest.mark.parametrize("version", ["2.0", "0.9", "", None, {"a": 1}])
def test_another_major_version_is_refused_with_what_to_do(whole: bytes, version: object) -> None:
    lines = lines_of(whole)
    lines[0]["version"] = version

    with pytest.raises(Invalid) as refusal:
        found_in(joined(lines))

    assert "only versions 1.x" in refusal.value.message
    assert "Import it into a server" in refusal.value.message


def test_a_kind_that_is_not_known_is_named(whole: bytes) -> None:
    lines = lines_of(whole)
    numbered(lines, 2)["kind"] = "song"

    assert any("“song”" in reason for _place, reason in problems_of(found_in(joined(lines))))


@pytest.mark.parametrize(
    "damage",
    [
        {"fields": None}, {"fields": [1]}, {"id": 7}, {"id": None}, {"number": "x"},
        {"number": 10**12}, {"number": True}, {"version": "two"}, {"version": -1},
        {"parent": {"a": 1}}, {"parent": 77}, {"relations": 5},
        {"relations": [5, {"relation": []}]},
        {"author": "Ann"}, {"author": {"name": {"a": 1}}}, {"created": 5}, {"created": "never"},
        {"archived": []}, {"blockedReason": {}}, {"kind": ["page"]},
    ],
)  # fmt: skip
def test_no_value_makes_reading_fail(whole: bytes, damage: dict[str, object]) -> None:
    lines = lines_of(whole)
    numbered(lines, 2).update(damage)

    found = found_in(joined(lines))

    assert len(records_of(found)) >= len(of_type(lines, "item")) - 1


@pytest.mark.parametrize(
    "damage",
    [
        {"event": 5}, {"version": "x"}, {"version": 99}, {"version": 10**9}, {"at": None},
        {"by": []}, {"approver": 3}, {"reason": {}}, {"reason": "x\x00"}, {"changed": "title"},
        {"changed": [1, None]}, {"state": []}, {"state": {"title": 5}},
    ],
)  # fmt: skip
def test_no_entry_of_a_history_makes_reading_fail(whole: bytes, damage: dict[str, Any]) -> None:
    lines = lines_of(whole)
    history(lines, 2)[1].update(damage)

    record = by_number(joined(lines), 2)

    assert [each.version for each in record.history if each.version] == [1, 2, 3]


def test_an_item_that_is_there_twice_counts_once(whole: bytes) -> None:
    lines = lines_of(whole)
    again = [*lines[:-1], numbered(lines, 2), lines[-1]]
    other = {**numbered(lines, 4), "number": 2}

    twice = found_in(joined(again))
    shared = found_in(joined([other if line == numbered(lines, 4) else line for line in lines]))

    assert len(records_of(twice)) == len(of_type(lines, "item"))
    assert any("twice" in reason for _place, reason in problems_of(twice))
    (moved,) = [each for each in records_of(shared) if each.key == other["id"]]
    assert moved.number is None


def test_a_line_that_is_too_long_is_damaged_and_the_next_is_read(
    whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE", 4_000)

    found = found_in(whole)  # the text of #3 has 9,000 characters

    assert 3 not in {each.number for each in records_of(found)}
    assert {2, 4, 8, 9, 10} <= {each.number for each in records_of(found)}


def test_files_of_a_folder_can_be_edited_removed_and_added(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    rich_project(project, alice, bob, carol)
    files = files_of(zipped(person_caller(alice), project))
    del files["tasks/8-ship.md"]
    files["pages/new.md"] = "---\ntitle: New\n---\nnew"
    files["pages/2-setup.md"] = (
        files["pages/2-setup.md"]
        .replace("best", "edited")
        .replace("title: Setup", "title: Set up: all # of it\nmood: good")
    )
    files["tasks/10-part.md"] = "no front matter"
    files["tasks/9-build.md"] = files["tasks/9-build.md"].replace("\n", "\r\n")

    found = found_in(archive_of(files))

    said = dict(problems_of(found))
    assert said["tasks/8-ship.md"] == "The file is missing in this folder."
    assert "no file of the export" in said["pages/new.md"]
    assert "front matter" in said["tasks/10-part.md"]
    records = {each.number: each for each in records_of(found)}
    assert records[2].fields["title"] == "Set up: all # of it"
    assert records[2].fields["content"] == "# One\n\nedited"
    assert any("“mood”" in each for each in records[2].warnings)
    assert records[9].fields["status"] == "blocked"
    assert len(records[9].history) == 3


def test_names_of_files_may_have_been_taken_apart_by_a_system(
    project: Project, alice: Person
) -> None:
    create(person_caller(alice), project, "page", title="Überall", content="x")
    files = files_of(zipped(person_caller(alice), project))
    apart = {unicodedata.normalize("NFD", name): text for name, text in files.items()}

    assert set(apart) != set(files)
    assert [each.number for each in records_of(found_in(archive_of(apart)))] == [1]


def test_a_path_that_leads_out_of_the_folder_reads_nothing(project: Project, alice: Person) -> None:
    create(person_caller(alice), project, "page", title="Page", content="x")
    files = files_of(zipped(person_caller(alice), project))
    files["conderis.jsonl"] = files["conderis.jsonl"].replace("pages/1-page.md", "/etc/passwd")

    found = found_in(archive_of(files))

    assert records_of(found) == []
    assert ("/etc/passwd", "The file is missing in this folder.") in problems_of(found)


def test_what_became_of_proposals_is_said_to_stay_in_the_file(whole: bytes) -> None:
    assert any("2 proposals" in reason for _place, reason in problems_of(found_in(whole)))


def test_instructions_that_are_locked_are_said_to_be_missing(
    project: Project, alice: Person
) -> None:
    create(person_caller(alice), project, "instructions", content="zanzibar")
    ask(person_caller(alice), project, "instructions")

    found = found_in(exported(person_caller(alice), project))

    assert problems_of(found) == [("", "The instructions are not in the export.")]


def test_a_relation_to_what_is_not_there_is_named(whole: bytes) -> None:
    lines = [line for line in lines_of(whole) if line.get("number") != 8]

    assert any("other end" in each for each in by_number(joined(lines), 9).warnings)
