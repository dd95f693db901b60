"""Where a restore keeps what is not in its place yet."""

from pathlib import Path

from django.conf import settings
from django.db import connection

from conderis.operations.backing.sqlite import database_file, remove

_ENDING = ".restoring"


def unfinished() -> Path:
    """Where the new database is until it is whole; on PostgreSQL, what it is filled from."""
    if connection.vendor == "sqlite":
        place = database_file()
        return place.with_name(place.name + _ENDING)
    folder: Path = settings.DATA_FOLDER
    return folder / f"conderis.dump{_ENDING}"


def remove_unfinished() -> bool:
    """Remove what a restore that was killed left; whether there was anything.

    The caller holds `setup_lock`.
    """
    path = unfinished()
    was_there = path.exists()
    remove(path)
    return was_there
