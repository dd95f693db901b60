"""Restores: whole or not at all, from backups that fit alone, never beside a server."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.operations.backups import (
    backed_up,
    changed_manifest,
    files_with,
    place,
    refusal,
    restored,
    store,
    titles,
    wire_to,
)
from tests.running import ROOT, Running, running

pytestmark = pytest.mark.slow
UNFINISHED = "*.restoring*"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path]]:
    """A stopped server with one task, and a backup of before that task had a sister."""
    file = tmp_path_factory.mktemp("kept") / "one.backup"
    with running() as server:
        with wire_to(server) as wire:
            store(wire, "walrus")
        backed_up(server, file, "--with-secret-key")
        with wire_to(server) as wire:
            store(wire, "badger")
        server.stop()
        yield server, file


def test_a_restore_takes_back_what_came_after_and_nothing_of_it_stays(
    kept: tuple[Running, Path], tmp_path: Path
) -> None:
    _, file = kept
    with running() as server:
        with wire_to(server) as wire:
            store(wire, "XQZMARKERXQZ")
        server.stop()
        key = (kept[0].folder / "quickstart-key").read_text()

        said = server.run("restore", str(file), "--yes")
        again = restored(server, file)
        (server.folder / "quickstart-key").write_text(key)
        server.start()

        assert said.returncode == 0, said.stderr
        assert "items 1" in said.stdout
        assert "The secret key of the backup is in its place." in said.stdout
        assert again["secretKey"] == "same"
        assert titles(server) == ["walrus"]
        assert files_with(server, "XQZMARKERXQZ") == []
        assert list(server.folder.glob(UNFINISHED)) == []


def test_a_new_machine_needs_the_backup_alone(kept: tuple[Running, Path]) -> None:
    old, file = kept
    with place() as server:
        answer = restored(server, file)
        shutil.copy(old.folder / "quickstart-key", server.folder)
        server.start()

        assert answer["secretKey"] == "restored"
        assert answer["erased"] == 0
        assert titles(server, "walrus") == ["walrus"]


def test_where_nothing_was_no_more_is_said_about_erasures_than_is_known(
    kept: tuple[Running, Path], tmp_path: Path
) -> None:
    journal = tmp_path / "erasures.jsonl"
    journal.touch()

    with place() as server:
        first = server.run("restore", str(kept[1])).stdout
        again = server.run("restore", str(kept[1]), "--yes").stdout
    with place() as server:
        named = server.run("restore", str(kept[1]), "--erasures", str(journal)).stdout

    unknown = "No later erasure is known here; name the journal of the old server with --erasures."
    assert [unknown in said for said in (first, again, named)] == [True, False, False]
    assert ["The one before is gone." in said for said in (first, again, named)] == [
        False,
        True,
        False,
    ]
    assert ["Nothing had been erased since." in said for said in (first, again, named)] == [
        False,
        True,
        True,
    ]


def test_a_secret_key_that_is_set_is_kept_and_the_answer_says_that_it_is_another(
    kept: tuple[Running, Path],
) -> None:
    with place() as server:
        server.settings["CONDERIS_SECRET_KEY"] = "another-" * 8

        assert restored(server, kept[1])["secretKey"] == "other"

        assert not (server.folder / "secret-key").exists()


def test_what_is_there_is_replaced_only_by_who_says_so(kept: tuple[Running, Path]) -> None:
    server, file = kept

    assert "Say so with --yes" in refusal(server, "restore", str(file))

    assert seen_after_a_start(server) == ["badger", "walrus"]


def test_a_database_that_is_served_is_not_replaced(kept: tuple[Running, Path]) -> None:
    server, file = kept
    server.start()
    try:
        said = refusal(server, "restore", str(file), "--yes")

        assert "Stop the server" in said
        assert titles(server) == ["badger", "walrus"]
    finally:
        server.stop()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])


def scratch(file: Path) -> None:
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = b"\xff" * 64
    file.write_bytes(data)


def swap(file: Path) -> None:
    changed_manifest(file, lambda manifest: manifest["digests"].update(database="0" * 64))


def other_kind(file: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        sqlite = manifest["database"] == "sqlite"
        manifest["database"] = "postgresql" if sqlite else "sqlite"

    changed_manifest(file, change)


def newer(file: Path) -> None:
    changed_manifest(file, lambda manifest: manifest["migrations"].append("items.9999_of_tomorrow"))


def newer_format(file: Path) -> None:
    changed_manifest(file, lambda manifest: manifest.update(format=99))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut, "no backup of Conderis, or only a part of one"),
        (scratch, "damaged"),
        (swap, "damaged"),
        (lambda file: file.write_text("Dear diary"), "no backup of Conderis"),
        (Path.unlink, "cannot be read"),
        (other_kind, "the database here is"),
        (newer, "made by a newer version of Conderis"),
        (newer_format, "Restore it with the version that made it"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_changes_nothing(
    kept: tuple[Running, Path], tmp_path: Path, harm: Callable[[Path], None], said: str
) -> None:
    server, file = kept
    harmed = Path(shutil.copy(file, tmp_path))
    harm(harmed)

    assert said in refusal(server, "restore", str(harmed), "--yes")

    assert list(server.folder.glob(UNFINISHED)) == []
    if harm in {scratch, swap}:  # what is noticed only while it is being restored
        assert seen_after_a_start(server) == ["badger", "walrus"]


def test_a_restore_that_is_killed_leaves_the_old_database_and_no_copy_for_long(
    kept: tuple[Running, Path],
) -> None:
    server, file = kept
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "restore", str(file), "--yes"],
        env=server.environment,
        stdout=subprocess.DEVNULL,
    )
    while not list(server.folder.glob(UNFINISHED)):
        assert process.poll() is None
        time.sleep(0.002)

    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert list(server.folder.glob(UNFINISHED)) != []
    assert seen_after_a_start(server) == ["badger", "walrus"]
    assert list(server.folder.glob(UNFINISHED)) == []


def test_a_damaged_database_is_replaced_all_the_same(kept: tuple[Running, Path]) -> None:
    old, file = kept
    with place() as server:
        if server.database:
            pytest.skip("for SQLite")
        (server.folder / "conderis.sqlite3").write_bytes(b"no database at all" * 1000)

        answer = restored(server, file)
        shutil.copy(old.folder / "quickstart-key", server.folder)
        server.start()

        assert "could not be read" in answer["notes"][0]
        assert titles(server) == ["walrus"]


def test_a_database_that_others_use_too_is_not_replaced(kept: tuple[Running, Path]) -> None:
    server, file = kept
    if not server.database:
        pytest.skip("for PostgreSQL")
    with psycopg.connect(server.database, autocommit=True) as session:
        session.execute("CREATE TABLE of_somebody_else (word text)")

    refused = refusal(server, "restore", str(file), "--yes")
    with psycopg.connect(server.database, autocommit=True) as session:
        in_use = refusal(server, "restore", str(file), "--yes")
        session.execute("DROP TABLE of_somebody_else")

    assert "also holds of_somebody_else, which a restore would drop" in refused
    assert "in use by 1 other session" in in_use


def test_in_json_a_refusal_is_an_object(kept: tuple[Running, Path], tmp_path: Path) -> None:
    ended = kept[0].run("restore", str(tmp_path / "none"), "--yes", "--json")

    assert ended.returncode == 1
    assert json.loads(ended.stdout)["error"] == "unavailable"


def seen_after_a_start(server: Running) -> list[str]:
    server.start()
    try:
        return titles(server)
    finally:
        server.stop()
