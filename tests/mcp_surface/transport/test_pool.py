"""The threads of the tools, and their database connections."""

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError, close_old_connections, connection
from pytest_django import Settings

from conderis.accounts.models import Person
from mcp_surface.transport import pool

Answer = TypeVar("Answer")


@pytest.fixture(autouse=True)
def threads(settings: Settings, transactional_db: None) -> Iterator[None]:
    """The pool as it is in production, with one thread."""
    pool.close()
    settings.MCP_THREAD_SENSITIVE = False
    settings.POOL_THREADS = 1
    yield
    run(close_the_connection)
    pool.close()


def run(work: Callable[[], Answer]) -> Answer:
    return async_to_sync(pool.run)(work)


def count_people() -> int:
    return Person.objects.count()


def close_the_connection() -> None:
    connection.close()


def fail_after_a_query() -> None:
    count_people()
    raise OperationalError("broken off")


def end_the_connection() -> None:
    """What a restart of the database does to a connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def held_connection() -> object:
    """What the pool's thread is left with after a call (before this one touches it)."""
    return connection.connection


def keeps_connections() -> bool:
    return connection.vendor == "sqlite"


def test_work_runs_in_a_thread_of_the_pool_and_not_in_the_callers() -> None:
    names = {run(lambda: threading.current_thread().name) for _ in range(3)}

    (name,) = names
    assert name.startswith("mcp")


@pytest.mark.parametrize("work", [count_people, fail_after_a_query], ids=lambda work: work.__name__)
def test_a_connection_goes_back_to_the_database_pool_after_each_call(
    work: Callable[[], object],
) -> None:
    try:
        run(work)
    except OperationalError:
        assert work is fail_after_a_query

    assert (run(held_connection) is not None) == keeps_connections()


def test_a_thread_of_sqlite_keeps_its_connection_from_call_to_call() -> None:
    if not keeps_connections():
        pytest.skip("PostgreSQL has a pool of its own.")
    run(count_people)
    first = run(held_connection)

    run(count_people)

    assert run(held_connection) is first


def test_a_connection_that_broke_is_replaced_for_the_next_call() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("A connection to a file does not break.")
    with pytest.raises(OperationalError):
        run(end_the_connection)

    assert run(count_people) == 0


def test_the_test_threads_own_connection_is_left_alone() -> None:
    count_people()
    mine = connection.connection

    run(close_old_connections)

    assert connection.connection is mine


def test_a_closed_pool_opens_again_with_the_next_call() -> None:
    run(count_people)

    pool.close()

    assert run(count_people) == 0
