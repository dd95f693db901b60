"""Putting a backup in the place of the database, with all that was erased since left out."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, connections, transaction

from conderis.common.environment import read
from conderis.operations.backing import archive, erasures, postgresql, sqlite
from conderis.operations.backing.archive import Reader
from conderis.operations.backing.manifest import Manifest, is_print_of
from conderis.operations.backing.places import unfinished
from conderis.operations.database import bring_up_to_date, require_place, unknown_migrations
from conderis.operations.faults import Fault
from conderis.operations.locking import replacing_lock, setup_lock
from items.search import is_complete, rebuild
from privacy.clearing import finish_erasures
from privacy.erasures import Entry
from privacy.files import clear_files

_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
UNREAD = (
    "The erasures of the replaced database could not be read; those of the journal, the backup "
    "and --erasures were applied."
)
UNCLEARED = (
    "The files of the database still hold parts of what was erased. Restore again, with nothing "
    "else connected."
)


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that is in its place. `secret` is "same", "restored" or "other"."""

    manifest: Manifest
    erased: int
    reindexed: bool
    secret: str
    notes: tuple[str, ...]


def is_anything_there() -> bool:
    """Whether there is a database that a restore would replace.

    Raises:
        Fault: there is no place for one.
    """
    require_place()
    if connection.vendor == "sqlite":
        return sqlite.database_file().exists()
    return bool(postgresql.tables())


def restore_backup(path: Path, *, more_erasures: Path | None = None) -> Restored:
    """Have the database be what was backed up, brought to this version.

    Erased in it, before anything is served, is what the replaced database, the data folder's
    journal, the backup and the file of more erasures know as erased. The old database stays
    until the new one is whole, also where this process is killed; then it is gone.

    Raises:
        Fault: the database is in use, or the file is no backup, damaged, of another kind of
            database or of a newer version. The database is as it was.
    """
    extra = erasures.in_file(more_erasures.expanduser()) if more_erasures else set()
    with archive.reading(path.expanduser().absolute()) as backup:
        _require_fitting(backup.manifest)
        listed = backup.read(archive.ERASURES).decode(errors="replace")
        wanted = extra | erasures.in_lines(listed)
        require_place()
        if connection.vendor == "sqlite":
            with setup_lock(), _no_threads():
                return _restore_file(backup, wanted | erasures.in_journal())
        with postgresql.one_session(), setup_lock(), _no_threads():
            return _restore_dump(backup, wanted | erasures.in_journal())


@contextmanager
def _no_threads() -> Iterator[None]:
    """Have what erases clear files itself: a thread would hold on to what is moved."""
    usual = settings.CLEAR_IN_BACKGROUND
    settings.CLEAR_IN_BACKGROUND = False
    try:
        yield
    finally:
        settings.CLEAR_IN_BACKGROUND = usual


def _require_fitting(manifest: Manifest) -> None:
    if manifest.database != connection.vendor:
        there, here = (_NAMES.get(kind, kind) for kind in (manifest.database, connection.vendor))
        raise Fault(f"The backup is of {there}; the database here is {here}.")
    parted = [name.partition(".") for name in manifest.migrations]
    unknown = unknown_migrations((app, name) for app, _, name in parted)
    if unknown:
        raise Fault(
            f"The backup was made by a newer version of Conderis ({manifest.version}): it has "
            f"{', '.join(unknown[:3])}{' and more' if len(unknown) > 3 else ''}. Restore it "
            "with that version, or a newer one."
        )


def _restore_file(backup: Reader, wanted: set[Entry]) -> Restored:
    place, new = sqlite.database_file(), unfinished()
    with replacing_lock():
        old = erasures.in_database() if place.exists() else set()
        connections.close_all()
        archive.require_room(place.parent, 2 * backup.size(archive.DATABASE))
        try:
            with sqlite.held_alone(place):
                backup.extract(archive.DATABASE, new)
                sqlite.require_sound(new)
                with sqlite.using(new):
                    bring_up_to_date()
                    erased, reindexed = _make_whole(wanted | (old or set()))
                    cleared = clear_files()
                sqlite.put_in_place(new, place)
        finally:
            sqlite.remove(new)
        return _told(backup, erased=erased, reindexed=reindexed, old=old, cleared=cleared)


def _restore_dump(backup: Reader, wanted: set[Entry]) -> Restored:
    postgresql.require_restorable()
    postgresql.require_alone()
    postgresql.require_own()
    old = erasures.in_database()
    wanted |= old or set()
    new = unfinished()
    archive.require_room(new.parent, backup.size(archive.DATABASE))
    try:
        backup.extract(archive.DATABASE, new)
        with transaction.atomic():
            postgresql.fill(new)
            bring_up_to_date()
            erased, reindexed = _make_whole(wanted)
        postgresql.analyze()
        cleared = clear_files()
        finish_erasures()  # those that stood half done in the backup
    finally:
        new.unlink(missing_ok=True)
    return _told(backup, erased=erased, reindexed=reindexed, old=old, cleared=cleared)


def _make_whole(wanted: set[Entry]) -> tuple[int, bool]:
    """Erase what must be, and mend the index; how many erasures were new, whether it was."""
    erased = erasures.apply(wanted)
    if is_complete():
        return erased, False
    rebuild()
    return erased, True


def _told(
    backup: Reader, *, erased: int, reindexed: bool, old: set[Entry] | None, cleared: bool
) -> Restored:
    secret = _take_secret(backup)
    notes = (*(() if old is not None else (UNREAD,)), *(() if cleared else (UNCLEARED,)))
    return Restored(backup.manifest, erased, reindexed, secret, notes)


def _take_secret(backup: Reader) -> str:
    """Put the backup's secret key in its place, where it has one and the folder's counts."""
    if is_print_of(backup.manifest.secret, settings.SECRET_KEY):
        return "same"
    if not backup.holds(archive.SECRET) or read(os.environ, "CONDERIS_SECRET_KEY"):
        return "other"
    place: Path = settings.DATA_FOLDER / "secret-key"
    with _replacing(place) as new:
        new.write_bytes(backup.read(archive.SECRET))
    return "restored"


@contextmanager
def _replacing(place: Path) -> Iterator[Path]:
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=".secret-key-")  # mode 600
    os.close(handle)
    new = Path(name)
    try:
        yield new
        new.replace(place)
    finally:
        new.unlink(missing_ok=True)
