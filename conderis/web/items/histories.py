"""The history of an item, or of instructions, as its page shows it."""

from dataclasses import dataclass
from datetime import datetime

from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.web.items.subjects import Subject
from conderis.web.items.words import EVENTS, FIELDS
from items.kinds.values import read_number
from items.requests import ReadRequest
from privacy.reading import read_at


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that happened, in the words of the page.

    `href` leads to the version that it made, where that can be read; `before_href` to what
    it changed, `restore_href` to where it is restored.
    """

    word: str
    at: datetime
    by: str
    version: int | None
    agent: str
    approver: str
    approver_agent: str
    reason: str
    fields: str
    href: str
    before_href: str
    restore_href: str
    locked: bool
    erased: bool
    imported_by: str = ""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some events, newest first; `older` is the address of the next ones, or empty.

    `old` and `new` are the versions that are chosen to be compared, None where no two can be.
    """

    rows: tuple[EventRow, ...]
    older: str
    newest: str
    old: int | None
    new: int | None

    @property
    def can_compare(self) -> bool:
        """Whether there are two versions on the page that can be compared."""
        return self.old is not None


def read_history(subject: Subject, version: int | None = None) -> HistoryPage:
    """The events from a version downward, twenty at a time.

    Raises:
        NotFound: there is none that the caller may read.
        Invalid: it never had this version.
    """
    answer = read_at(
        subject.frame.caller, ReadRequest(subject.address, history=True, version=version)
    )
    rows = _rows(subject, answer)
    following = answer.get("nextVersion")
    path = subject.history_href
    new, old = [*(row.version for row in rows if row.href), None, None][:2]
    return HistoryPage(
        rows,
        older=f"{path}?version={following}" if following else "",
        newest=path if version is not None and version < subject.current else "",
        old=old,
        new=new if old is not None else None,
    )


def event_of(subject: Subject, version: int) -> EventRow | None:
    """The event that made the version; None where there is none to be read.

    Raises:
        Invalid: it never had this version.
    """
    request = ReadRequest(subject.address, history=True, version=version)
    rows = _rows(subject, read_at(subject.frame.caller, request))
    return next((row for row in rows if row.version == version), None)


def read_version_number(sent: str | None) -> int | None:
    """The number of a version as an address carries it; None where it carries none.

    Raises:
        Invalid: it is no number.
    """
    version = read_number(sent) if sent is not None else None
    if sent is not None and version is None:
        raise Invalid("version must be the number of a version.", field="version")
    return version


def _rows(subject: Subject, answer: JsonObject) -> tuple[EventRow, ...]:
    hidden = "locked" in answer
    return tuple(_row(subject, event, hidden=hidden) for event in answer["events"])


def _fields(event: JsonObject) -> str:
    """What it changed, in words."""
    return ", ".join(str(FIELDS.get(name, name)) for name in event.get("fields", []))


def _row(subject: Subject, event: JsonObject, *, hidden: bool) -> EventRow:
    version: int | None = event.get("version")
    locked, erased = hidden or "locked" in event, "erased" in event
    shown = version if version is not None and not locked and not erased else 0
    return EventRow(
        word=str(EVENTS.get(event["event"], event["event"])),
        at=datetime.fromisoformat(event["at"]),
        by=event["by"],
        version=version,
        agent=event.get("agent", ""),
        imported_by=event.get("importedBy", ""),
        approver=event.get("approver", ""),
        approver_agent=event.get("approverAgent", ""),
        reason=event.get("reason", ""),
        fields=_fields(event) if event["event"] != "created" else "",
        href=subject.version_href(shown) if shown else "",
        before_href=subject.difference_href(shown - 1, shown) if shown > 1 else "",
        restore_href=subject.restore_href(shown) if 0 < shown < subject.current else "",
        locked=locked,
        erased=erased,
    )
