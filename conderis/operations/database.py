"""The database before it is used: reached, writable, and of this version."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import Error, connection, transaction
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from conderis.operations.faults import Fault, database_fault, folder_fault
from conderis.operations.locking import setup_lock


@contextmanager
def prepared_database() -> Iterator[None]:
    """Hold a database of this code's version, brought to it if need be.

    Other processes that would set it up wait until the block ends.

    Raises:
        Fault: the database cannot be used, or was made by a newer version.
    """
    require_place()
    with setup_lock():
        bring_up_to_date()
        yield


def bring_up_to_date() -> None:
    """Bring the database to this code's version if need be. The caller holds `setup_lock`.

    Raises:
        Fault: the database cannot be used, or was made by a newer version.
    """
    with _database_faults():
        _check_writable()
        if not _is_current():
            call_command("migrate", interactive=False, verbosity=0, skip_checks=True)


def require_prepared() -> None:
    """Go on only with a database of this version.

    Raises:
        Fault: the database cannot be used, or is of another version.
    """
    require_place()
    with _database_faults():
        _check_writable()
        current = _is_current()
    if not current:
        raise Fault(
            f"{database_place()} is not set up for this version. Run `make run`, "
            "`manage.py quickstart` or `manage.py migrate` first."
        )


def database_place() -> str:
    """Which database this is, for a sentence; without the user and the password."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"The database {settings['NAME']}"
    host = settings["HOST"] or "localhost"
    return f"The database {settings['NAME']} at {host}:{settings['PORT'] or 5432}"


@contextmanager
def _database_faults() -> Iterator[None]:
    try:
        yield
    except Error as error:
        raise database_fault(error, place=database_place()) from error


def require_place() -> None:
    """Go on only where a database can be: a folder that can be written, or a server.

    Raises:
        Fault: it cannot.
    """
    if connection.vendor == "sqlite":
        _check_file()
    else:
        # Only here, since psycopg takes a tenth of a second at every start on SQLite.
        from conderis.operations.postgresql import check_server  # noqa: PLC0415

        check_server(database_place())


def _check_writable() -> None:
    # With SQLite this takes the lock for writing, as every transaction does.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _is_current() -> bool:
    try:
        executor = MigrationExecutor(connection)
        _refuse_newer(executor.loader)
        executor.loader.check_consistent_history(connection)
    except InconsistentMigrationHistory as error:
        raise Fault(
            f"{database_place()} has a history of migrations that this version does not "
            f"know: {error}"
        ) from error
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def unknown_migrations(applied: Iterable[tuple[str, str]]) -> list[str]:
    """Those of the migrations that this version does not have, as `app.name`."""
    return _unknown(applied, MigrationLoader(None, ignore_no_migrations=True))


def _unknown(applied: Iterable[tuple[str, str]], loader: MigrationLoader) -> list[str]:
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update(migration.replaces)
    return sorted(f"{app}.{name}" for app, name in applied if (app, name) not in known)


def _refuse_newer(loader: MigrationLoader) -> None:
    unknown = _unknown(
        ((app, name) for app, name in loader.applied_migrations if app in loader.migrated_apps),
        loader,
    )
    if unknown:
        raise Fault(
            f"{database_place()} was made by a newer version of Conderis: it has "
            f"{', '.join(unknown[:3])}{' and more' if len(unknown) > 3 else ''}. "
            "Start that version, or put back a backup of before."
        )


def _check_file() -> None:
    name = str(connection.settings_dict["NAME"])
    if "mode=memory" in name:
        return
    path = Path(name)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise folder_fault(path.parent, error) from error
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise Fault(f"{database_place()} is read-only. Conderis needs to write to it.")
