"""Looks into files for a text, byte by byte, in every way in which it may be written."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.running import ROOT, Running

COMMANDS = re.compile(r"<<'SQL'\n(.+?)^ *SQL$", re.DOTALL | re.MULTILINE)


def needles(texts: Iterable[str]) -> list[bytes]:
    """The texts as bytes: in each encoding, in upper and lower case, escaped as in JSON."""
    found: set[bytes] = set()
    for text in texts:
        for form in (text, text.lower(), text.upper(), text.title()):
            found |= {form.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be")}
            found.add(json.dumps(form)[1:-1].encode())
    return sorted(found)


def files_with(texts: Iterable[str], folders: Iterable[Path]) -> set[str]:
    """The names of the files below the folders (or the files) that hold one of the texts."""
    wanted = re.compile(b"|".join(map(re.escape, needles(texts))), re.IGNORECASE)
    return {str(file) for folder in folders for file in _files(folder) if _has(file, wanted)}


def _files(folder: Path) -> Iterable[Path]:
    return [folder] if folder.is_file() else (each for each in folder.rglob("*") if each.is_file())


def _has(file: Path, wanted: re.Pattern[bytes]) -> bool:
    try:
        return wanted.search(file.read_bytes()) is not None
    except FileNotFoundError:  # gone since it was listed
        return False


class Cluster:
    """The files of the PostgreSQL that a server of the tests uses, for a superuser."""

    def __init__(self, server: Running) -> None:
        self._admin = make_conninfo(server.database, user="postgres", password="")
        try:
            (folder,) = self._ask("SHOW data_directory")
            self.folder = Path(str(folder))
            self.folder.joinpath("PG_VERSION").read_text()
        except (psycopg.Error, OSError) as error:
            # The cluster of .ci lets everybody in and keeps its files on this machine.
            reason = f"the files of this PostgreSQL cannot be read ({type(error).__name__})"
            if conninfo_to_dict(server.database).get("user") == "conderis":
                pytest.fail(reason)
            pytest.skip(reason)
        (oid,) = self._ask("SELECT oid FROM pg_database WHERE datname = current_database()")
        self.tables = [self.folder / "base" / str(oid), self.folder / "global"]
        self.logs = [self.folder.parent / "log", self.folder / "log"]
        self.write_ahead_log = [self.folder / "pg_wal"]

    def write_out(self) -> None:
        """Have what is in memory be in the files, and files that are gone be gone."""
        self._ask("CHECKPOINT")

    def as_documented(self) -> None:
        """Run what the docs say clears the write-ahead log."""
        text = (ROOT / "docs" / "operating.md").read_text()
        found = [block for block in COMMANDS.findall(text) if "wal_recycle" in block]
        assert len(found) == 1, "docs/operating.md has no commands for the write-ahead log"
        subprocess.run(
            [self._psql(), self._admin, "--no-psqlrc", "--set=ON_ERROR_STOP=1"],
            input=found[0], capture_output=True, text=True, check=True,
        )  # fmt: skip

    def reset(self) -> None:
        """Take back what the documented commands set."""
        self._ask("ALTER SYSTEM RESET wal_recycle")
        self._ask("SELECT pg_reload_conf()")

    def _ask(self, statement: str) -> tuple[object, ...]:
        with psycopg.connect(self._admin, autocommit=True) as connection:
            cursor = connection.execute(sql.SQL(statement))
            return (cursor.fetchone() or ()) if cursor.description else ()

    @staticmethod
    def _psql() -> str:
        installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/psql"))
        return str(installed[-1]) if installed else "psql"
