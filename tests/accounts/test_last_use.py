"""When a key was last used: seldom written, never in the way."""

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError
from pytest_django import DjangoAssertNumQueries

from conderis.accounts import last_use
from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from projects.keys import create_agent_key

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def nothing_noted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process of its own, without a writer in the background."""
    uses = last_use._Uses()
    uses.writer = threading.Thread()
    monkeypatch.setattr(last_use, "_uses", uses)
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def key(alice: Person) -> AgentKey:
    return create_agent_key(Operator(), person=alice, wish=KeyWish(name="Codex")).key


def last_used(key: AgentKey) -> datetime | None:
    return AgentKey.objects.values_list("last_used_at", flat=True).get(pk=key.pk)


def test_a_use_is_noted_without_a_query_and_written_by_the_flush(
    key: AgentKey, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        last_use.note_use(key.pk)
    assert last_used(key) is None

    last_use.flush()

    assert last_used(key) == NOW


def test_reading_a_key_notes_its_use(alice: Person) -> None:
    made = create_agent_key(Operator(), person=alice, wish=KeyWish(name="Codex"))

    caller_of_key(made.text, surface=Surface.MCP)
    last_use.flush()

    assert last_used(made.key) == NOW


def test_many_uses_within_a_minute_are_one_write(
    key: AgentKey, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with time_machine.travel(NOW, tick=False) as clock, django_assert_max_num_queries(3):
        for _ in range(59):
            last_use.note_use(key.pk)
            last_use.flush()
            clock.shift(1)
    assert last_used(key) == NOW

    with time_machine.travel(NOW + timedelta(minutes=1), tick=False):
        last_use.note_use(key.pk)
        last_use.flush()

    assert last_used(key) == NOW + timedelta(minutes=1)


def test_what_another_process_wrote_within_the_minute_stands(key: AgentKey) -> None:
    other = NOW - timedelta(seconds=30)
    AgentKey.objects.filter(pk=key.pk).update(last_used_at=other)

    last_use.note_use(key.pk)
    last_use.flush()

    assert last_used(key) == other


def test_a_failing_write_disturbs_nobody_and_the_next_use_is_written(
    key: AgentKey, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def locked(_waiting: object) -> None:
        raise OperationalError("database is locked")

    last_use.note_use(key.pk)
    with monkeypatch.context() as patched:
        patched.setattr(last_use, "_write", locked)
        last_use.flush()
    assert last_used(key) is None

    last_use.note_use(key.pk)
    last_use.flush()

    assert last_used(key) == NOW
    assert not [entry for entry in caplog.records if entry.levelname != "DEBUG"]


def test_memory_stays_bounded_however_many_keys_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(last_use, "MOST_REMEMBERED", 10)

    for key_id in range(1000):
        last_use.note_use(key_id)

    assert len(last_use._uses.noted) <= 10


def test_the_writer_of_the_background_gives_up_soon_on_a_locked_file(
    tmp_path: object,
) -> None:
    # What the wait of the background's own connection rests on: SQLite obeys the pragma.
    name = f"{tmp_path}/file.sqlite3"
    with sqlite3.connect(name) as one:
        one.execute("CREATE TABLE rows (id)")
    holder = sqlite3.connect(name, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    waiting = sqlite3.connect(name, isolation_level=None, timeout=60)
    waiting.execute(f"PRAGMA busy_timeout = {last_use.LOCK_WAIT_MS}")

    with pytest.raises(sqlite3.OperationalError, match="locked"):
        waiting.execute("BEGIN IMMEDIATE")

    waiting.close()
    holder.close()
