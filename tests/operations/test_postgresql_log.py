"""PostgreSQL's log holds no stored text: not beside a statement that failed either.

Reads the log of the tests' own server, so it is left out where that is somebody else's
(`.ci/postgres.sh` says where it is).
"""

import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import Error, connection, connections, transaction

from conderis.accounts.models import Person
from conderis.operations.postgresql import settings_that_log_texts
from items.models import Item
from projects.models import Project
from tests.items.rows import make_item
from tests.operations.test_serving_on_postgresql import ADDRESS, address_of, fresh_database
from tests.running import ROOT

LOG = os.environ.get("CONDERIS_TEST_POSTGRES_LOG", "")
pytestmark = [
    pytest.mark.skipif(
        not LOG or connection.vendor != "postgresql", reason="for PostgreSQL whose log is known"
    ),
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone,
]


@pytest.fixture
def marker() -> str:
    """A word that nothing else wrote into the log."""
    return f"XQZ{secrets.token_hex(8)}XQZ"


def logged_since(offset: int, expected: str) -> str:
    """What the log got from there on, once it tells of what is expected."""
    deadline = time.monotonic() + 10
    while True:
        said = Path(LOG).read_bytes()[offset:].decode(errors="replace")
        if expected in said or time.monotonic() > deadline:
            assert expected in said
            return said
        time.sleep(0.05)


@contextmanager
def impatient() -> Iterator[None]:
    """A transaction that gives up where it must wait."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '50ms'")
        yield


def test_a_statement_that_fails_is_logged_without_its_texts(project: Project, marker: str) -> None:
    item = make_item(project, title="walrus")
    offset = Path(LOG).stat().st_size

    with pytest.raises(Error), transaction.atomic():
        Item.objects.filter(pk=item.pk).update(
            title=marker, content=marker * 100, public_id=marker * 2
        )

    said = logged_since(offset, "value too long")
    assert 'UPDATE "items_item"' in said
    assert marker not in said


def test_a_statement_that_waits_too_long_is_logged_without_its_texts(
    project: Project, marker: str
) -> None:
    item = make_item(project, title="walrus")
    offset = Path(LOG).stat().st_size

    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT 1 FROM items_item WHERE id = %s FOR UPDATE", [item.pk])
        with pytest.raises(Error), impatient():
            Item.objects.filter(pk=item.pk).update(content=marker)

    said = logged_since(offset, "canceling statement due to lock timeout")
    assert marker not in said


def test_a_deadlock_is_logged_without_the_texts_of_either_side(
    project: Project, marker: str
) -> None:
    first, second = (make_item(project, title=title) for title in ("walrus", "badger"))
    offset = Path(LOG).stat().st_size
    both = threading.Barrier(2)
    failed: list[str] = []

    def change(one: int, other: int) -> None:
        try:
            with transaction.atomic():
                Item.objects.filter(pk=one).update(content=marker)
                both.wait()
                Item.objects.filter(pk=other).update(content=marker)
        except Error as error:
            failed.append(str(error))
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=change, args=pair)
        for pair in ((first.pk, second.pk), (second.pk, first.pk))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    said = logged_since(offset, "deadlock detected")
    assert len(failed) == 1
    assert marker not in said


def documented() -> list[str]:
    """The statements that docs/operating.md has for the log."""
    text = (ROOT / "docs" / "operating.md").read_text()
    return re.findall(r"ALTER DATABASE conderis (SET log_\w+ = \w+);", text)


@pytest.fixture
def terse() -> Iterator[Callable[[], psycopg.Connection[object]]]:
    """Sessions of Conderis's user, in a database with the documented settings."""
    statements = documented()
    assert len(statements) == 3
    with fresh_database() as name:
        with psycopg.connect(address_of(name), user="postgres", autocommit=True) as superuser:
            for statement in statements:
                superuser.execute(f"ALTER DATABASE {name} {statement}".encode())
        yield lambda: psycopg.connect(address_of(name), autocommit=True)


def test_with_the_documented_settings_a_failed_constraint_shows_no_row(
    terse: Callable[[], psycopg.Connection[object]], marker: str
) -> None:
    offset = Path(LOG).stat().st_size

    with terse() as session:
        session.execute("CREATE TABLE kept (word text UNIQUE, CHECK (word <> 'no'), size int)")
        session.execute("INSERT INTO kept VALUES (%s)", [marker])
        with pytest.raises(psycopg.errors.UniqueViolation):
            session.execute("INSERT INTO kept VALUES (%s)", [marker])
        session.execute("ALTER TABLE kept ADD CHECK (size > 0)")
        with pytest.raises(psycopg.errors.CheckViolation):
            session.execute("INSERT INTO kept VALUES (%s, -1)", [f"{marker} again"])

    said = logged_since(offset, "kept_size_check")
    assert "duplicate key value" in said
    assert marker not in said


def test_a_start_could_say_which_settings_write_texts_down(alice: Person) -> None:
    assert settings_that_log_texts() == []

    with connection.cursor() as cursor:
        cursor.execute("SET log_parameter_max_length_on_error = -1")
        try:
            assert settings_that_log_texts() == ["log_parameter_max_length_on_error"]
        finally:
            cursor.execute("RESET log_parameter_max_length_on_error")


def test_the_tests_know_the_log_of_their_own_server() -> None:
    assert ADDRESS.startswith("postgres")
    assert Path(LOG).is_file()
