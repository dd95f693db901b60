"""What happens while an export is taken: nothing locked, and nothing without the right to read."""

import json
import time
from collections.abc import Iterator

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import NotFound
from exchange.exporting import parts, reading
from exchange.exporting.reading import Private
from projects.models import Project, ProjectMember
from tests.exchange.exports import Line, history, numbered, of_type, rich_project
from tests.factories import person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask, erased


@pytest.fixture
def rich(project: Project, alice: Person, bob: Person, carol: Person) -> Project:
    rich_project(project, alice, bob, carol)
    return project


def export_lines_of(project: Project, person: Person) -> Iterator[Line]:
    """The lines, read one by one as they are taken."""
    caller = person_caller(person)
    return reading.lines_of(
        reading.begin_export(caller, project.path, private=Private.OWN, written_as="jsonl")
    )


def test_whoever_loses_the_right_meanwhile_gets_a_file_without_an_end(
    rich: Project, rita: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "CHUNK", 2)
    export = reading.begin_export(
        person_caller(rita), rich.path, private=Private.OWN, written_as="jsonl"
    )
    lines = reading.lines_of(export)
    read = [next(lines) for _ in range(3)]
    ProjectMember.objects.filter(person=rita).delete()

    with pytest.raises(NotFound):
        read += lines

    assert "end" not in {line["type"] for line in read}


def test_what_changes_meanwhile_is_of_one_version_and_nothing_comes_twice(
    rich: Project, alice: Person, carol: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person_caller(alice)
    monkeypatch.setattr(reading, "CHUNK", 1)
    export = reading.begin_export(owner, rich.path, private=Private.OWN, written_as="jsonl")
    lines = reading.lines_of(export)
    read = []
    for line in lines:
        read.append(line)
        if line.get("number") == 1:  # its history is read after this
            change(owner, rich, 1, 1, title="Other")
            change(owner, rich, 2, parent=None, position=None, title="Moved", version=3)
            change(owner, rich, 4, parent=None)
            erased(carol, rich, 10)

    assert [each["version"] for each in history(read, 1)] == [1]
    assert [line.get("number") for line in of_type(read, "item")] == [None, 1, 2, 3, 4, 5, 7, 8, 9]
    assert numbered(read, 4)["parent"] == 2  # as it was when the export began
    assert [line["number"] for line in of_type(read, "tombstone")] == [10]
    assert read[-1]["items"] == 9


def test_what_is_locked_while_a_slow_reader_takes_the_export_is_not_handed_out(
    project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="First", content="one")
    change(owner, project, 1, 1, content="zanzibar in its history")
    change(owner, project, 1, 2, content="three")
    create(owner, project, "page", title="Second", content="one")
    change(owner, project, 2, 1, content="zanzibar in a version")
    change(owner, project, 2, 2, content="three")
    create(owner, project, "page", title="Zanzibar", content="zanzibar in an item")
    create(owner, project, "page", title="Fourth", content="zanzibar, then")
    lines = export_lines_of(project, alice)
    read = [next(lines) for _ in range(3)]  # header, the first item, an entry of it

    ask(owner, project, 1)
    ask(owner, project, 2, 2)
    ask(owner, project, 3)
    change(owner, project, 4, 1, content="clean")
    ask(owner, project, 4, 1)
    time.sleep(parts.FRESH_SECONDS)
    read += lines

    assert [line["number"] for line in of_type(read, "tombstone")] == [3]
    assert [each["version"] for each in history(read, 1)] == [1]
    assert [each.get("locked") for each in history(read, 2)] == [None, True, None]
    assert numbered(read, 4)["fields"]["content"] == "clean"
    assert "zanzibar" not in json.dumps(read).lower()


def test_a_relation_to_what_is_locked_meanwhile_is_not_named(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person_caller(alice)
    for title in ("One", "Two", "Three"):
        create(owner, project, "page", title=title)
    act(owner, project, 2, "relate", target=3, relation="relates")
    monkeypatch.setattr(parts, "FRESH_SECONDS", 0)
    lines = export_lines_of(project, alice)
    read = [next(lines) for _ in range(2)]

    ask(owner, project, 3)
    read += lines

    assert "relations" not in numbered(read, 2)


def test_a_long_history_ends_when_the_right_to_read_is_lost(
    project: Project, alice: Person, rita: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Page", content="one")
    for version in range(1, 6):
        change(owner, project, 1, version, content=f"state {version}")
    monkeypatch.setattr(parts, "FRESH_SECONDS", 0)
    lines = export_lines_of(project, rita)
    read = [next(lines) for _ in range(3)]
    ProjectMember.objects.filter(person=rita).delete()

    with pytest.raises(NotFound):
        read += lines

    assert len(history(read, 1)) == 1
