"""Imports that are begun: who may, what becomes of the file, and that none is worked on twice."""

import hashlib
import time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from conderis.accounts.models import AgentKey, AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import (
    Conflict,
    Denied,
    DomainError,
    Invalid,
    NotFound,
    RateLimited,
    TooLarge,
)
from exchange import jobs, running
from exchange.importers.base import Importer
from exchange.jobs import Choice, Upload
from exchange.models import Import, ImportFile
from exchange.uploads import importer_of
from items.models import Item
from projects.models import Project
from tests.exchange.jobs_world import beads, begin, checked, done
from tests.factories import agent_caller, make_project, person_caller
from tests.projects.test_at_once import at_once

SECRET = "The key is AKIAIOSFODNN7EXAMPLE."


@pytest.fixture
def owner(alice: Person) -> Caller:
    return person_caller(alice)


def test_a_check_writes_nothing_and_says_what_the_import_then_does(
    owner: Caller, project: Project
) -> None:
    content = beads("Pour the tea", "Wash up") + b"no json\n"

    found = checked(owner, project, content)
    made_by_the_check = Item.objects.filter(project=project).count()
    ended = done(owner, project, content)

    assert (found.state, made_by_the_check) == ("checked", 0)
    assert (ended.state, ended.import_id) == ("done", found.import_id)
    assert ended.report == found.report
    assert ended.made == {"task": 2}
    assert len(ended.report["leftOut"]) == 1
    assert Item.objects.filter(project=project).count() == 2


def test_the_end_of_an_import_empties_its_file(owner: Caller, project: Project) -> None:
    ended = done(owner, project, beads("Pour the tea"))

    ended_row = Import.objects.get(public_id=ended.import_id)
    assert (ended_row.digest, ImportFile.objects.count()) == ("", 0)


def test_the_same_file_again_makes_nothing_twice(owner: Caller, project: Project) -> None:
    first = done(owner, project, beads("Pour the tea"))
    again = done(owner, project, beads("Pour the tea"))

    assert again.import_id != first.import_id
    assert (again.made, again.report["known"]) == ({}, 1)
    assert Item.objects.filter(project=project).count() == 1


def test_a_file_that_is_sent_twice_is_one_import(owner: Caller, project: Project) -> None:
    first, second = (begin(owner, project, beads("Pour the tea")) for _ in range(2))

    assert first.import_id == second.import_id
    assert Import.objects.count() == 1


def test_the_same_file_of_another_person_is_another_import(
    owner: Caller, carol: Person, project: Project
) -> None:
    first = begin(owner, project, beads("Pour the tea"))
    second = begin(person_caller(carol), project, beads("Pour the tea"))

    assert first.import_id != second.import_id


def test_whoever_may_not_publish_begins_no_import(
    bob: Person, rita: Person, mallory: Person, project: Project
) -> None:
    for person in (bob, rita):
        with pytest.raises(Denied):
            begin(person_caller(person), project, beads("Pour the tea"))
    with pytest.raises(NotFound):
        begin(person_caller(mallory), project, beads("Pour the tea"))

    assert Import.objects.count() == 0


def test_an_agent_whose_changes_always_need_review_begins_none(
    alice: Person, project: Project
) -> None:
    plain, reviewed = agent_caller(alice), agent_caller(alice, "new", always_review=True)

    with pytest.raises(Denied):
        begin(reviewed, project, beads("Pour the tea"))

    assert begin(plain, project, beads("Pour the tea")).agent == "robo"


def test_others_who_publish_see_that_there_is_an_import_and_nothing_of_the_file(
    owner: Caller, carol: Person, project: Project
) -> None:
    ended = done(owner, project, beads("Pour the tea") + b"no json\n")
    other = person_caller(carol)

    [seen] = jobs.list_imports(other, project.path)
    with pytest.raises(NotFound):
        jobs.read_import(other, project.path, import_id=ended.import_id)
    with pytest.raises(NotFound):
        jobs.delete_import(other, project.path, import_id=ended.import_id)

    assert (seen.by, seen.state, seen.made) == ("Alice", "done", {"task": 1})
    assert (seen.name, seen.report, seen.is_own) == ("", {}, False)
    assert set(seen.as_answer()) == {
        "import", "state", "importer", "by", "created", "ended", "done", "total", "made",
    }  # fmt: skip


