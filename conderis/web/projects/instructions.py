"""Instructions and their history as the pages show them, of projects and organizations."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from conderis.common.json import Json, JsonObject
from conderis.web.items.linking import linker_of
from conderis.web.markdown import Linker, render
from items.requests import Address, ReadRequest, StoreRequest
from privacy.reading import read_at, read_in_full
from proposals.writing import store

REF = "instructions"
NONE_YET = 0


@dataclass(frozen=True, slots=True)
class Text:
    """The instructions as they stand, or as they were at a version; 0 is none yet."""

    version: int
    current: int
    content: str = ""
    by: str = ""
    agent: str = ""
    changed: datetime | None = None
    locked: bool = False
    erased: bool = False
    more: bool = False  # this is the first part only
    linker: Linker | None = None

    @property
    def is_current(self) -> bool:
        """Whether this is how they stand."""
        return self.version == self.current

    @property
    def html(self) -> SafeString:
        """The content rendered, with headings below those of a section."""
        return render(self.content, base_level=3, linker=self.linker)

    @property
    def next(self) -> int:
        """The version that storing makes."""
        return self.current + 1


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to the instructions once. `version` is None where it made none."""

    event: str
    at: datetime
    by: str
    version: int | None = None
    agent: str = ""
    approver: str = ""
    reason: str = ""
    readable: bool = True
    imported_by: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """A page of events, newest first; `before` begins the next one, None ends."""

    events: list[Event]
    before: int | None


def read_instructions(caller: Caller, project_id: str, version: int | None = None) -> Text:
    """A project's instructions whole, however long.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: there never was this version.
    """
    try:
        answer = read_in_full(caller, _address(project_id), version=version)
    except NotFound:
        if version is not None:
            raise
        return Text(NONE_YET, NONE_YET)
    return text_of(answer, linker_of(caller, project_id))


def read_first_part(caller: Caller, project_id: str) -> Text:
    """A project's instructions as they stand; of long ones the first part.

    Raises:
        NotFound: there is no such project that the caller may read.
    """
    try:
        answer = read_at(caller, ReadRequest(_address(project_id)))
    except NotFound:
        return Text(NONE_YET, NONE_YET)
    return text_of(answer, linker_of(caller, project_id))


def store_instructions(
    caller: Caller, project_id: str, *, content: str, version: int, reason: str = ""
) -> JsonObject:
    """Have a project's instructions say this; `version` is what it is based on, 0 for none.

    Raises:
        DomainError: the refusals of the write door.
    """
    return store(
        caller,
        StoreRequest(
            _address(project_id),
            version=version,
            fields={"content": content, "complete": True},
            reason=reason or None,
        ),
    )


def text_of(answer: JsonObject, linker: Linker | None = None) -> Text:
    """An answer of reading, as a value; the linker knows its reader."""
    signed = answer.get("changedBy") or answer.get("author") or {}
    version: int = answer["version"]
    return Text(
        version=version,
        current=int(answer.get("currentVersion", version)),
        content=str(answer.get("content") or ""),
        by=str(signed.get("name", "")),
        agent=str(signed.get("agent", "")),
        changed=_moment(answer.get("changed")),
        locked="locked" in answer,
        erased="erased" in answer,
        more="nextOffset" in answer,
        linker=linker,
    )


def history_of(answer: JsonObject) -> History:
    """An answer of the history, as a value."""
    events = [
        Event(
            event=row["event"],
            at=datetime.fromisoformat(row["at"]),
            by=row["by"],
            version=row.get("version"),
            agent=row.get("agent", ""),
            approver=row.get("approver", ""),
            reason=row.get("reason", ""),
            readable="locked" not in row and "erased" not in row and "locked" not in answer,
            imported_by=row.get("importedBy", ""),
        )
        for row in answer["events"]
    ]
    return History(events, answer.get("nextVersion"))


def rows_of(history: History, address: Callable[[int], str]) -> list[tuple[Event, str]]:
    """The events, each with the address of its version; "" where none can be read."""
    return [
        (event, address(event.version) if event.version and event.readable else "")
        for event in history.events
    ]


def _address(project_id: str) -> Address:
    return Address(project_id, ref=REF)


def _moment(text: Json) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None
