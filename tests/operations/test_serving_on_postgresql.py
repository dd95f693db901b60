"""The server on PostgreSQL: real processes on a database of their own.

Left out where the suite runs on SQLite.
"""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.operations.processes import launch, manage, serving, wait_for_answer
from tests.ports import free_port

ADDRESS = os.environ.get("DATABASE_URL", "")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ADDRESS.startswith("postgres"), reason="for PostgreSQL"),
]


def address_of(name: str) -> str:
    return urlsplit(ADDRESS)._replace(path=f"/{name}").geturl()


def on_server(statement: str) -> None:
    with psycopg.connect(ADDRESS, autocommit=True) as connection:
        connection.execute(statement.encode())


@contextmanager
def fresh_database(options: str = "") -> Iterator[str]:
    name = f"conderis_{secrets.token_hex(6)}"
    on_server(f"CREATE DATABASE {name} {options}")
    try:
        yield name
    finally:
        on_server(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def name() -> Iterator[str]:
    with fresh_database() as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def refused(folder: Path, name: str) -> str:
    port = str(free_port())
    return manage("serve", "--port", port, folder=folder, DATABASE_URL=address_of(name)).fault


def test_the_first_start_sets_all_up_and_a_later_one_finds_it(name: str, folder: Path) -> None:
    with serving(folder, "--json", DATABASE_URL=address_of(name)) as server:
        first = json.loads(server.out)
        assert server.err == ""
    assert server.process.returncode == 0

    with serving(folder, "--json", DATABASE_URL=address_of(name)) as server:
        assert json.loads(server.out).keys() == {"address", "mcp"}

    again = manage("quickstart", "--json", folder=folder, DATABASE_URL=address_of(name))
    assert again.json["key"] == first["key"]
    assert not (folder / "conderis.sqlite3").exists()


def test_first_starts_at_once_make_one_account(name: str, folder: Path) -> None:
    ports = [free_port() for _ in range(3)]
    processes = [launch(folder, port, "--json", DATABASE_URL=address_of(name)) for port in ports]
    try:
        for process, port in zip(processes, ports, strict=True):
            wait_for_answer(process, port, folder)
        answers = [json.loads((folder.parent / f"out-{port}").read_text()) for port in ports]
    finally:
        for process in processes:
            process.terminate()
            process.wait(timeout=180)

    assert sum("key" in answer for answer in answers) == 1


def test_a_database_that_is_not_there_is_refused(folder: Path) -> None:
    assert "cannot be reached" in refused(folder, "conderis_that_nobody_made")


def test_a_database_that_may_only_be_read_is_refused(name: str, folder: Path) -> None:
    on_server(f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    assert "is read-only" in refused(folder, name)


def test_a_database_that_does_not_keep_utf_8_is_refused(folder: Path) -> None:
    options = "ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
    with fresh_database(options) as name:
        assert "must be UTF8" in refused(folder, name)


def test_a_database_newer_than_the_code_is_refused(name: str, folder: Path) -> None:
    assert manage("quickstart", folder=folder, DATABASE_URL=address_of(name)).code == 0
    with psycopg.connect(address_of(name)) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('items', '9999_of_tomorrow', now())"
        )

    assert "made by a newer version of Conderis" in refused(folder, name)