def test_an_import_is_found_in_its_own_project_alone(
    owner: Caller, alice: Person, project: Project
) -> None:
    elsewhere = make_project(alice, "elsewhere")
    begun = begin(owner, project, beads("Pour the tea"))

    with pytest.raises(NotFound):
        jobs.read_import(owner, elsewhere.path, import_id=begun.import_id)
    assert jobs.list_imports(owner, elsewhere.path) == []


@pytest.mark.parametrize(
    ("upload", "refusal"),
    [
        (Upload("empty.json", b""), Invalid),
        (Upload("broken.zip", b"PK\x03\x04 and then nothing"), Invalid),
        (Upload("holiday.jpg", b"\xff\xd8\xff\xe0"), Invalid),
        (Upload("large.jsonl", beads("x" * 2**20)), TooLarge),
    ],
    ids=lambda value: value.name if isinstance(value, Upload) else "",
)
def test_what_cannot_be_an_import_is_refused_at_once(
    owner: Caller, project: Project, settings: Settings, upload: Upload, refusal: type[DomainError]
) -> None:
    settings.IMPORT_MAX_BYTES = 2**20

    with pytest.raises(refusal):
        begin(owner, project, upload.content, upload.name)

    assert Import.objects.count() == 0
    assert begin(owner, project, beads("x" * 2**19)).state == "checking"


def test_the_refusal_of_an_unknown_format_names_those_that_are_known(
    owner: Caller, project: Project
) -> None:
    with pytest.raises(Invalid) as refused:
        begin(owner, project, b"\xff\xd8\xff\xe0", "holiday.jpg")

    assert {"beads", "conderis"} <= set(refused.value.details["allowed"])


def test_a_person_has_three_unfinished_imports_at_most(owner: Caller, project: Project) -> None:
    begun = [begin(owner, project, beads(title)) for title in ("one", "two", "three")]

    with pytest.raises(RateLimited):
        begin(owner, project, beads("four"))
    jobs.stop_import(owner, project.path, import_id=begun[0].import_id)

    assert begin(owner, project, beads("four")).state == "checking"


