"""Projects as folders of Markdown: names, front matter, and texts byte for byte."""

import json
import re
import unicodedata
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
import yaml

from conderis.accounts.models import Person
from exchange.exporting import layout, parts
from exchange.exporting.markdown import markdown_files
from exchange.exporting.names import MAX_PATH, Paths, slug
from exchange.exporting.outline import Node, Outline
from exchange.exporting.reading import Private, begin_export
from exchange.exporting.writing import write_folder
from items.kinds.registry import all_kinds
from projects.models import Project
from tests.exchange.exports import (
    ODD,
    exported,
    files_of,
    lines_of,
    numbered,
    odd_project,
    of_type,
    rich_project,
    zipped,
)
from tests.factories import person_caller
from tests.items.calls import create
from tests.privacy.deletions import ask

DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{name}{n}" for name in ("com", "lpt") for n in "123456789"),
}


def test_every_item_is_a_file_pages_in_folders_as_they_stand(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    rich_project(project, alice, bob, carol)

    files = files_of(zipped(person_caller(alice), project))

    assert list(files) == [
        "instructions.md", "memories/1-bag.md", "pages/2-setup.md", "pages/2-setup/3-install.md",
        "pages/2-setup/4-second.md", "memories/5-in-it.md", "memories/7-alice-alone.md",
        "tasks/8-ship.md", "tasks/9-build.md", "tasks/10-part.md", "conderis.jsonl", "README.md",
    ]  # fmt: skip
    assert files["instructions.md"].endswith("---\nBe kind. See #2.")


def test_front_matter_is_yaml_with_every_field(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    rich_project(project, alice, bob, carol)

    files = files_of(zipped(person_caller(alice), project))

    front = yaml.safe_load(files["tasks/9-build.md"].split("---\n")[1])
    for name in ("id", "created", "changed", "heldSince"):
        assert front.pop(name)
    assert front.pop("assignee")["name"] == "robo"
    assert front == {
        "title": "Build",
        "kind": "task",
        "number": 9,
        "version": 3,
        "status": "blocked",
        "priority": "normal",
        "blockedReason": "No key.\nAsk: #8",
        "relations": {"blocks": [8]},
        "author": {"name": "Alice", "agent": "Codex"},
    }
    assert "\ndue: 2026-12-31\n" in files["tasks/8-ship.md"]


def test_texts_are_there_byte_for_byte(project: Project, alice: Person) -> None:
    odd_project(project, person_caller(alice))

    files = files_of(zipped(person_caller(alice), project))

    for number, content in enumerate(ODD.values(), start=1):
        (text,) = [text for name, text in files.items() if name.startswith(f"pages/{number}-")]
        front, _, body = text.removeprefix("---\n").partition("\n---\n")
        assert yaml.safe_load(front)["number"] == number
        assert body == content


def test_titles_come_back_out_of_yaml_as_they_were(project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    odd_project(project, owner)

    files = files_of(zipped(owner, project))

    stored = {
        line["number"]: line["fields"]["title"]
        for line in of_type(lines_of(exported(owner, project)), "item")
    }
    fronts = [yaml.safe_load(text.split("---\n")[1]) for name, text in files.items() if "/" in name]
    assert {front["number"]: front["title"] for front in fronts} == stored


def test_names_are_taken_by_every_system(project: Project, alice: Person) -> None:
    odd_project(project, person_caller(alice))

    names = list(files_of(zipped(person_caller(alice), project)))

    folded = [unicodedata.normalize("NFD", name).casefold() for name in names]
    assert len(set(folded)) == len(names)
    for name in names:
        assert len(name) <= MAX_PATH
        for part in name.split("/"):
            assert part.partition(".")[0].lower() not in DEVICES
            assert not re.search(r'[<>:"\\|?*\x00-\x1f]|^[. ]|[. ]$', part)
            assert len(part.encode()) <= 255


@pytest.mark.no_database
def test_a_path_stays_short_however_deep_it_leads() -> None:
    nodes = [
        Node(pk, pk * 100_000, "page", pk - 1 or None, 0, "漢 long " * 20, hidden=False)
        for pk in range(1, 11)
    ]
    paths = Paths(Outline({node.pk: node for node in nodes}))

    path = paths.of({"kind": "page", "number": 1_000_000})

    assert path.count("/") == 10
    assert len(path) <= MAX_PATH


def test_a_locked_page_gives_its_name_to_no_folder(project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Zanzibar")
    create(owner, project, "page", title="Below", parent=1)
    create(owner, project, "page", title="Deeper", parent=2)
    ask(owner, project, 1)

    files = files_of(zipped(owner, project))

    assert list(files)[:2] == ["pages/2-below.md", "pages/2-below/3-deeper.md"]


def test_what_is_locked_while_the_files_are_taken_is_in_none_that_follows(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Zanzibar", content="zanzibar")
    create(owner, project, "page", title="Below", parent=1, content="kept")
    create(owner, project, "page", title="Deeper", parent=2)
    monkeypatch.setattr(parts, "FRESH_SECONDS", 0)
    export = begin_export(owner, project.path, private=Private.OWN, written_as="markdown")
    files = markdown_files(export)
    first, _pieces = next(files)

    ask(owner, project, 1)
    rest = {name: "".join(pieces) for name, pieces in files}

    assert first == "pages/1-zanzibar.md"  # was handed out before
    assert list(rest) == [
        "pages/2-below.md", "pages/2-below/3-deeper.md", "conderis.jsonl", "README.md",
    ]  # fmt: skip
    assert "zanzibar" not in json.dumps(rest).lower()
    (tombstone,) = of_type(lines_of(rest["conderis.jsonl"].encode()), "tombstone")
    assert tombstone["number"] == 1


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Set up!", "set-up"), ("../..", ""), ("Ünï 漢字", "ünï-漢字"), ("हिन्दी", "हिन्दी"),
        ("👩‍👩‍👧‍👦", ""), ("a" * 99, "a" * 40),
    ],
)  # fmt: skip
def test_a_name_keeps_letters_and_digits(title: str, words: str) -> None:
    assert slug(title, limit=40) == words


@pytest.mark.no_database
def test_no_field_of_a_kind_is_named_as_what_else_stands_in_front_matter() -> None:
    names = {each.name for kind in all_kinds() for each in kind.fields if each.historic}

    assert names & {*layout.OF_ITEM, "relations", "content"} == {"content"}


def test_the_archive_is_packed_and_the_same_each_time(project: Project, alice: Person) -> None:
    create(person_caller(alice), project, "page", title="Page", content="word " * 10_000)

    archive = zipped(person_caller(alice), project)

    with zipfile.ZipFile(BytesIO(archive)) as opened:
        assert opened.testzip() is None
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert len(archive) < 10_000


def test_the_list_for_people_leads_to_each_file(project: Project, alice: Person) -> None:
    create(person_caller(alice), project, "page", title="[a](b) <i> #3", content="x")

    index = files_of(zipped(person_caller(alice), project))["README.md"]

    assert index.startswith("# alice/shop\n")
    assert "- [#1 \\[a\\](b) \\<i\\> \\#3](<pages/1-a-b-i-3.md>)\n" in index


def test_a_folder_holds_the_same_files(
    project: Project, alice: Person, bob: Person, carol: Person, tmp_path: Path
) -> None:
    rich_project(project, alice, bob, carol)

    count = write_folder(person_caller(alice), project.path, tmp_path)

    files = files_of(zipped(person_caller(alice), project))
    written = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes().decode()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert count == len(files)
    assert {name: text for name, text in written.items() if "/" in name} == {
        name: text for name, text in files.items() if "/" in name
    }
    assert set(written) == set(files)


def test_the_file_beside_has_every_other_line_in_its_order(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    rich_project(project, alice, bob, carol)

    beside = lines_of(files_of(zipped(owner, project))["conderis.jsonl"].encode())

    whole = lines_of(exported(owner, project))
    assert [line["type"] for line in beside] == [line["type"] for line in whole]
    assert [line for line in beside[1:] if line["type"] != "item"] == [
        line for line in whole[1:] if line["type"] != "item"
    ]
    assert numbered(beside, 3) == {
        "type": "item",
        "id": numbered(whole, 3)["id"],
        "kind": "page",
        "number": 3,
        "file": "pages/2-setup/3-install.md",
    }
