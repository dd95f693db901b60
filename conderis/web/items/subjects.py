"""What has a history with pages of its own: an item of a project, or its instructions."""

from dataclasses import dataclass
from typing import Final

from conderis.common.errors import Invalid, NotFound
from conderis.common.json import Json, JsonObject
from conderis.web.projects.frame import ProjectFrame
from items.access import nothing_at
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.kinds.values import MAX_NUMBER
from items.parts import MAX_TAKE
from items.requests import Address, ReadRequest
from privacy.reading import read_at

# What is no field of a kind, but part of its state.
ARCHIVED, BLOCKED_REASON = "archived", "blockedReason"
INSTRUCTIONS: Final = "instructions"


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
    """Something with a history, as it stands; `answer` is what reading it says."""

    frame: ProjectFrame
    address: Address
    routes: Routes
    answer: JsonObject

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return kind_of(str(self.answer["kind"]))

    @property
    def number(self) -> int | None:
        """Its number; the instructions have none."""
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
        """Whether it is neither locked nor erased."""
        return "locked" not in self.answer and "erased" not in self.answer

    @property
    def is_archived(self) -> bool:
        """Whether it is archived, and so not changed before it is restored."""
        return ARCHIVED in self.answer

    @property
    def erase_what(self) -> str:
        """How the form that asks for an erasure names it."""
        return f"{self.frame.full_name}#{self.number or INSTRUCTIONS}"

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
    return _subject(frame, Address(frame.project_id, number=number), ITEM_ROUTES)


def instructions_subject(frame: ProjectFrame) -> Subject:
    """The instructions of the project, with their history.

    Raises:
        NotFound: there are none.
    """
    return _subject(frame, Address(frame.project_id, ref=INSTRUCTIONS), INSTRUCTIONS_ROUTES)


def read_version(subject: Subject, number: int) -> Version:
    """A version of it, whole, however long: the fields that versions keep.

    Raises:
        NotFound: it never had this version.
    """
    if not 1 <= number <= subject.current:
        raise NotFound("There is no such version.")
    try:
        answer = _whole(subject, number)
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


def _subject(frame: ProjectFrame, address: Address, routes: Routes) -> Subject:
    return Subject(frame, address, routes, read_at(frame.caller, ReadRequest(address, take=1)))


def _whole(subject: Subject, number: int) -> JsonObject:
    caller = subject.frame.caller
    rest = answer = read_at(caller, ReadRequest(subject.address, version=number, take=MAX_TAKE))
    parts = [_text(answer.get("content"))]
    while "nextOffset" in rest:
        following = ReadRequest(
            subject.address, version=number, offset=rest["nextOffset"], take=MAX_TAKE
        )
        rest = read_at(caller, following)
        parts.append(_text(rest.get("content")))
    text = "".join(parts)
    return {**answer, "content": text} if text else answer


def _text(content: Json) -> str:
    return str(content or "")
