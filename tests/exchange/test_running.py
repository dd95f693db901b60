"""The work on imports: claimed by one, gone on with after a death, ended without a trace."""

import logging
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, RateLimited
from exchange import jobs, running
from exchange.models import Import, ImportFile
from items.models import Item
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from tests.exchange.jobs_world import beads, begin, checked, done
from tests.factories import person_caller


@pytest.fixture
def owner(alice: Person) -> Caller:
    return person_caller(alice)


def test_a_fault_of_ours_is_logged_without_content_and_can_be_started_again(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    found = checked(owner, project, beads("Pour the tea"))
    jobs.start_import(owner, project.path, import_id=found.import_id)

    def broken(*_order: object, **_more: object) -> None:
        raise ValueError("Pour the tea")

    with caplog.at_level(logging.ERROR), monkeypatch.context() as during:
        during.setattr(running, "run_import", broken)
        running.work_off()
    failed = jobs.read_import(owner, project.path, import_id=found.import_id)
    jobs.start_import(owner, project.path, import_id=found.import_id)
    running.work_off()

    assert (failed.state, failed.is_unfinished) == ("failed", True)
    assert "ValueError" in caplog.text
    assert "tea" not in caplog.text
    assert jobs.read_import(owner, project.path, import_id=found.import_id).state == "done"
    assert Item.objects.filter(project=project).count() == 1


def test_an_import_that_a_process_works_on_is_taken_by_no_other(
    owner: Caller, project: Project
) -> None:
    begin(owner, project, beads("Pour the tea"))
    now = timezone.now()

    claimed, second = running._claim(now), running._claim(now)
    later = running._claim(now + running.LEASE + timedelta(seconds=1))

    assert claimed is not None
    assert second is None
    assert later is not None
    assert later.pk == claimed.pk


def test_an_import_that_a_process_left_in_its_midst_goes_on_and_doubles_nothing(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(owner, project, beads(*(f"Buoy {number}" for number in range(300))))
    jobs.start_import(owner, project.path, import_id=found.import_id)

    def die(_self: object, _worked: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(running._Noting, "__call__", die)
        with pytest.raises(KeyboardInterrupt):
            running.work_off()
    left = Item.objects.filter(project=project).count()
    at_once = running.work_off()
    Import.objects.update(working_until=timezone.now() - timedelta(seconds=1))
    running.work_off()

    assert 0 < left < 300
    assert at_once == 0  # the claim of the one that died still stands
    assert jobs.read_import(owner, project.path, import_id=found.import_id).state == "done"
    assert Item.objects.filter(project=project).count() == 300


def locked(owner: Caller, project: Project) -> str:
    """A request to erase the first item of the project; its reference."""
    call = DeletionCall(Address(project.path, number=1), reason="It names a customer.")
    return str(request_deletion(owner, call)["request"])


def test_an_erasure_ends_what_is_under_way_and_empties_every_report(
    owner: Caller, project: Project
) -> None:
    ended = done(owner, project, beads("Pour the tea") + b"no json\n")
    waiting = checked(owner, project, beads("Wash up"))

    erase(owner, locked(owner, project))
    worked = running.work_off()

    emptied, failed = (
        jobs.read_import(owner, project.path, import_id=each.import_id) for each in (ended, waiting)
    )
    assert (emptied.state, emptied.report, emptied.name) == ("done", {}, "")
    assert (failed.state, failed.report) == ("failed", {"reason": running.EMPTIED})
    assert worked == 0
    with pytest.raises(Conflict):
        jobs.start_import(owner, project.path, import_id=waiting.import_id)


def test_a_report_names_nothing_while_something_imported_is_locked(
    owner: Caller, project: Project
) -> None:
    ended = done(owner, project, beads("Pour the tea"))
    again = done(owner, project, beads("Pour the tea", description="Slowly."))
    before = jobs.read_import(owner, project.path, import_id=again.import_id)

    locked(owner, project)
    during = [
        jobs.read_import(owner, project.path, import_id=each.import_id) for each in (ended, again)
    ]

    assert before.report["differing"] == ["line 1 (Pour the tea)"]
    assert "tea" not in str([each.report for each in during])
    assert all(each.report["locked"] for each in during)
    assert during[0].made == {"task": 1}


def test_a_report_names_nothing_either_where_another_format_brought_what_is_locked(
    owner: Caller, project: Project
) -> None:
    ended = done(owner, project, beads("Pour the tea") + b"no json\n")
    Import.objects.update(importer="conderis-markdown")  # remembered as of `conderis`

    locked(owner, project)

    report = jobs.read_import(owner, project.path, import_id=ended.import_id).report
    assert "leftOut" not in report
    assert report["locked"]


def test_files_that_nobody_goes_on_with_are_thrown_away_after_a_day(
    owner: Caller, project: Project
) -> None:
    found = checked(owner, project, beads("Pour the tea"))
    row = Import.objects.filter(public_id=found.import_id)

    running.throw_away_expired(found.created + timedelta(hours=23))
    kept = ImportFile.objects.exists()
    running.throw_away_expired(found.created + timedelta(hours=25))
    gone, left = row.get(), ImportFile.objects.exists()
    running.throw_away_expired(found.created + timedelta(days=29))
    listed = row.exists()
    running.throw_away_expired(found.created + timedelta(days=33))

    assert (kept, left) == (True, False)
    assert (gone.state, gone.name) == ("canceled", "issues.jsonl")
    assert (listed, row.exists()) == (True, False)


def test_what_passes_by_itself_keeps_the_file_to_start_again(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(owner, project, beads("Pour the tea"))
    jobs.start_import(owner, project.path, import_id=found.import_id)

    def too_soon(*_order: object, **_more: object) -> None:
        raise RateLimited("Too much at once.", retry_after=40)

    with monkeypatch.context() as during:
        during.setattr(running, "run_import", too_soon)
        running.work_off()
    failed = jobs.read_import(owner, project.path, import_id=found.import_id)
    jobs.start_import(owner, project.path, import_id=found.import_id)
    running.work_off()

    assert (failed.state, failed.is_unfinished) == ("failed", True)
    assert Item.objects.filter(project=project).count() == 1


def test_a_database_that_goes_away_ends_the_work_for_a_while_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[int] = []

    def away() -> int:
        tries.append(1)
        if len(tries) == 3:
            running._ending.set()
        raise OperationalError

    monkeypatch.setattr(running, "work_off", away)
    monkeypatch.setattr(running, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(connection, "close", lambda: None)
    try:
        running._run_apart()
    finally:
        running._ending.clear()

    assert len(tries) == 3
