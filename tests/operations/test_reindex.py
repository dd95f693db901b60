"""The search index made anew: by its command, and by a start that finds it incomplete."""

import io
import json
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command

from conderis.common.json import JsonObject
from conderis.operations.trial.wire import Era, Wire
from items.models import Item
from items.search import is_complete
from projects.models import Project
from tests.items.rows import make_item
from tests.operations.processes import ROOT, Server, command_line, environment, manage, serving
from tests.operations.test_serving_on_postgresql import ADDRESS, address_of, fresh_database

MENDED = "The search index was incomplete. It was rebuilt: 2 items."
PLACE = {"projectId": "owner/home"}
on_postgresql = pytest.mark.skipif(not ADDRESS.startswith("postgres"), reason="for PostgreSQL")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@contextmanager
def wire_to(server: Server) -> Iterator[Wire]:
    key = (server.folder / "quickstart-key").read_text().strip()
    with Wire(server.port, key, Era.MODERN) as wire:
        yield wire


def asked(wire: Wire, tool: str, **arguments: object) -> JsonObject:
    answer = wire.call(tool, {**PLACE, **arguments})
    assert not answer.is_error, answer.text
    return answer.json


def store(wire: Wire, title: str) -> None:
    asked(wire, "item_store", kind="task", fields={"title": title})


def found(wire: Wire, query: str) -> list[str]:
    answer = asked(wire, "item_list", kind="task", query=query, limit=100)
    return sorted(entry["title"] for entry in answer["items"])


def mended_by_a_start(
    folder: Path, damage: Callable[[], None], *, database: str = ""
) -> tuple[str, dict[str, list[str]]]:
    """What a start says after the damage, and what searches for animals find then."""
    with serving(folder, DATABASE_URL=database) as server, wire_to(server) as wire:
        assert "search index" not in server.out
        for title in ("old walrus", "grey badger"):
            store(wire, title)
    damage()
    with serving(folder, DATABASE_URL=database) as server, wire_to(server) as wire:
        said = server.out
        store(wire, "new walrus")
        return said, {query: found(wire, query) for query in ("walrus", "badger", "otter")}


@pytest.mark.slow
@pytest.mark.no_database
@pytest.mark.parametrize("statement", ["DELETE FROM items_search", "DROP TABLE items_search"])
def test_a_start_rebuilds_an_index_that_is_not_whole_and_says_so_in_one_line(
    folder: Path, statement: str
) -> None:
    def damage() -> None:
        with closing(sqlite3.connect(folder / "conderis.sqlite3")) as database, database:
            database.execute(statement)
            database.execute("UPDATE items_item SET title='otter' WHERE title='grey badger'")

    said, hits = mended_by_a_start(folder, damage)

    assert [line for line in said.splitlines() if "search index" in line] == [MENDED]
    assert hits == {"walrus": ["new walrus", "old walrus"], "badger": [], "otter": ["otter"]}
    with serving(folder) as server:
        assert "search index" not in server.out


@pytest.mark.slow
@on_postgresql
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM items_searchdocument",
        "DROP TABLE items_searchdocument",
        "DROP INDEX search_by_words",
    ],
)
def test_a_start_on_postgresql_rebuilds_an_index_that_is_not_whole(
    folder: Path, statement: str
) -> None:
    with fresh_database() as name:

        def damage() -> None:
            with psycopg.connect(address_of(name)) as database:
                database.execute(statement.encode())
                database.execute("UPDATE items_item SET title='otter' WHERE title='grey badger'")

        said, hits = mended_by_a_start(folder, damage, database=address_of(name))

    assert [line for line in said.splitlines() if "search index" in line] == [MENDED]
    assert hits == {"walrus": ["new walrus", "old walrus"], "badger": [], "otter": ["otter"]}


@pytest.mark.slow
@pytest.mark.no_database
def test_a_start_in_json_mends_the_index_and_prints_one_object_alone(folder: Path) -> None:
    with serving(folder, "--json") as server, wire_to(server) as wire:
        store(wire, "walrus")
    with closing(sqlite3.connect(folder / "conderis.sqlite3")) as database, database:
        database.execute("DROP TABLE items_search")

    with serving(folder, "--json") as server, wire_to(server) as wire:
        assert json.loads(server.out).keys() == {"address", "mcp"}
        assert found(wire, "walrus") == ["walrus"]


@pytest.mark.slow
@pytest.mark.no_database
def test_reindexing_beside_a_server_loses_nothing_that_is_stored_meanwhile(folder: Path) -> None:
    with serving(folder) as server, wire_to(server) as wire:
        store(wire, "walrus 0")
        beside = [
            subprocess.Popen(
                command_line("reindex", "--json"), env=environment(folder), cwd=ROOT, stdout=-1
            )
            for _ in range(2)
        ]
        count = 1
        while any(process.poll() is None for process in beside):
            store(wire, f"walrus {count}")
            count += 1
        answers = [json.loads(process.communicate()[0])["indexed"] for process in beside]

        assert all(1 <= answer <= count for answer in answers)
        assert asked(wire, "item_list", kind="task", query="walrus", limit=1)["total"] == count
        assert manage("reindex", "--json", folder=folder).json == {"indexed": count}


def test_reindex_says_how_many_items_it_has_indexed(project: Project) -> None:
    items = [make_item(project, title=f"walrus {place}") for place in range(3)]
    Item.objects.filter(pk=items[0].pk).update(locked_at="2026-01-01T00:00:00Z")
    assert not is_complete()
    words, answer = io.StringIO(), io.StringIO()

    call_command("reindex", stdout=words)
    call_command("reindex", json=True, stdout=answer)

    assert words.getvalue() == "The search index was rebuilt: 2 items.\n"
    assert json.loads(answer.getvalue()) == {"indexed": 2}
    assert is_complete()


@pytest.mark.slow
@pytest.mark.no_database
def test_reindex_without_a_database_is_refused_in_one_line(folder: Path) -> None:
    assert "is not set up for this version" in manage("reindex", folder=folder).fault
