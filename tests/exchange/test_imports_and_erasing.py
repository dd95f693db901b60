"""What an erasure in the project does to its imports: their files and reports may hold the same."""

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from exchange.models import Import, ImportFile, Origin
from exchange.writing.running import run_import
from items.models import Item, ItemEvent
from privacy.leaving import NameChoice, leave
from projects.models import Project
from tests.exchange.sources import ann, order_of, record
from tests.factories import make_project, person_caller
from tests.privacy.deletions import erased

pytestmark = pytest.mark.django_db

MARKER = "canary-7f3a"
State = Import.State


def begun(project: Project, person: Person, state: Import.State) -> Import:
    ended = timezone.now() if state is State.DONE else None
    made = Import.objects.create(
        project=project, person=person, importer="trello", state=state, ended=ended,
        name=f"{MARKER}.json", report={"leftOut": [MARKER]}, only=[MARKER],
    )  # fmt: skip
    if ended is None:
        ImportFile.objects.create(of=made, content=MARKER.encode())
    return made


def test_an_erasure_empties_the_files_and_reports_of_its_project_alone(
    alice: Person, project: Project
) -> None:
    run_import(person_caller(alice), order_of(project, [record("a", content=MARKER)]))
    done, running = begun(project, alice, State.DONE), begun(project, alice, State.RUNNING)
    other = begun(make_project(alice, "other"), alice, State.RUNNING)

    erased(alice, project, 1)

    for row in (done, running, other):
        row.refresh_from_db()
    assert (done.state, running.state, other.state) == ("done", "failed", "running")
    assert "erased" in running.report["reason"]
    for row in (done, running):
        assert MARKER not in str((row.name, row.report, row.only))
    [left] = ImportFile.objects.all()
    assert (left.of, bytes(left.content)) == (other, MARKER.encode())


def test_the_names_and_the_digest_of_what_is_erased_go_and_it_stays_known(
    alice: Person, project: Project
) -> None:
    order = order_of(project, [record("a", credit=ann())])
    run_import(person_caller(alice), order)

    erased(alice, project, 1)
    report = run_import(person_caller(alice), order)

    assert (report.known, report.made) == (1, {})
    assert Item.objects.get().credit is None
    assert set(ItemEvent.objects.values_list("credit", flat=True)) == {None}
    assert Origin.objects.get().content == ""


def test_an_account_that_is_deleted_takes_its_imports_along(
    alice: Person, carol: Person, project: Project
) -> None:
    begun(project, carol, State.DONE)

    leave(person_caller(carol), keep_name=NameChoice.REMOVE)

    assert not Import.objects.exists()
    assert project.path == "alice/shop"
