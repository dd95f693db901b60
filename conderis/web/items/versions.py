"""A version of an item, or of instructions, as its page shows it."""

from dataclasses import dataclass
from datetime import datetime

from conderis.common.json import JsonObject
from conderis.web.items.histories import EventRow, event_of
from conderis.web.items.subjects import Subject, Version, read_version
from conderis.web.items.words import FIELDS
from conderis.web.moderation.matter import values_of
from items.kinds.base import Field
from items.kinds.values import Commits, Moment, SourceState, Tags, Text
from items.restoring import BLOCKED_REASON

IN_TEXT = ("title", "summary")


@dataclass(frozen=True, slots=True)
class Fact:
    """A field that a version had: its label, and its values or its time."""

    label: str
    values: tuple[str, ...]
    is_machine: bool = False
    are_tags: bool = False
    moment: datetime | None = None


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version, the event that made it, and its neighbours."""

    subject: Subject
    version: Version
    event: EventRow | None
    facts: tuple[Fact, ...]

    @property
    def number(self) -> int:
        """Its number."""
        return self.version.number

    @property
    def is_current(self) -> bool:
        """Whether it stands."""
        return self.number == self.subject.current

    @property
    def previous_href(self) -> str:
        """The address of the version before it, or empty."""
        return self.subject.version_href(self.number - 1) if self.number > 1 else ""

    @property
    def next_href(self) -> str:
        """The address of the version after it, or empty."""
        return "" if self.is_current else self.subject.version_href(self.number + 1)

    @property
    def compare_href(self) -> str:
        """Where it is compared: with the current one; that with the one before it, or empty."""
        if not self.is_current:
            return self.subject.difference_href(self.number, self.subject.current)
        return self.subject.difference_href(self.number - 1, self.number) if self.number > 1 else ""

    @property
    def restore_href(self) -> str:
        """Where it is restored, or empty where it cannot be."""
        subject = self.subject
        may_be = self.version.is_readable and subject.is_readable and not subject.is_archived
        return subject.restore_href(self.number) if may_be and not self.is_current else ""


def look_at_version(subject: Subject, number: int) -> ShownVersion:
    """The version with what is around it.

    Raises:
        NotFound: it never had this version.
    """
    version = read_version(subject, number)
    return ShownVersion(subject, version, event_of(subject, number), _facts(subject, version.state))


def _facts(subject: Subject, state: JsonObject) -> tuple[Fact, ...]:
    shown = [
        _fact(each, state)
        for each in subject.kind.fields
        if state.get(each.name) and each.name not in IN_TEXT and not isinstance(each.type, Text)
    ]
    reason = str(state.get(BLOCKED_REASON) or "")
    return (*shown, *((Fact(str(FIELDS[BLOCKED_REASON]), (reason,)),) if reason else ()))


def _fact(field: Field, state: JsonObject) -> Fact:
    label, value = str(FIELDS.get(field.name, field.name)), state[field.name]
    if isinstance(field.type, Moment):
        return Fact(label, (), moment=datetime.fromisoformat(str(value)))
    is_machine = isinstance(field.type, Commits | SourceState)
    values, are_tags = tuple(values_of(field, value)), isinstance(field.type, Tags)
    return Fact(label, values, is_machine=is_machine, are_tags=are_tags)
