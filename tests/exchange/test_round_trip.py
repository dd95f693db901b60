"""Exported, imported, exported again: the same but for ids, project and time."""

from collections.abc import Callable

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from exchange.importers.base import Importer
from exchange.importers.registry import importer_for
from exchange.records import Report
from exchange.reporting import report_as_json
from exchange.sources import source_of_bytes
from exchange.writing.running import Order, check_import, run_import
from items.models import Item, ItemEvent
from projects.capabilities import Role
from projects.models import Project
from tests.exchange.exports import (
    exported,
    history,
    lines_of,
    numbered,
    odd_project,
    of_type,
    rich_project,
    told,
    zipped,
)
from tests.factories import join, make_project, person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask, erased

Make = Callable[[Caller, Project], bytes]
FORMATS = pytest.mark.parametrize("make", [exported, zipped], ids=["lines", "markdown"])


@pytest.fixture
def empty(project: Project, alice: Person, bob: Person, carol: Person) -> Project:
    """alice/store, with the people of alice/shop."""
    made = make_project(alice, "store")
    join(made, bob, Role.CONTRIBUTOR)
    join(made, carol, Role.MODERATOR)
    return made


@pytest.fixture
def rich(project: Project, alice: Person, bob: Person, carol: Person) -> Project:
    rich_project(project, alice, bob, carol)
    return project


def imported(caller: Caller, project: Project, content: bytes) -> Report:
    """The report of an import, which is that of its dry run."""
    source = source_of_bytes("export", content)
    importer = importer_for(source)
    assert isinstance(importer, Importer)
    order = Order(project.path, importer, source)
    would = check_import(caller, order)
    done = run_import(caller, order)
    assert report_as_json(would) == report_as_json(done)
    return done


@FORMATS
def test_into_an_empty_project_all_comes_as_it_was(
    rich: Project, empty: Project, alice: Person, make: Make
) -> None:
    owner = person_caller(alice)

    report = imported(owner, empty, make(owner, rich))

    assert report.left_out == []
    assert report.made == {"memory": 3, "page": 3, "task": 3, "instructions": 1}
    assert told(exported(owner, empty)) == told(exported(owner, rich))


@FORMATS
def test_odd_texts_and_titles_come_as_they_were(
    project: Project, empty: Project, alice: Person, make: Make
) -> None:
    owner = person_caller(alice)
    odd_project(project, owner)

    report = imported(owner, empty, make(owner, project))

    assert report.left_out == []
    assert told(exported(owner, empty)) == told(exported(owner, project))


@FORMATS
def test_numbers_that_were_left_out_become_tombstones(
    project: Project, empty: Project, alice: Person, carol: Person, make: Make
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="First")
    create(person_caller(carol), project, "memory", title="Of Carol", visibility="private")
    create(owner, project, "page", title="Erased")
    create(owner, project, "page", title="Locked")
    create(owner, project, "page", title="Below", parent=4, content="#1 #2 #3 #4")
    erased(carol, project, 3)
    ask(owner, project, 4)

    report = imported(owner, empty, make(owner, project))

    lines = lines_of(exported(owner, empty))
    assert {line["number"]: line["why"] for line in of_type(lines, "tombstone")} == {
        2: "not exported", 3: "erased", 4: "not exported",
    }  # fmt: skip
    assert report.tombstones == 3
    assert "parent" not in numbered(lines, 5)
    assert numbered(lines, 5)["fields"]["content"].startswith("#1 ")
    assert create(owner, empty, "page", title="Next")["number"] == 6


@FORMATS
def test_into_the_same_project_it_changes_nothing(rich: Project, alice: Person, make: Make) -> None:
    owner = person_caller(alice)
    before = exported(owner, rich)

    report = imported(owner, rich, make(owner, rich))

    assert (report.made, report.known, report.left_out) == ({}, 10, [])
    assert told(exported(owner, rich)) == told(before)
    assert Project.objects.get(pk=rich.pk).last_number == 10


