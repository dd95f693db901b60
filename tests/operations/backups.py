"""What tests of backups share: servers with content, marked bytes, and looking for them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from conderis.common.json import JsonObject
from conderis.operations.trial.wire import Era, Wire
from tests.ports import free_port
from tests.running import ROOT, Running, empty_database

HOME = {"projectId": "owner/home"}
_ERASE = """
import sys
import django
django.setup()
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from items.requests import Address
from privacy.clearing import finish_erasures
from privacy.deciding import erase
from privacy.requesting import DeletionCall, request_deletion
caller = caller_of_person(Person.objects.get(handle="owner"), Surface.WEB)
address = Address(project_id="owner/home", number=int(sys.argv[1]))
asked = request_deletion(caller, DeletionCall(address=address, reason="By mistake."))
erase(caller, asked["request"])
finish_erasures()
"""


@contextmanager
def place(folder: Path | None = None) -> Iterator[Running]:
    """A place where nothing runs yet, on an empty database, stopped and cleared at the end."""
    with tempfile.TemporaryDirectory() as made, empty_database() as database:
        server = Running(folder or Path(made), database, free_port())
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def wire_to(server: Running) -> Iterator[Wire]:
    key = (server.folder / "quickstart-key").read_text().strip()
    with Wire(server.port, key, Era.MODERN) as wire:
        yield wire


def asked(wire: Wire, tool: str, **arguments: object) -> JsonObject:
    answer = wire.call(tool, {**HOME, **arguments})
    assert not answer.is_error, answer.text
    return answer.json


def store(wire: Wire, title: str, **fields: object) -> int:
    answer = asked(wire, "item_store", kind="task", fields={"title": title, **fields})
    number: int = answer["number"]
    return number


def titles(server: Running, query: str = "") -> list[str]:
    """The titles of all tasks, or of those that a search finds."""
    more: dict[str, Any] = {"query": query} if query else {}
    found: list[str] = []
    with wire_to(server) as wire:
        while True:
            page = asked(wire, "item_list", kind="task", limit=100, **more)
            found += [entry["title"] for entry in page["items"]]
            if not page.get("nextCursor"):
                return sorted(found)
            more["cursor"] = page["nextCursor"]


def backed_up(server: Running, path: Path, *more: str) -> dict[str, Any]:
    return server.command("backup", str(path), *more)


def restored(server: Running, path: Path, *more: str) -> dict[str, Any]:
    return server.command("restore", str(path), "--yes", *more)


def refusal(server: Running, *words: str) -> str:
    """The one line that a command refuses with."""
    ended = server.run(*words)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert ended.stdout == ""
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    return lines[0]


def erase_item(server: Running, number: int) -> None:
    """Ask for the item's deletion, decide it, and clear the files, beside the server."""
    subprocess.run(
        [sys.executable, "-c", _ERASE, str(number)],
        env={**server.environment, "DJANGO_SETTINGS_MODULE": "conderis.settings"},
        cwd=ROOT,
        check=True,
        timeout=60,
    )


def changed_manifest(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Write the backup anew with another manifest."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(members["manifest.json"])
    change(manifest)
    members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, data in members.items():
            new.writestr(name, data)


def files_with(server: Running, marker: str) -> list[str]:
    """The files of the server that hold the marker, those of its database among them."""
    folders = [server.folder]
    if server.database:
        folders.append(_files_of_postgresql(server.database))
    return [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and marker.encode() in path.read_bytes()
    ]


def copy_of_database(server: Running, folder: Path) -> None:
    """Keep the stopped server's database, by other means than ours."""
    if server.database:
        _on_server(server.database, "CREATE DATABASE {0}_kept TEMPLATE {0}")
    else:
        shutil.copy(server.folder / "conderis.sqlite3", folder / "kept.sqlite3")


def put_back_copy(server: Running, folder: Path) -> None:
    if server.database:
        _on_server(server.database, "DROP DATABASE {0}", "ALTER DATABASE {0}_kept RENAME TO {0}")
    else:
        shutil.copy(folder / "kept.sqlite3", server.folder / "conderis.sqlite3")


def _on_server(address: str, *statements: str) -> None:
    base, _, name = address.rpartition("/")
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.format(name).encode())


def _files_of_postgresql(address: str) -> Path:
    """Where the database's tables and indexes are, all written out; its server is ours."""
    log = os.environ.get("CONDERIS_TEST_POSTGRES_LOG", "")
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(
            "SELECT oid FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        assert row is not None
    if not log:
        return Path(log, "nowhere")
    with psycopg.connect(address, user="postgres", autocommit=True) as superuser:
        superuser.execute("CHECKPOINT")
    return Path(log).parent / "data" / "base" / str(row[0])
