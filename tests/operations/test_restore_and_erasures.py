"""What was erased stays erased: whatever is put back, and by whatever means."""

import json
import shutil
from pathlib import Path

import pytest

from tests.operations.backups import (
    backed_up,
    copy_of_database,
    erase_item,
    files_with,
    place,
    put_back_copy,
    refusal,
    restored,
    store,
    titles,
    wire_to,
)
from tests.running import running

pytestmark = [pytest.mark.slow, pytest.mark.alone]
MARKER = "XQZMARKERXQZ"


def test_what_was_erased_after_the_backup_does_not_come_back(tmp_path: Path) -> None:
    before, after = tmp_path / "before.backup", tmp_path / "after.backup"
    with running() as server, place() as elsewhere:
        with wire_to(server) as wire:
            number = store(wire, f"secret {MARKER}", content=f"the secret is {MARKER}")
            store(wire, "walrus")
        backed_up(server, before, "--with-secret-key")
        erase_item(server, number)
        backed_up(server, after, "--with-secret-key")
        server.stop()
        assert files_with(server, MARKER) == []

        first = restored(server, before)
        second = restored(server, before)
        assert files_with(server, MARKER) == []
        server.start()
        assert titles(server) == ["walrus"]
        assert titles(server, MARKER) == []
        assert files_with(server, MARKER) == []

        journal = server.folder / "erasures.jsonl"
        moved = restored(elsewhere, before, "--erasures", str(journal))
        shutil.copy(server.folder / "quickstart-key", elsewhere.folder)
        elsewhere.start()
        assert titles(elsewhere) == ["walrus"]
        assert files_with(elsewhere, MARKER) == []

    assert (first["erased"], second["erased"], moved["erased"]) == (1, 1, 1)


def test_a_backup_knows_what_was_erased_before_it(tmp_path: Path) -> None:
    before, after = tmp_path / "before.backup", tmp_path / "after.backup"
    with running() as server, place() as elsewhere:
        with wire_to(server) as wire:
            number = store(wire, f"secret {MARKER}")
        backed_up(server, before)
        erase_item(server, number)
        made = backed_up(server, after)

        # A new machine, which gets the newer one and then, by mistake, the older one.
        newer = restored(elsewhere, after)
        older = restored(elsewhere, before)

        assert made["counts"]["erasures"] == 1
        assert (newer["erased"], older["erased"]) == (0, 1)
        assert files_with(elsewhere, MARKER) == []


def test_a_database_put_back_by_hand_is_served_without_what_was_erased(tmp_path: Path) -> None:
    with running() as server:
        with wire_to(server) as wire:
            number = store(wire, f"secret {MARKER}")
            store(wire, "walrus")
        server.stop()
        copy_of_database(server, tmp_path)
        server.start()
        erase_item(server, number)
        server.stop()

        put_back_copy(server, tmp_path)
        assert files_with(server, MARKER) != []
        server.start()

        assert titles(server) == ["walrus"]
        assert files_with(server, MARKER) == []
        log = (server.folder / "server.log").read_text()
        assert "Erased again, since the database was put back: 1." in log


def test_a_journal_that_cannot_be_read_stops_restores_and_starts(tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    with running() as server:
        backed_up(server, file)
        server.stop()
        line = json.dumps({"cause": "a", "what": "item", "target": "b"})
        (server.folder / "erasures.jsonl").write_text(f"{line}\n")

        start = refusal(server, "serve")
        restore = refusal(server, "restore", str(file), "--yes")
        missing = refusal(server, "restore", str(file), "--yes", "--erasures", "/nowhere")

    assert "so nothing is served: Line 1 of erasures.jsonl says no erasure" in start
    assert "Line 1 of erasures.jsonl" in restore
    assert "There is no file /nowhere" in missing
