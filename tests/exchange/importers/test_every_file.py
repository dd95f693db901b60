"""Every file goes in by the importer that knows it: foretold, imported, imported again, and
from there by an export into an empty project.
"""

from pathlib import Path

import pytest

from conderis.accounts.models import Person
from exchange.importers.registry import importer_for
from exchange.records import Report
from exchange.sources import source_of_bytes, source_of_path
from exchange.writing.running import Order, check_import, run_import
from items.models import Item, Relation
from projects.models import Project
from tests.exchange.exports import exported, told, zipped
from tests.exchange.importers.finding import SAMPLES, SHARED, with_shared
from tests.factories import make_project, person_caller

pytestmark = pytest.mark.django_db

SHARED_FILES = sorted(
    each.name
    for each in (SHARED.iterdir() if SHARED.is_dir() else ())
    if each.name not in {"SOURCES.md", "tricky-strings-handed.json"}
)
OWN_FILES = ("trello.json", "github.json", "jira.csv", "tasks.json", "memory.jsonl")


def order_of(project: Project, path: Path) -> Order:
    source = source_of_path(path)
    importer = importer_for(source)
    assert importer is not None
    return Order(project.public_id, importer, source)


def rows(project: Project) -> tuple[list[tuple[object, ...]], int]:
    items = Item.objects.filter(project=project).order_by("number")
    fields = ("number", "kind", "title", "content", "status", "due", "parent__number", "version")
    return list(items.values_list(*fields)), Relation.objects.count()


def goes_in_once(alice: Person, project: Project, path: Path) -> Report:
    """The report of an import that the trial foretold, and that a second one adds nothing to."""
    order, caller = order_of(project, path), person_caller(alice)
    foretold = check_import(caller, order)
    assert not Item.objects.filter(project=project).exists()

    report = run_import(caller, order)
    assert foretold == report
    assert sum(report.made.values()) == Item.objects.filter(project=project).count() > 0

    before = rows(project)
    again = run_import(caller, order)
    assert (again.made, again.known, again.differing) == ({}, sum(report.made.values()), [])
    assert rows(project) == before
    return report


def goes_on_alike(alice: Person, project: Project) -> None:
    """What is there goes out in both formats, and into empty projects as it was."""
    caller = person_caller(alice)
    lines = exported(caller, project)
    for name, content in (("lines", lines), ("folder", zipped(caller, project))):
        other = make_project(alice, f"again-{name}")
        source = source_of_bytes(f"{name}.jsonl" if name == "lines" else f"{name}.zip", content)
        importer = importer_for(source)
        assert importer is not None

        report = run_import(caller, Order(other.public_id, importer, source))

        assert (report.left_out, report.known) == ([], 0)
        assert told(exported(caller, other)) == told(lines)


@with_shared
@pytest.mark.parametrize("name", SHARED_FILES)
def test_each_shared_file_goes_in_once(name: str, alice: Person, project: Project) -> None:
    goes_in_once(alice, project, SHARED / name)
    goes_on_alike(alice, project)


@pytest.mark.parametrize("name", OWN_FILES)
def test_each_sample_goes_in_once(name: str, alice: Person, project: Project) -> None:
    goes_in_once(alice, project, SAMPLES / name)
    goes_on_alike(alice, project)


def test_a_blocked_task_keeps_its_reason_and_what_blocks_it(
    alice: Person, project: Project
) -> None:
    goes_in_once(alice, project, SAMPLES / "tasks.json")

    bank = Item.objects.get(project=project, title="Bank")
    assert (bank.status, bank.blocked_reason) == ("blocked", "Blocked in task-master.")
    blocks = Relation.objects.filter(relation="blocks", target=bank)
    assert [each.source.title for each in blocks] == ["Cart"]
