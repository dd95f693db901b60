"""Erasures that a database must know before it is served: read from wherever they are kept."""

from collections.abc import Iterable
from pathlib import Path

from django.db import Error, connection, transaction

from conderis.operations.faults import Fault
from privacy.clearing import finish_erasures
from privacy.erasures import Entry, all_entries, read_journal
from privacy.reapplying import apply_entries, keep_journal

_TABLE = "privacy_erasure"


def in_lines(text: str) -> set[Entry]:
    """The erasures of a backup's list.

    Raises:
        Fault: a line is none.
    """
    try:
        return {Entry.from_line(line) for line in text.splitlines() if line}
    except ValueError as error:
        raise Fault(f"The backup's list of erasures cannot be read: {error}.") from error


def in_file(path: Path) -> set[Entry]:
    """The erasures of a file like the journal.

    Raises:
        Fault: it is not there, cannot be read, or has a line that is no erasure.
    """
    if not path.is_file():
        raise Fault(f"There is no file {path}.")
    return _read(path)


def in_journal() -> set[Entry]:
    """The erasures that the data folder's journal has; none where there is no journal.

    Raises:
        Fault: it cannot be read, or has a line that is no erasure.
    """
    return _read(None)


def in_database() -> set[Entry] | None:
    """The erasures that the database knows; None where it cannot tell them.

    One from before there were erasures knows none.
    """
    try:
        with transaction.atomic():
            if _TABLE not in connection.introspection.table_names():
                return set()
            return set(all_entries())
    except Error:
        return None


def as_lines(entries: Iterable[Entry]) -> bytes:
    """A file of erasures, one a line, oldest first."""
    rows = sorted(entries, key=lambda entry: (entry.at, entry.key))
    return "".join(f"{entry.as_line()}\n" for entry in rows).encode()


def apply(entries: Iterable[Entry]) -> int:
    """Erase what the entries say, and what the journal says; how many were new here.

    The journal knows them all afterwards.

    Raises:
        Fault: the journal has a line that is no erasure.
    """
    done = apply_entries(sorted(entries, key=lambda entry: (entry.at, entry.key)))
    return done + apply_journal()


def apply_journal() -> int:
    """Bring database and journal together, before anything is served; how many were new here.

    What was being erased when the server stopped is finished, too.

    Raises:
        Fault: the journal cannot be read, or has a line that is no erasure.
    """
    try:
        done = keep_journal()
    except (ValueError, OSError) as error:
        raise _unreadable(error) from error
    finish_erasures()
    return done


def _read(path: Path | None) -> set[Entry]:
    try:
        return set(read_journal(path))
    except (ValueError, OSError) as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> Fault:
    return Fault(
        f"The list of what has been erased cannot be read, so nothing is served: {error} Mend "
        "the line, or put back the file of a backup."
    )
