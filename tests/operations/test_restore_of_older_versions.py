"""A backup of an older version is brought to this one; what it never had is not missed."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from conderis.operations.backing import archive
from conderis.operations.backing.manifest import Counts, Manifest, print_of
from tests.operations.backups import place, restored, store, wire_to
from tests.running import ROOT, Running

pytestmark = [pytest.mark.slow, pytest.mark.no_database]
_BACK = """
import django
django.setup()
from django.core.management import call_command
for app, target in (("privacy", "0001"), ("proposals", "0001"), ("items", "0003")):
    call_command("migrate", app, target, skip_checks=True, verbosity=0)
"""


def migrated_back(server: Running) -> None:
    """Bring the stopped server's database to the version before there were erasures."""
    subprocess.run(
        [sys.executable, "-c", _BACK],
        env={**server.environment, "DJANGO_SETTINGS_MODULE": "conderis.settings"},
        cwd=ROOT,
        check=True,
        capture_output=True,
    )


def backup_of_then(server: Running, path: Path) -> None:
    """A backup as that version would have made it."""
    database = server.folder / "conderis.sqlite3"
    with closing(sqlite3.connect(database)) as opened:
        rows = opened.execute("SELECT app || '.' || name FROM django_migrations").fetchall()
        opened.execute("PRAGMA journal_mode=DELETE")
    with archive.writing(path, force=False) as writer:
        writer.add_file(archive.DATABASE, database, packed=False)
        writer.add(archive.ERASURES, b"")
        manifest = Manifest(
            version="0.0.9", database="sqlite", server="3.40.1", made="2026-01-01T00:00:00Z",
            migrations=tuple(name for (name,) in rows), counts=Counts(1, 1, 0, 1, 0),
            digests=writer.digests, secret=print_of("x" * 40),
        )  # fmt: skip
        writer.finish(manifest)


def test_a_backup_of_an_older_version_is_brought_to_this_one(tmp_path: Path) -> None:
    file = tmp_path / "older.backup"
    with place() as old, place() as new:
        old.database = new.database = ""
        old.start()
        with wire_to(old) as wire:
            store(wire, "walrus")
        old.stop()
        migrated_back(old)
        backup_of_then(old, file)

        answer = restored(new, file)

        assert answer["version"] == "0.0.9"
        with closing(sqlite3.connect(new.folder / "conderis.sqlite3")) as opened:
            titles = opened.execute("SELECT title FROM items_item WHERE kind = 'task'").fetchall()
            counts = opened.execute(
                "SELECT (SELECT COUNT(*) FROM items_item), (SELECT COUNT(*) FROM items_search)"
            ).fetchone()
        assert titles == [("walrus",)]
        assert counts == (1, 1)
