"""The history of an item as its page shows it."""

from dataclasses import dataclass
from datetime import datetime

from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.web.items.words import EVENTS, FIELDS
from conderis.web.projects.frame import ProjectFrame
from items.kinds.values import read_number
from items.requests import Address, ReadRequest
from privacy.reading import read_at


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that happened, in the words of the page.

    `href` leads to the version that it made, where that can be read.
    """

    word: str
    at: datetime
    by: str
    version: int | None
    agent: str
    approver: str
    reason: str
    fields: str
    href: str
    locked: bool
    erased: bool


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some events, newest first; `older` is the address of the next ones, or empty."""

    rows: tuple[EventRow, ...]
    older: str


def read_history(frame: ProjectFrame, number: int, before: str | None) -> HistoryPage:
    """The events of the item from a version downward, twenty at a time.

    Raises:
        NotFound: there is none that the caller may read.
        Invalid: `before` is none of its versions.
    """
    version = read_number(before)
    if before is not None and version is None:
        raise Invalid("version must be the number of a version.", field="version")
    address = Address(frame.project_id, number=number)
    answer = read_at(frame.caller, ReadRequest(address, history=True, version=version))
    hidden = "locked" in answer
    rows = tuple(_row(frame, number, event, hidden=hidden) for event in answer["events"])
    following = answer.get("nextVersion")
    path = frame.path("item-history", number=number)
    return HistoryPage(rows, f"{path}?version={following}" if following else "")


def _row(frame: ProjectFrame, number: int, event: JsonObject, *, hidden: bool) -> EventRow:
    version = event.get("version")
    locked, erased = hidden or "locked" in event, "erased" in event
    href = ""
    if version is not None and not locked and not erased:
        href = frame.path("item-version", number=number, version=version)
    return EventRow(
        word=str(EVENTS.get(event["event"], event["event"])),
        at=datetime.fromisoformat(event["at"]),
        by=event["by"],
        version=version,
        agent=event.get("agent", ""),
        approver=event.get("approver", ""),
        reason=event.get("reason", ""),
        fields=", ".join(str(FIELDS.get(name, name)) for name in event.get("fields", [])),
        href=href,
        locked=locked,
        erased=erased,
    )
