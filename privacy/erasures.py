"""What has been erased, by ids alone: so that what comes from outside does not bring it back.

Kept twice: in the database, and in the journal, a file beside it, which outlives a database
that is put back from a backup. Both are brought together before the server serves.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from conderis.common.ids import new_id
from conderis.common.json import compact, without_nulls
from conderis.common.times import iso
from privacy.models import Erasure

logger = logging.getLogger(__name__)

JOURNAL = "erasures.jsonl"
CHUNK = 500
MAX_ID = 12
MAX_VERSION = 2_000_000_000
What = Erasure.What


@dataclass(frozen=True, slots=True)
class Entry:
    """One erasure: its cause (a deletion request, or an id of its own) and what it was of.

    `target` is the public id of the item, proposal, project or person; `by` a reference,
    empty where whoever runs the server decided.
    """

    cause: str
    what: str
    target: str
    version: int | None
    at: datetime
    by: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it one and the same."""
        return self.cause, self.what, self.target

    def as_line(self) -> str:
        """The entry as a line of the journal, without its end."""
        return compact(
            without_nulls(
                {
                    "cause": self.cause,
                    "what": self.what,
                    "target": self.target,
                    "version": self.version,
                    "at": iso(self.at),
                    "by": self.by or None,
                }
            )
        )

    @classmethod
    def from_line(cls, line: str) -> "Entry":
        """The entry that the line says.

        Raises:
            ValueError: it says none.
        """
        said = json.loads(line)
        if not isinstance(said, dict):
            raise ValueError("not an object")  # noqa: TRY004 - a line's, not a caller's type
        at = parse_datetime(str(said.get("at")))
        version = said.get("version")
        names = [said.get(name) for name in ("cause", "what", "target")]
        if at is None or said.get("what") not in What.values or not all(map(_is_id, names)):
            raise ValueError("not an erasure")
        if version is not None and not (type(version) is int and 1 <= version <= MAX_VERSION):
            raise ValueError("no version")
        if at.tzinfo is None:
            raise ValueError("a time without its zone")
        cause, what, target = map(str, names)
        return cls(cause, what, target, version, at, str(said.get("by") or ""))


def note_erasure(
    *, what: str, target: str, by: str, cause: str | None = None, version: int | None = None
) -> None:
    """Note what this transaction erases; once it is committed the journal has it, too."""
    row, is_new = Erasure.objects.get_or_create(
        cause=cause or new_id(), what=what, target=target, defaults={"version": version, "by": by}
    )
    if is_new:
        transaction.on_commit(lambda: append_or_log([_entry(row)]))


def note_items(targets: Iterable[str], *, by: str) -> None:
    """Note items that are erased together, as `note_erasure` does for one."""
    now = timezone.now()
    rows = [
        Erasure(cause=new_id(), what=What.ITEM, target=target, at=now, by=by) for target in targets
    ]
    Erasure.objects.bulk_create(rows, batch_size=CHUNK)
    transaction.on_commit(lambda: append_or_log([_entry(row) for row in rows]))


def all_entries() -> Iterator[Entry]:
    """What the database knows as erased, oldest first."""
    for row in Erasure.objects.order_by("pk").iterator(CHUNK):
        yield _entry(row)


def unknown(entries: Iterable[Entry]) -> list[Entry]:
    """Those of the entries that the database does not know, each once."""
    wanted = {entry.key: entry for entry in entries}
    known = set(Erasure.objects.values_list("cause", "what", "target"))
    return [entry for key, entry in wanted.items() if key not in known]


def know(entry: Entry) -> None:
    """Have the database know the entry as erased."""
    Erasure.objects.get_or_create(
        cause=entry.cause,
        what=entry.what,
        target=entry.target,
        defaults={"version": entry.version, "at": entry.at, "by": entry.by},
    )


def journal_path() -> Path:
    """Where the journal is: in the data folder, whatever the database."""
    return Path(settings.DATA_FOLDER) / JOURNAL


def read_journal(path: Path | None = None) -> list[Entry]:
    """The entries of the journal, or of another file like it; none where there is no file.

    A last line that was cut off when the machine stopped is left out: the database has it.

    Raises:
        ValueError: a line says no erasure; the words name its number.
    """
    file = path or journal_path()
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").split("\n")
    entries: list[Entry] = []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            entries.append(Entry.from_line(line))
        except ValueError as error:
            if number == len(lines):
                break
            raise ValueError(f"Line {number} of {file.name} says no erasure: {error}.") from error
    return entries


def append(entries: Iterable[Entry]) -> None:
    """Write the entries to the end of the journal and onto the disk, in one piece."""
    lines = "".join(f"{entry.as_line()}\n" for entry in entries)
    if not lines:
        return
    path = journal_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        _cut_torn_line(descriptor)
        os.write(descriptor, lines.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append_or_log(entries: Iterable[Entry]) -> None:
    """Write the entries as `append` does; where the disk refuses, the log says so.

    The database has them, and the next start brings the journal up to it.
    """
    try:
        append(entries)
    except OSError as error:
        logger.error(  # noqa: TRY400 - the kind says enough
            "The journal of erasures could not be written: %s", type(error).__name__
        )


def _cut_torn_line(descriptor: int) -> None:
    """Cut off a last line that was not written whole: the database knows what it said."""
    content = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    whole = content.rfind(b"\n") + 1
    if whole != len(content):
        os.ftruncate(descriptor, whole)


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_ID


def _entry(row: Erasure) -> Entry:
    return Entry(row.cause, str(row.what), row.target, row.version, row.at, row.by)
