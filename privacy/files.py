"""Clearing the files of the database of what is in none of its tables any more.

A row that is gone leaves its bytes in the file for a while. On SQLite: in the write-ahead
log, in old segments of the full-text index, and in pages of indexes whose entries were
moved to others (`secure_delete` overwrites what is deleted, but not what a page that was
split has handed on). On PostgreSQL: in dead rows, and in the samples that its planner keeps
of each column. So all of that is written anew.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.apps import apps
from django.db import OperationalError, connection, models, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet
from psycopg.errors import Diagnostic

from conderis.common.sqlite.base import turn_on
from items import search
from items.models import ItemTag
from privacy.models import Erasure

logger = logging.getLogger(__name__)

SMALL_BYTES = 256 * 1024 * 1024  # of SQLite's file: written anew in seconds
CHUNK = 500  # rows at once
TRIES = 20  # before it is left to the next time
WAIT_SECONDS = 0.25
READERS_WAIT_MS = 50
# How long a table that is read or written may keep it waiting: all who come later wait too.
LOCK_WAIT_MS = 500
SEARCH_TABLE = "items_searchdocument"
TEXT_FIELDS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
# Their texts come from the program, not from people.
WITHOUT_PEOPLE = frozenset({"auth", "contenttypes"})
SAMPLES = "pg_catalog.pg_statistic"
_OLDER = """
SELECT EXISTS (
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < %s
    AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)
)
"""


def clear_files(*, whole: bool = False) -> bool:
    """Have no file of the database keep what is in no table any more; whether that is so now.

    What had been erased by then counts as cleared. Pages of a large file of SQLite may keep
    pieces; `whole` has it written anew whatever its size, for as long as that takes.

    False inside a transaction, where somebody else's keeps old rows for longer than five
    seconds, and where the disk has no room to write the tables anew. On SQLite writers wait
    now and then, readers do not; on PostgreSQL both wait, for one table after the other.
    """
    if connection.in_atomic_block:
        return False
    try:
        # First: what is erased while this runs is left to the next time.
        erased = list(uncleared().values_list("pk", flat=True))
        if not _clear(whole=whole):
            return False
        _note_cleared(erased)
    except OperationalError as error:
        # Its kind alone: a database's words can hold values.
        logger.warning("Files could not be cleared now: %s", type(error).__name__)
        return False
    return True


def uncleared() -> QuerySet[Erasure]:
    """What has been erased from the tables and not from the files yet."""
    return Erasure.objects.filter(cleared=False)


def _note_cleared(erased: list[int]) -> None:
    for start in range(0, len(erased), CHUNK):
        Erasure.objects.filter(pk__in=erased[start : start + CHUNK]).update(cleared=True)


def _clear(*, whole: bool) -> bool:
    return _clear_postgresql() if connection.vendor == "postgresql" else _clear_sqlite(whole=whole)


def _until(is_done: Callable[[], bool]) -> bool:
    for attempt in range(TRIES):
        if attempt:
            time.sleep(WAIT_SECONDS)
        if is_done():
            return True
    return False


def _clear_sqlite(*, whole: bool) -> bool:
    """Write anew what may keep words that are gone, then bring the log into the file.

    A small file as a whole. Of a large one, for which writers would wait too long, that of
    which SQLite leaves most copies behind: the segments of the search index, and the trees
    that are sorted by what people wrote. A page of a table that was split long ago can keep
    a copy then of what it has handed on.
    """
    with connection.cursor() as cursor:
        # First: while somebody reads an older state, all the writing would be in vain.
        if not _until(lambda: _is_log_empty(cursor)):
            return False
        search.merge()  # only that drops the words of what was taken out
        if whole or _bytes(cursor) <= SMALL_BYTES:
            cursor.execute("VACUUM")
        else:
            cursor.execute(f"REINDEX {ItemTag._meta.db_table}")  # noqa: SLF001 - public
            _write_terms_anew(cursor)
        return _until(lambda: _is_log_empty(cursor))


def _write_terms_anew(cursor: CursorWrapper) -> None:
    """Write the search index's table of first terms anew: some thousands of rows."""
    with transaction.atomic():
        cursor.execute("SELECT segid, term, pgno FROM items_search_idx ORDER BY segid, term")
        rows = cursor.fetchall()
        cursor.execute("DELETE FROM items_search_idx")
        cursor.executemany(
            "INSERT INTO items_search_idx (segid, term, pgno) VALUES (%s, %s, %s)", rows
        )


