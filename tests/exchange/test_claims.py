"""Who works on an import, with whose rights, and when the server looks again."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Caller
from exchange import jobs, running
from exchange.models import Import, ImportFile
from items.models import Item
from projects.models import Project
from tests.exchange.jobs_world import beads, checked, done, ended_import
from tests.factories import agent_caller, make_project, person_caller


@pytest.fixture
def owner(alice: Person) -> Caller:
    return person_caller(alice)


def test_who_hung_beyond_the_claim_stops_and_leaves_the_import_to_the_next(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(owner, project, beads(*(f"Buoy {number}" for number in range(300))))
    jobs.start_import(owner, project.path, import_id=found.import_id)
    noting = running._Noting.__call__
    next_ones: list[Import] = []

    def hang(self: running._Noting, worked: int) -> None:
        if not next_ones:
            after = timezone.now() + running.LEASE + timedelta(seconds=1)
            claimed = running._claim(after)
            assert claimed is not None
            next_ones.append(claimed)
        noting(self, worked)

    with monkeypatch.context() as during:
        during.setattr(running._Noting, "__call__", hang)
        running.work_off()
    [next_one], row = next_ones, Import.objects.get()
    left = Item.objects.filter(project=project).count()
    running._work(next_one)

    assert 0 < left < 300
    assert (row.claim, row.state) == (next_one.claim, "running")
    assert row.working_until == next_one.working_until
    assert jobs.read_import(owner, project.path, import_id=found.import_id).state == "done"
    assert Item.objects.filter(project=project).count() == 300


@pytest.mark.parametrize("raised", [DatabaseError, running._StoppedError])
def test_who_hung_and_then_fails_takes_nothing_from_the_next(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch, raised: type[Exception]
) -> None:
    checked(owner, project, beads("Pour the tea"))
    Import.objects.update(state="running")

    def hang(*_order: object, **_more: object) -> None:
        Import.objects.update(claim="the-next-one", working_until=timezone.now() + running.LEASE)
        raise raised

    monkeypatch.setattr(running, "run_import", hang)
    running.work_off()

    row = Import.objects.get()
    assert (row.claim, row.state, row.report.get("reason")) == ("the-next-one", "running", None)
    assert row.working_until is not None


def test_a_beat_prolongs_no_claim_of_another(owner: Caller, project: Project) -> None:
    checked(owner, project, beads("Pour the tea"))
    Import.objects.update(state="running")
    late = running._claim(timezone.now())
    assert late is not None
    running._claim(timezone.now() + running.LEASE + timedelta(seconds=1))

    assert not running._mine(late).exists()


def test_an_import_whose_file_is_missing_ends(owner: Caller, project: Project) -> None:
    found = checked(owner, project, beads("Pour the tea"))
    jobs.start_import(owner, project.path, import_id=found.import_id)
    ImportFile.objects.all().delete()

    assert running.work_off() == 1
    after = jobs.read_import(owner, project.path, import_id=found.import_id)
    assert (after.state, after.is_unfinished) == ("failed", False)


def revoke(key_id: int) -> None:
    AgentKey.objects.filter(pk=key_id).update(revoked_at=timezone.now())


def expire(key_id: int) -> None:
    AgentKey.objects.filter(pk=key_id).update(expires_at=timezone.now())


def remove(key_id: int) -> None:
    AgentKey.objects.filter(pk=key_id).delete()


@pytest.mark.parametrize("end", [revoke, expire, remove])
def test_an_agents_import_ends_with_the_key_that_began_it_whatever_other_keys_there_are(
    alice: Person, project: Project, end: Callable[[int], None]
) -> None:
    agent = agent_caller(alice)
    assert agent.key is not None
    found = checked(agent, project, beads("Pour the tea"))
    agent_caller(alice)  # a newer key of the same agent
    jobs.start_import(agent, project.path, import_id=found.import_id)
    end(agent.key.key_id)

    running.work_off()

    row = Import.objects.get()
    assert (row.state, row.report["reason"]) == ("failed", running.NO_RIGHTS)
    assert Item.objects.filter(project=project).count() == 0


def test_a_newer_key_that_may_less_takes_nothing_from_an_import(
    alice: Person, project: Project
) -> None:
    agent = agent_caller(alice)
    found = checked(agent, project, beads("Pour the tea"))
    agent_caller(alice, projects=[make_project(alice, "other")], always_review=True)
    jobs.start_import(agent, project.path, import_id=found.import_id)

    running.work_off()

    assert Import.objects.get().state == "done"
    assert Item.objects.filter(project=project).count() == 1


def test_the_server_looks_again_when_the_first_report_has_been_kept_long_enough(
    alice: Person, project: Project
) -> None:
    now = timezone.now()
    assert running._pause(now) is None

    ended_import(alice, project)
    far = running._pause(now)
    Import.objects.update(ended=now - running.KEPT_ENDED + timedelta(minutes=2))
    near = running._pause(now)

    assert far == running.LONGEST_PAUSE
    assert near == pytest.approx(121, abs=1)


def test_an_import_that_is_worked_on_for_more_than_a_day_has_nobody_ask_every_second(
    owner: Caller, project: Project
) -> None:
    now = timezone.now()
    checked(owner, project, beads("Pour the tea"))
    Import.objects.update(
        state="running", created=now - timedelta(hours=25), working_until=now + running.LEASE
    )

    pause = running._pause(now)

    assert pause == pytest.approx(running.LEASE.total_seconds() + 1, abs=0.1)


def test_neither_a_page_nor_a_note_of_the_progress_touches_the_file(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(owner, project, beads("Pour the tea"))
    done(owner, project, beads("Wash up"))
    monkeypatch.setattr(running, "NOTE_SECONDS", 0)

    with CaptureQueriesContext(connection) as asked:
        jobs.read_import(owner, project.path, import_id=found.import_id)
        jobs.list_imports(owner, project.path)
        running._Noting(Import.objects.get(public_id=found.import_id))(1)

    assert Import.objects.get(public_id=found.import_id).done == 1
    assert "importfile" not in str(asked.captured_queries)
