"""SQLite's log beside the database stays small under load, and becomes so again after a reader
that kept it from being brought into the file.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import ConnectionHandler

from conderis.common import databases

pytestmark = pytest.mark.django_db
MEGABYTE = 1_000_000
TEXT = "x" * 20_000


@pytest.fixture
def handler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConnectionHandler]:
    """Connections as the product opens them, to a file of their own."""
    monkeypatch.setattr(databases, "LOG_BYTES", 2 * MEGABYTE)
    settings = databases.database("", folder=tmp_path, connections=1)
    made = ConnectionHandler({"default": settings})
    with made["default"].cursor() as cursor:
        cursor.execute("CREATE TABLE text (id INTEGER PRIMARY KEY, said TEXT)")
    yield made
    made["default"].close()


def write(handler: ConnectionHandler, times: int) -> None:
    with handler["default"].cursor() as cursor:
        for _ in range(times):
            cursor.execute("INSERT INTO text (said) VALUES (%s)", [TEXT])


def log_bytes(folder: Path) -> int:
    return (folder / "conderis.sqlite3-wal").stat().st_size


def another(handler: ConnectionHandler) -> Any:
    return handler.create_connection("default")


def test_under_steady_load_with_readers_that_end_the_log_stays_small(
    handler: ConnectionHandler, tmp_path: Path
) -> None:
    largest = 0
    with closing(another(handler)) as reader:
        for _ in range(40):
            write(handler, 50)
            with reader.cursor() as cursor:
                cursor.execute("SELECT COUNT(*) FROM text")
                cursor.fetchone()
            largest = max(largest, log_bytes(tmp_path))

    assert (tmp_path / "conderis.sqlite3").stat().st_size > 30 * MEGABYTE
    assert largest < 8 * MEGABYTE  # a thousand pages, and what the last transactions add


def test_a_long_reader_lets_the_log_grow_and_the_writes_after_it_cut_it_again(
    handler: ConnectionHandler, tmp_path: Path
) -> None:
    with closing(another(handler)) as reader:
        with reader.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            cursor.execute("SELECT COUNT(*) FROM text")
            cursor.fetchone()
            write(handler, 600)
            grown = log_bytes(tmp_path)
            cursor.execute("ROLLBACK")
        write(handler, 5)

    assert grown > 10 * MEGABYTE
    assert log_bytes(tmp_path) <= 2 * MEGABYTE + 200_000


def test_the_log_is_cut_to_64_megabytes_in_what_is_served() -> None:
    settings = databases.database("", folder=Path("unused"), connections=1)

    assert "PRAGMA journal_size_limit=67108864;" in settings["OPTIONS"]["init_command"]