def _bytes(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    return int(cursor.fetchone()[0])


def _is_log_empty(cursor: CursorWrapper) -> bool:
    """Bring the log into the file and empty it; whether nobody reads an older state.

    It holds writers back while it waits for readers, so it waits for a moment alone, in a turn.
    """
    with turn_on(connection):
        cursor.execute(f"PRAGMA busy_timeout = {READERS_WAIT_MS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, _log, _moved = cursor.fetchone()
        finally:
            usual = 1000 * connection.settings_dict["OPTIONS"]["timeout"]
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
        return not busy


def _clear_postgresql() -> bool:
    """Write the tables anew with their indexes and samples, once nobody sees the old rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        began = cursor.fetchone()[0]
        if not _until(lambda: not _is_older_open(cursor, since=began)):
            return False
        cursor.execute(f"SET lock_timeout = {LOCK_WAIT_MS}")
        # To write a large table anew takes longer than a page may.
        cursor.execute("SET statement_timeout = 0")
        try:
            # The samples last: those of the old rows have been replaced by then.
            return all(_until(lambda table=table: _is_written_anew(cursor, table))  # type: ignore[misc]
                       for table in [*_tables(), SAMPLES])  # fmt: skip
        finally:
            cursor.execute("RESET statement_timeout")
            cursor.execute("RESET lock_timeout")


def _is_older_open(cursor: CursorWrapper, *, since: datetime) -> bool:
    """Whether a transaction that began before is still open: rows that it sees are kept.

    Those of other users may not show here.
    """
    cursor.execute(_OLDER, [since])
    return bool(cursor.fetchone()[0])


def _is_written_anew(cursor: CursorWrapper, table: str) -> bool:
    """Write the table anew; whether that was let through, and kept no row that is gone."""
    options = "FULL, VERBOSE" if table == SAMPLES else "FULL, VERBOSE, ANALYZE"
    with _notices() as said:
        try:
            cursor.execute(f"VACUUM ({options}) {table}")
        except OperationalError:  # somebody else uses it for longer than we may wait
            return False
    if any(each.severity_nonlocalized == "WARNING" for each in said):
        logger.error("%s may not be written anew by this user of the database.", table)
        return False
    # "N dead row versions cannot be removed yet", in whatever language.
    details = [each.message_detail for each in said if each.message_detail]
    counts = [re.search(r"\d+", detail) for detail in details]
    return all(count is None or int(count[0]) == 0 for count in counts)


@contextmanager
def _notices() -> Iterator[list[Diagnostic]]:
    """What the database says beside its answers."""
    said: list[Diagnostic] = []
    server = connection.connection
    server.add_notice_handler(said.append)
    try:
        yield said
    finally:
        server.remove_notice_handler(said.append)


def _tables() -> list[str]:
    """The tables that hold texts of people, whichever apps are installed, and the index's."""
    found = [model for model in apps.get_models() if _holds_texts(model)]
    names = sorted(model._meta.db_table for model in found)  # noqa: SLF001 - public
    return [connection.ops.quote_name(name) for name in [*names, SEARCH_TABLE]]


def _holds_texts(model: type[models.Model]) -> bool:
    options = model._meta  # noqa: SLF001 - Django's public API
    return options.app_label not in WITHOUT_PEOPLE and any(
        isinstance(field, TEXT_FIELDS) for field in options.local_fields
    )
