"""Backups: of a server that runs, whole or not at all, for their owner alone."""

import json
import os
import shutil
import stat
import threading
import time
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conderis.operations.backing.archive import require_room
from conderis.operations.backing.programs import find_program
from conderis.operations.faults import Fault
from tests.operations.backups import (
    asked,
    backed_up,
    place,
    refusal,
    restored,
    store,
    titles,
    wire_to,
)
from tests.running import Running, running

LONGEST_WAIT_SECONDS = 5  # of a writer beside a backup, on a busy machine


class Writers:
    """Agents that store tasks one after the other until they are told to end."""

    def __init__(self, server: Running, many: int) -> None:
        self.stored: list[str] = []
        self.longest = 0.0
        self._server, self._end = server, threading.Event()
        self._threads = [threading.Thread(target=self._write, args=[n]) for n in range(many)]

    def _write(self, number: int) -> None:
        with wire_to(self._server) as wire:
            count = 0
            while not self._end.is_set():
                title = f"walrus {number} {count}"
                began = time.monotonic()
                store(wire, title, content="Walrus. " * 50)
                self.longest = max(self.longest, time.monotonic() - began)
                self.stored.append(title)
                count += 1

    @contextmanager
    def writing(self) -> Iterator["Writers"]:
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._end.set()
            for thread in self._threads:
                thread.join()


@pytest.mark.slow
def test_a_backup_beside_writers_is_one_whole_state_and_holds_nobody_up(tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    with running() as server, place() as other:
        with Writers(server, 3).writing() as writers:
            while len(writers.stored) < 20:
                time.sleep(0.02)
            before = list(writers.stored)
            made = backed_up(server, file, "--with-secret-key")
            after = list(writers.stored)
        restored(other, file)
        shutil.copy(server.folder / "quickstart-key", other.folder)
        other.start()
        found = titles(other)
        with wire_to(other) as wire:
            numbers = {store(wire, "badger")}
            for page in range(1, len(found) + 1):
                numbers.add(asked(wire, "item_get", number=page)["number"])
            hits = asked(wire, "item_list", kind="task", query="walrus", limit=1)["total"]

        assert set(before) <= set(found)
        assert len(found) <= len(after) + 3  # those that were just being stored
        assert made["counts"]["items"] == len(found)
        assert numbers == set(range(1, len(found) + 2))
        assert hits == len(found)
        assert writers.longest < LONGEST_WAIT_SECONDS


@pytest.mark.slow
def test_a_backup_is_for_its_owner_alone_and_has_the_secret_key_only_when_told(
    tmp_path: Path,
) -> None:
    with running() as server:
        secret = (server.folder / "secret-key").read_bytes().strip()
        plain, whole = tmp_path / "plain.backup", tmp_path / "whole.backup"
        said = server.run("backup", str(plain))
        answer = backed_up(server, whole, "--with-secret-key")

    assert "The secret key is not in it" in said.stdout
    assert answer["secretKey"] is True
    assert answer["file"] == str(whole)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain.backup", "whole.backup"]
    with zipfile.ZipFile(plain) as held:
        assert set(held.namelist()) == {"database", "erasures.jsonl", "manifest.json"}
        assert all(secret not in held.read(name) for name in held.namelist())
    with zipfile.ZipFile(whole) as held:
        assert held.read("secret-key") == secret


@pytest.mark.slow
def test_a_file_that_is_there_is_written_over_by_force_alone(tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    file.write_text("precious")
    for name in (".conderis-backup.part", ".conderis-backup.database"):
        (tmp_path / name).write_text("left by one that was killed")
    with running() as server:
        refused = refusal(server, "backup", str(file))
        kept = file.read_text()
        answer = backed_up(server, file, "--force")
        nowhere = refusal(server, "backup", str(tmp_path / "not" / "there"))
        folder = refusal(server, "backup", str(tmp_path), "--force")

    assert "is there already" in refused
    assert kept == "precious"
    assert file.stat().st_size == answer["bytes"]
    assert [path.name for path in tmp_path.iterdir()] == ["one.backup"]
    assert "cannot be written" in nowhere
    assert "is no file" in folder


@pytest.mark.slow
@pytest.mark.no_database
def test_without_a_database_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with place() as server:
        server.database = ""
        refused = server.run("backup", str(tmp_path / "one.backup"), "--json")

    assert refused.returncode == 1
    assert "is not set up for this version" in json.loads(refused.stdout)["message"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.no_database
def test_a_disk_without_room_is_refused_with_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 - as shutil's own
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**12, 10**12 - 10**8, 10**8))

    require_room(tmp_path, 10**7)
    with pytest.raises(Fault, match=r"1,017 MB are needed and 100 MB are free"):
        require_room(tmp_path, 10**9)


@pytest.mark.no_database
def test_a_program_of_postgresql_that_is_missing_or_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24 (Debian 9.6.24-1)'\n")
    old.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_program("pg_dump", server=9) == str(old)
    with pytest.raises(Fault, match=r"pg_dump is version \d+ here, older than the server \(99\)"):
        find_program("pg_dump", server=99)
    with pytest.raises(Fault, match="pg_that_nobody_made is not installed here"):
        find_program("pg_that_nobody_made", server=15)


@pytest.mark.slow
def test_the_password_of_postgresql_is_in_no_command_line_and_no_answer(tmp_path: Path) -> None:
    password = "s3cr3t-of-the-database"
    with place() as server:
        if not server.database:
            pytest.skip("for PostgreSQL")
        server.database = server.database.replace("://conderis@", f"://conderis:{password}@")
        server.command("quickstart")
        programs, seen = tmp_path / "programs", tmp_path / "seen"
        programs.mkdir()
        told = programs / "pg_dump"
        real = find_program("pg_dump", server=15)
        told.write_text(
            f'#!/bin/sh\necho "$@" >> {seen}\necho "env $PGPASSWORD" >> {seen}\nexec {real} "$@"\n'
        )
        told.chmod(0o700)
        server.settings["PATH"] = f"{programs}:{os.environ['PATH']}"

        ended = server.run("backup", str(tmp_path / "one.backup"))

        assert ended.returncode == 0, ended.stderr
        called = [line for line in seen.read_text().splitlines() if "--format" in line]
        assert len(called) == 1
        assert password not in called[0]
        assert f"env {password}" in seen.read_text()
        assert password not in ended.stdout + ended.stderr