@FORMATS
def test_a_second_time_nothing_is_doubled(
    rich: Project, empty: Project, alice: Person, make: Make
) -> None:
    owner = person_caller(alice)
    content = make(owner, rich)
    imported(owner, empty, content)
    before = exported(owner, empty)

    report = imported(owner, empty, content)

    assert (report.made, report.known, report.differing) == ({}, 10, [])
    assert told(exported(owner, empty)) == told(before)


def test_the_other_format_of_the_same_export_doubles_nothing(
    rich: Project, empty: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    imported(owner, empty, exported(owner, rich))

    report = imported(owner, empty, zipped(owner, rich))

    assert (report.made, report.known) == ({}, 10)


@FORMATS
def test_among_other_items_numbers_are_new_and_texts_name_them(
    rich: Project, empty: Project, alice: Person, make: Make
) -> None:
    owner = person_caller(alice)
    create(owner, empty, "task", title="Was here")

    report = imported(owner, empty, make(owner, rich))

    lines = lines_of(exported(owner, empty))
    assert set(report.numbers) == {1, 2, 3, 4, 5, 7, 8, 9, 10}
    assert len(set(report.numbers.values())) == 9
    assert min(report.numbers.values()) == 2
    bag = numbered(lines, report.numbers[1])
    assert bag["fields"]["content"] == f"In #{report.numbers[2]} and #{report.numbers[9]}."
    assert numbered(lines, report.numbers[3])["parent"] == report.numbers[2]
    assert {"relation": "documents", "number": report.numbers[2]} in bag["relations"]
    first = history(lines, report.numbers[2])[0]["state"]["content"]
    assert first == f"# One\n\nsee #{report.numbers[1]}"


@FORMATS
def test_an_item_that_was_erased_here_does_not_come_back(
    project: Project, empty: Project, alice: Person, carol: Person, make: Make
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="zanzibar", content="zanzibar")
    content = make(owner, project)
    imported(owner, empty, content)
    erased(carol, empty, 1)
    erased(carol, project, 1)

    for place in (empty, project):
        report = imported(owner, place, content)

        assert (report.made, report.known) == ({}, 1)
        assert of_type(lines_of(exported(owner, place)), "item") == []
    assert not Item.objects.filter(title__contains="zanzibar").exists()
    assert not ItemEvent.objects.filter(state__isnull=False).exists()


def test_dates_are_the_same_day_wherever_the_importer_is(
    project: Project, empty: Project, alice: Person
) -> None:
    create(person_caller(alice), project, "task", title="Ship", due="2026-12-31")
    for zone, make in (("Pacific/Kiritimati", exported), ("Pacific/Pago_Pago", zipped)):
        Person.objects.filter(pk=alice.pk).update(time_zone=zone)
        alice.refresh_from_db()
        owner = person_caller(alice)
        place = make_project(alice, zone.partition("/")[2].lower())

        imported(owner, place, make(owner, project))

        assert numbered(lines_of(exported(owner, place)), 1)["fields"]["due"] == "2026-12-31"


def test_private_memories_come_to_whoever_imports_as_their_own(
    project: Project, empty: Project, alice: Person, bob: Person, carol: Person
) -> None:
    create(person_caller(alice), project, "memory", title="Mine", visibility="private")
    content = exported(person_caller(alice), project)

    imported(person_caller(carol), empty, content)

    assert len(of_type(lines_of(exported(person_caller(carol), empty)), "item")) == 1
    assert of_type(lines_of(exported(person_caller(alice), empty)), "item") == []


def test_what_was_imported_and_changed_is_exported_by_its_names(
    rich: Project, empty: Project, alice: Person, carol: Person
) -> None:
    imported(person_caller(carol), empty, exported(person_caller(alice), rich))
    change(person_caller(carol), empty, 2, 3, content="mine", complete=True)
    act(person_caller(carol), empty, 2, "archive", 4)

    entries = history(lines_of(exported(person_caller(carol), empty)), 2)

    assert [each["by"]["name"] for each in entries] == ["Alice", "Alice", "Bob", "Carol", "Carol"]
    assert entries[2]["approver"] == {"name": "Carol"}
