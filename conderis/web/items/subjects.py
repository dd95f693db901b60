"""What has a history with pages of its own: an item, a personal memory, or instructions."""

from dataclasses import dataclass
from typing import Final, Protocol

from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import JsonObject
from conderis.web.projects.frame import ProjectFrame
from items.access import nothing_at
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.kinds.values import MAX_NUMBER
from items.requests import Address, ReadRequest
from items.restoring import ARCHIVED, BLOCKED_REASON
from privacy.reading import read_at, read_in_full

INSTRUCTIONS: Final = "instructions"


class Frame(Protocol):
    """Where a subject has its pages: in a project, or among what is a person's own."""

    @property
    def caller(self) -> Caller:
        """Who looks."""

    def path(self, route: str, **more: str | int) -> str:
        """The address of one of the pages."""

    def reviews(self, kind: Kind, visibility: str) -> bool:
        """Whether a change by the caller would wait for somebody's review."""


@dataclass(frozen=True, slots=True)
class Routes:
    """The names of the addresses: of itself, its history, and what is done there."""

    itself: str
    history: str
    version: str
    compare: str
    restore: str


ITEM_ROUTES: Final = Routes(
    "item", "item-history", "item-version", "item-compare", "item-version-restore"
)
INSTRUCTIONS_ROUTES: Final = Routes(
    "project-instructions",
    "project-instructions-history",
    "project-instructions-version",
    "project-instructions-compare",
    "project-instructions-restore",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Something with a history, as it stands; `answer` is what reading it says.

    `erase_what` is how the form that asks for an erasure names it.
    """

    frame: Frame
    address: Address
    routes: Routes
    answer: JsonObject
    erase_what: str

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return kind_of(str(self.answer["kind"]))

    @property
    def number(self) -> int | None:
        """Its number; instructions and personal memories have none."""
        return self.answer.get("number")

    @property
    def title(self) -> str:
        """Its title; none of what is locked or erased, or has none."""
        return str(self.answer.get("title", ""))

    @property
    def current(self) -> int:
        """The version that stands."""
        return int(self.answer["version"])

    @property
    def is_readable(self) -> bool:
        """Whether it is neither locked nor erased, and has been imported with its number."""
        return self.answer.keys().isdisjoint({"locked", "erased", "notExported"})

    @property
    def is_archived(self) -> bool:
        """Whether it is archived, and so not changed before it is restored."""
        return ARCHIVED in self.answer

    @property
    def is_reviewed(self) -> bool:
        """Whether a change of it by the caller would wait for somebody's review."""
        return self.frame.reviews(self.kind, str(self.answer.get("visibility", "")))

    @property
    def href(self) -> str:
        """The address of its page."""
        return self._path(self.routes.itself)

    @property
    def history_href(self) -> str:
        """The address of its history."""
        return self._path(self.routes.history)

    @property
    def compare_href(self) -> str:
        """The address where two versions are compared."""
        return self._path(self.routes.compare)

    def version_href(self, version: int) -> str:
        """The address of a version."""
        return self._path(self.routes.version, version=version)

    def restore_href(self, version: int) -> str:
        """The address where a version is restored."""
        return self._path(self.routes.restore, version=version)

    def difference_href(self, old: int, new: int) -> str:
        """The address where these two versions are compared."""
        return f"{self.compare_href}?from={old}&to={new}"

    def _path(self, route: str, **more: int) -> str:
        numbered = {"number": self.number} if self.number is not None else {}
        return self.frame.path(route, **numbered, **more)


@dataclass(frozen=True, slots=True)
class Version:
    """A version as it was; nothing of one that is locked or erased."""

    number: int
    state: JsonObject
    locked: bool
    erased: bool

    @property
    def is_readable(self) -> bool:
        """Whether there is anything to show."""
        return not self.locked and not self.erased


def item_subject(frame: ProjectFrame, number: int) -> Subject:
    """The item of a number, with its history.

    Raises:
        NotFound: there is none that the caller may read.
    """
    if not 1 <= number <= MAX_NUMBER:
        raise nothing_at(f"#{number}")
    address = Address(frame.project_id, number=number)
    return subject_at(frame, address, ITEM_ROUTES, erase_what=f"{frame.full_name}#{number}")


def instructions_subject(frame: ProjectFrame) -> Subject:
    """The instructions of the project, with their history.

    Raises:
        NotFound: there are none.
    """
    address = Address(frame.project_id, ref=INSTRUCTIONS)
    what = f"{frame.full_name}#{INSTRUCTIONS}"
    return subject_at(frame, address, INSTRUCTIONS_ROUTES, erase_what=what)


def subject_at(frame: Frame, address: Address, routes: Routes, *, erase_what: str) -> Subject:
    """What is at the address, with its history.

    Raises:
        DomainError: as the door refuses.
    """
    answer = read_at(frame.caller, ReadRequest(address, take=1))
    return Subject(frame, address, routes, answer, erase_what)


def read_version(subject: Subject, number: int) -> Version:
    """A version of it, whole, however long: the fields that versions keep.

    Raises:
        NotFound: it never had this version.
    """
    if not 1 <= number <= subject.current:
        raise NotFound("There is no such version.")
    try:
        answer = read_in_full(subject.frame.caller, subject.address, version=number)
    except Invalid as refusal:
        raise NotFound("There is no such version.") from refusal
    kept = [each.name for each in subject.kind.fields if each.historic]
    names = [*kept, ARCHIVED, BLOCKED_REASON]
    return Version(
        number=number,
        state={name: answer[name] for name in names if name in answer},
        locked="locked" in answer,
        erased="erased" in answer,
    )