@pytest.mark.django_db(transaction=True)
def test_a_file_is_read_before_anything_is_locked_and_never_compared_whole(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: list[bool] = []

    def looked_at(name: str, content: bytes, *, importer: str) -> Importer:
        locked.append(connection.in_atomic_block)
        return importer_of(name, content, importer=importer)

    monkeypatch.setattr(jobs, "importer_of", looked_at)
    content = beads("Pour the tea")
    begin(owner, project, content)
    with CaptureQueriesContext(connection) as asked:
        begin(owner, project, content)

    assert locked == [False, False]
    assert "Pour the tea" not in str(asked.captured_queries)
    assert Import.objects.get().digest not in ("", hashlib.sha256(content).hexdigest())


@pytest.mark.django_db(transaction=True)
def test_three_unfinished_imports_are_never_four_in_two_projects_at_once(
    owner: Caller, alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_project(alice, "other")
    for title in ("one", "two"):
        begin(owner, project, beads(title))
    recorded = jobs._record

    def late(*what: Any) -> None:
        time.sleep(0.5)  # what is made is not seen by others before this ends
        recorded(*what)

    monkeypatch.setattr(jobs, "_record", late)

    outcomes = at_once(
        lambda: begin(owner, project, beads("three")), lambda: begin(owner, other, beads("four"))
    )

    assert outcomes == ["done", "rate_limited"]
    assert Import.objects.count() == 3


def test_a_stopped_import_does_nothing_more(owner: Caller, project: Project) -> None:
    found = checked(owner, project, beads("Pour the tea"))

    jobs.start_import(owner, project.path, import_id=found.import_id)
    jobs.stop_import(owner, project.path, import_id=found.import_id)
    worked = running.work_off()

    stopped = jobs.read_import(owner, project.path, import_id=found.import_id)
    assert (worked, stopped.state) == (0, "canceled")
    assert Item.objects.filter(project=project).count() == 0
    with pytest.raises(Conflict):
        jobs.start_import(owner, project.path, import_id=found.import_id)


def test_an_import_that_is_stopped_while_it_runs_ends_between_two_chunks(
    owner: Caller, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(owner, project, beads(*(f"Buoy {number}" for number in range(300))))
    jobs.start_import(owner, project.path, import_id=found.import_id)
    noting = running._Noting.__call__

    def stop_after_the_first(self: running._Noting, worked: int) -> None:
        Import.objects.update(state=Import.State.CANCELED, ended=timezone.now())
        noting(self, worked)

    monkeypatch.setattr(running._Noting, "__call__", stop_after_the_first)
    running.work_off()

    made = Item.objects.filter(project=project).count()
    assert 0 < made < 300
    assert jobs.read_import(owner, project.path, import_id=found.import_id).state == "canceled"


def test_starting_twice_is_starting_once(owner: Caller, project: Project) -> None:
    found = checked(owner, project, beads("Pour the tea"))

    states = [
        jobs.start_import(owner, project.path, import_id=found.import_id).state for _ in range(2)
    ]
    running.work_off()
    after = jobs.start_import(owner, project.path, import_id=found.import_id)

    assert (states, after.state, running.work_off()) == (["running"] * 2, "done", 0)
    assert Item.objects.filter(project=project).count() == 1


def test_an_import_that_was_not_checked_cannot_be_started(owner: Caller, project: Project) -> None:
    begun = begin(owner, project, beads("Pour the tea"))

    with pytest.raises(Conflict):
        jobs.start_import(owner, project.path, import_id=begun.import_id)


def test_texts_that_look_like_secrets_come_in_only_where_a_person_says_so(
    owner: Caller, alice: Person, project: Project
) -> None:
    found = checked(owner, project, beads("Sign in", description=SECRET))
    anyway = Choice(store_anyway=True)

    with pytest.raises(Denied):
        jobs.check_again(agent_caller(alice), project.path, import_id=found.import_id,
                         choice=anyway)  # fmt: skip
    jobs.check_again(owner, project.path, import_id=found.import_id, choice=anyway)
    running.work_off()
    again = jobs.read_import(owner, project.path, import_id=found.import_id)

    assert (found.made, found.report["secrets"]) == ({}, 1)
    assert "AKIA" not in str(found.report)
    assert (again.state, again.made) == ("checked", {"task": 1})


def test_an_agent_whose_key_has_ended_imports_nothing_more(alice: Person, project: Project) -> None:
    agent = agent_caller(alice)
    found = checked(agent, project, beads("Pour the tea"))
    jobs.start_import(agent, project.path, import_id=found.import_id)
    AgentKey.objects.update(revoked_at=timezone.now())

    running.work_off()

    [seen] = jobs.list_imports(person_caller(alice), project.path)
    assert (found.state, seen.state) == ("checked", "failed")
    assert Item.objects.filter(project=project).count() == 0


def test_who_has_lost_the_role_imports_nothing_more(carol: Person, project: Project) -> None:
    caller = person_caller(carol)
    found = checked(caller, project, beads("Pour the tea"))
    jobs.start_import(caller, project.path, import_id=found.import_id)
    project.members.filter(person=carol).update(role="reader")

    running.work_off()

    row = Import.objects.get(public_id=found.import_id)
    assert (row.state, ImportFile.objects.count()) == ("failed", 0)
    assert Item.objects.filter(project=project).count() == 0


def test_the_list_costs_the_same_for_two_and_for_twelve(owner: Caller, project: Project) -> None:
    def cost(many: int) -> int:
        for number in range(many):
            done(owner, project, beads(f"{number} of {many}", prefix=f"x{many}"))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            jobs.list_imports(owner, project.path)
        return len(asked)

    assert cost(2) == cost(10)


def test_the_deeds_of_an_import_are_in_the_audit_log_without_the_name_of_the_file(
    owner: Caller, project: Project
) -> None:
    ended = done(owner, project, beads("Pour the tea"))
    jobs.delete_import(owner, project.path, import_id=ended.import_id)

    rows = AuditEvent.objects.filter(subject=f"import:{ended.import_id}").order_by("pk")
    assert [row.action for row in rows] == ["import.begun", "import.started", "import.deleted"]
    assert "issues.jsonl" not in str(list(AuditEvent.objects.values_list()))
    assert Item.objects.filter(project=project).count() == 1


def test_an_upload_is_not_shown_where_it_is_printed() -> None:
    assert "secret" not in repr(Upload("a.json", b"secret"))
