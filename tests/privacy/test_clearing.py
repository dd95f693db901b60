"""Clearing the database's files: what could not be cleared is tried again until it is."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from items.models import Item, ItemEvent
from privacy import clearing, files
from privacy.clearing import count_unfinished, finish_erasures, put_off
from privacy.ending_organizations import end_organization
from privacy.erasing import erase_items, erase_project
from privacy.leaving import NameChoice, delete_account
from privacy.models import DeletionRequest, Erasure
from projects.models import Project
from proposals.organization_instructions import store_organization_instructions
from tests.factories import agent_caller, person_caller
from tests.items.calls import create
from tests.privacy.deletions import ask, erase, request_at
from tests.projects.making import make_organization
from tests.proposals.reviews import page, propose
from tests.web.deletion_pages import at
from tests.web.settings_pages import signed_in_long_ago

pytestmark = pytest.mark.django_db(transaction=True)


def _leave(carol: Person, _project: Project) -> None:
    delete_account(person_caller(carol), keep_name=NameChoice.REMOVE, typed_handle=carol.handle)


def _end_project(_carol: Person, project: Project) -> None:
    with transaction.atomic():
        erase_project(Operator(), project)


def _end_organization(carol: Person, _project: Project) -> None:
    make_organization(carol)
    owner = person_caller(carol)
    store_organization_instructions(owner, handle="acme", content="zanzibar", version=None)
    end_organization(owner, handle="acme")


@pytest.mark.parametrize("end", [_leave, _end_project, _end_organization])
def test_what_nobody_asked_for_is_cleared_later_where_that_failed_at_first(
    carol: Person, project: Project, end: Callable[[Person, Project], None]
) -> None:
    with put_off():
        end(carol, project)
    left = count_unfinished()
    with transaction.atomic():
        finish_erasures()
        left_in_a_transaction = count_unfinished()

    finish_erasures()

    assert left > 0
    assert left_in_a_transaction == left
    assert count_unfinished() == 0
    assert set(Erasure.objects.values_list("cleared", flat=True)) == {True}


@pytest.mark.parametrize("end", [_leave, _end_project, _end_organization])
def test_what_can_be_cleared_at_once_is(
    carol: Person, project: Project, end: Callable[[Person, Project], None]
) -> None:
    end(carol, project)

    assert Erasure.objects.exists()
    assert count_unfinished() == 0


def test_a_request_counts_once_while_it_is_unfinished(alice: Person, project: Project) -> None:
    page(project, alice, title="Secret")
    ref = ask(person_caller(alice), project, 1)

    with put_off():
        erase(alice, ref)

    assert Erasure.objects.filter(cleared=False).count() == 1
    assert count_unfinished() == 1


def test_nothing_is_written_anew_where_all_has_been_cleared(
    alice: Person, project: Project
) -> None:
    page(project, alice, title="Secret")
    erase(alice, ask(person_caller(alice), project, 1))

    with CaptureQueriesContext(connection) as queries:
        finish_erasures()

    assert not any("VACUUM" in query["sql"] for query in queries)


@contextmanager
def before_clearing(work: Callable[[], object]) -> Iterator[None]:
    """Have something happen once, when the files begin to be written anew."""
    waiting = [work]

    def watch(execute: Any, sql: str, *more: Any) -> Any:
        if "VACUUM" in sql and waiting:
            waiting.pop()()
        return execute(sql, *more)

    with connection.execute_wrapper(watch):
        yield
    assert not waiting


def test_a_request_that_goes_while_files_are_cleared_does_not_keep_others_from_being_finished(
    alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    gone_memory = create(owner, None, "memory", title="Gone")
    stays_memory = create(owner, None, "memory", title="Stays")
    gone, stays = (ask(owner, None, str(each["ref"])) for each in (gone_memory, stays_memory))
    with put_off():
        erase(alice, gone)
        erase(alice, stays)

    def go() -> None:
        with put_off(), transaction.atomic():
            items = Item.objects.filter(deletion_requests=request_at(gone))
            erase_items(items, by=alice.ref)

    with before_clearing(go):
        finished = finish_erasures()

    assert finished == 1
    assert DeletionRequest.objects.get().ref == stays
    assert request_at(stays).state == "erased"
    assert count_unfinished() == 1  # what has gone meanwhile is left to the next time
    finish_erasures()
    assert count_unfinished() == 0


def test_looking_at_a_request_begins_to_clear_once_in_a_minute(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(project, alice, title="Secret")
    ref = ask(person_caller(alice), project, 1)
    with put_off():
        erase(alice, ref)
    client, address = signed_in_long_ago(alice), at(ref.removeprefix("deletion:"))

    def look() -> str:
        client.get(address)
        return request_at(ref).state

    monkeypatch.setattr(clearing, "PAUSE_SECONDS", 0)
    first = look()
    monkeypatch.undo()
    DeletionRequest.objects.update(state="erasing")
    soon = look()
    monkeypatch.setattr(clearing, "PAUSE_SECONDS", 0)
    later = look()

    assert (first, soon, later) == ("erased", "erasing", "erased")


def test_a_large_file_of_sqlite_is_written_anew_as_a_whole_by_command_alone(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's tables are always written anew")
    monkeypatch.setattr(files, "SMALL_BYTES", 0)
    page(project, alice, title="Secret")
    item = Item.objects.get()
    rows = [ItemEvent(item=item, event="x", author=alice, reason="z" * 900) for _ in range(500)]
    ItemEvent.objects.bulk_create(rows)
    ItemEvent.objects.filter(event="x").delete()
    erase(alice, ask(person_caller(alice), project, 1))
    by_itself = free_pages()
    out = StringIO()

    call_command("finish_erasures", "--whole", "--json", stdout=out)

    assert by_itself > 50
    assert free_pages() == 0
    assert json.loads(out.getvalue()) == {"finished": 0, "left": 0}


def free_pages() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA freelist_count")
        return int(cursor.fetchone()[0])


def test_postgresql_writes_every_table_with_texts_of_people_anew() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's file is written anew as a whole")
    before = tables()

    assert files.clear_files()

    after = tables()
    kept = {name for name, place in before.items() if after[name] == place}
    # Numbers alone, and texts of the program.
    assert kept <= {
        "accounts_person_groups", "accounts_person_user_permissions", "auth_group",
        "auth_group_permissions", "auth_permission", "django_content_type", "django_migrations",
        "accounts_agentusage", "cache", "items_hygienepoint", "items_searchformat",
        "projects_keyproject",
    }  # fmt: skip
    assert {"accounts_person", "projects_project", "account_emailaddress"} <= set(before)


def tables() -> dict[str, int]:
    """The file of every table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relfilenode FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def test_a_request_for_a_proposal_locks_its_project_then_the_person_then_the_proposal(
    alice: Person, bob: Person, project: Project
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks no rows")
    page(project, alice, title="Deploying")
    proposal = propose(agent_caller(bob), project, 1, title="Releasing")

    with CaptureQueriesContext(connection) as queries:
        ask(person_caller(alice), None, proposal)

    locked = [
        re.search(r'UPDATE OF "(\w+)"|FROM "(\w+)"(?!.*UPDATE OF)', query["sql"])
        for query in queries
        if "FOR NO KEY UPDATE" in query["sql"]
    ]
    names = [found[1] or found[2] for found in locked if found]
    first = [name for n, name in enumerate(names) if name not in names[:n]]
    assert first == ["projects_project", "accounts_person", "proposals_proposal"]
