"""Making a backup of a server that runs."""

import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from conderis import __version__
from conderis.common.times import iso
from conderis.operations.backing import archive, erasures, postgresql, sqlite
from conderis.operations.backing.manifest import Counts, Manifest, print_of

_COPY = ".conderis-backup.database"  # beside the file, while it is made
_COUNT = """
SELECT (SELECT COUNT(*) FROM projects_project),
    (SELECT COUNT(*) FROM items_item WHERE erased_at IS NULL),
    (SELECT COUNT(*) FROM proposals_proposal),
    (SELECT COUNT(*) FROM accounts_person),
    (SELECT COUNT(*) FROM privacy_erasure)
"""


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that is on the disk."""

    path: Path
    size: int
    seconds: float
    with_secret: bool
    manifest: Manifest


def make_backup(path: Path, *, force: bool = False, with_secret: bool = False) -> Made:
    """Back up the database as it is at one moment, and every erasure until the end of it.

    Writers go on meanwhile. The file is there whole or not at all.

    Raises:
        Fault: there is a file already and no `force`, not enough room, or the database
            cannot be copied.
    """
    began = time.monotonic()
    target = path.expanduser().absolute()
    copied = target.parent / _COPY
    on_sqlite = connection.vendor == "sqlite"
    with archive.writing(target, force=force) as writer:
        try:
            counts, server = _copy_file(copied) if on_sqlite else _dump(copied)
            writer.add_file(archive.DATABASE, copied, packed=not on_sqlite)
        finally:
            sqlite.remove(copied)
        # Read last, so that what was erased meanwhile is among them.
        entries = (erasures.in_database() or set()) | erasures.in_journal()
        writer.add(archive.ERASURES, erasures.as_lines(entries))
        if with_secret:
            writer.add(archive.SECRET, settings.SECRET_KEY.encode())
        manifest = Manifest(
            version=__version__,
            database=connection.vendor,
            server=server,
            made=iso(timezone.now()),
            migrations=tuple(
                f"{app}.{name}"
                for app, name in sorted(MigrationRecorder(connection).applied_migrations())
            ),
            counts=counts,
            digests=writer.digests,
            secret=print_of(settings.SECRET_KEY),
        )
        writer.finish(manifest)
    return Made(target, target.stat().st_size, time.monotonic() - began, with_secret, manifest)


def _copy_file(target: Path) -> tuple[Counts, str]:
    source = sqlite.database_file()
    archive.require_room(target.parent, 2 * sqlite.size_of(source))  # the copy, and the file
    sqlite.copy(source, target)
    return Counts(*sqlite.first_row(target, _COUNT)), sqlite.VERSION


def _dump(target: Path) -> tuple[Counts, str]:
    archive.require_room(target.parent, 2 * postgresql.size_of_database())
    with postgresql.snapshot() as state, connection.cursor() as cursor:
        cursor.execute(_COUNT)
        counts = Counts(*cursor.fetchone())
        postgresql.dump(target, state=state)
    return counts, str(postgresql.server_version())
