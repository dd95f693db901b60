"""Why the server cannot start or a command cannot run: one clear line each."""

from pathlib import Path

from django.db import Error

from conderis.common.text import cut_at_word

MOST_QUOTED = 300


class Fault(Exception):
    """Something of the machine, the database or the settings is not as it must be."""


def database_fault(error: Error, *, place: str) -> Fault:
    """The fault that a database's error tells of; `place` says which database."""
    said = cut_at_word(str(error), MOST_QUOTED)
    if "file is not a database" in said:
        return Fault(f"{place} is no SQLite database. Move the file away, or name another one.")
    if "readonly database" in said or "read-only transaction" in said:
        return Fault(f"{place} is read-only. Conderis needs to write to it.")
    if "database is locked" in said:
        return Fault(f"{place} is locked by another program. Stop that one first.")
    return Fault(f"{place} cannot be used: {said}")


def folder_fault(folder: Path, error: OSError) -> Fault:
    """The fault of a data folder that cannot be written."""
    return Fault(
        f"The data folder {folder} cannot be written ({error.strerror}). "
        "Set CONDERIS_DATA to a folder that can be."
    )
