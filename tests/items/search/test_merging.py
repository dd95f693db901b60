"""What was indexed piece by piece is read as if it had come at once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection

from conderis.accounts.models import Person
from exchange.writing import running
from items import search
from projects.models import Project
from tests.exchange.sources import order_of, record
from tests.factories import person_caller
from tests.items.calls import change, create
from tests.items.listed import titles

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no pieces")


def pieces() -> int:
    """Segments of the index, each with lists of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(DISTINCT segid) FROM items_search_idx")
        return int(cursor.fetchone()[0])


@pytest.fixture
def written(alice: Person, project: Project) -> Project:
    caller = person_caller(alice)
    for number in range(1, 7):
        create(caller, project, "task", title=f"needle {number}")
        change(caller, project, number, 1, content="in the hay")
    return project


def test_merging_leaves_one_piece_and_all_that_is_found(alice: Person, written: Project) -> None:
    caller = person_caller(alice)
    found = titles(caller, written, "task", query="needle hay")
    assert pieces() > 1

    search.merge()

    assert pieces() == 1
    assert titles(caller, written, "task", query="needle hay") == found
    assert len(found) == 6


def test_an_index_made_anew_is_one_piece(written: Project) -> None:
    search.rebuild()

    assert pieces() == 1


def test_a_large_import_merges_the_index_and_a_small_one_does_not(
    alice: Person, written: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MANY", 3)
    caller = person_caller(alice)

    running.run_import(caller, order_of(written, [record("a"), record("b")]))
    assert pieces() > 1

    running.run_import(caller, order_of(written, [record(each) for each in "cde"]))
    assert pieces() == 1


def test_an_import_is_whole_though_the_database_refuses_to_merge(
    alice: Person, written: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_merges(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
        if "rank" in sql and "INTO items_search " in sql:
            raise OperationalError("database or disk is full")
        return execute(sql, *others)

    monkeypatch.setattr(running, "MANY", 1)
    caller = person_caller(alice)

    with connection.execute_wrapper(refuse_merges):
        report = running.run_import(caller, order_of(written, [record("a"), record("b")]))

    assert report.made == {"task": 2}
    assert pieces() > 1
