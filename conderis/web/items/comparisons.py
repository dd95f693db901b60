"""Two versions of an item, or of instructions, beside each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from conderis.common.json import JsonObject
from conderis.web.comparing.choosing import View, comparing
from conderis.web.comparing.fields import changed_text
from conderis.web.items.histories import EventRow, event_of, read_history, read_version_number
from conderis.web.items.subjects import Subject, Version, read_version
from conderis.web.items.words import FIELDS
from conderis.web.moderation.matter import Matter, matter_of
from items.kinds.base import Kind
from items.restoring import BLOCKED_REASON


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs from an older version to a newer one; nothing where one is hidden.

    `rows` are events to choose others from: the newest, and the two that are compared.
    """

    subject: Subject
    old: Version
    new: Version
    rows: tuple[EventRow, ...]
    matter: Matter

    @property
    def left(self) -> str:
        """The head of the older one."""
        return version_word(self.old.number)

    @property
    def right(self) -> str:
        """The head of the newer one."""
        return version_word(self.new.number)

    @property
    def is_readable(self) -> bool:
        """Whether both can be shown."""
        return self.old.is_readable and self.new.is_readable

    @property
    def hidden(self) -> tuple[Version, ...]:
        """Those of the two that cannot be shown."""
        both = (self.old,) if self.is_one else (self.old, self.new)
        return tuple(each for each in both if not each.is_readable)

    @property
    def is_one(self) -> bool:
        """Whether a version is compared with itself."""
        return self.old.number == self.new.number

    @property
    def next(self) -> int:
        """The version that restoring makes."""
        return self.subject.current + 1

    @property
    def restores(self) -> bool:
        """Whether the older one can be restored as things stand."""
        return (
            self.is_readable
            and self.subject.is_readable
            and not self.subject.is_archived
            and self.old.number != self.subject.current
        )

    @property
    def restore_href(self) -> str:
        """Where the older one is restored."""
        return self.subject.restore_href(self.old.number)


def compare_versions(subject: Subject, sent: Mapping[str, str], view: View) -> Comparison:
    """The versions that an address names (`from`, `to`), in either order, the older one first.

    Without `to` the current one, without `from` the one before it.

    Raises:
        Invalid: it names what is no number.
        NotFound: it never had such a version.
    """
    to = read_version_number(sent.get("to")) or subject.current
    since = read_version_number(sent.get("from")) or max(to - 1, 1)
    old, new = (read_version(subject, number) for number in sorted((since, to)))
    shown = old.is_readable and new.is_readable
    return Comparison(
        subject=subject,
        old=old,
        new=new,
        rows=_rows(subject, (new.number, old.number)),
        matter=differences(subject.kind, old.state, new.state, view) if shown else Matter(),
    )


def differences(kind: Kind, old: JsonObject, new: JsonObject, view: View) -> Matter:
    """What differs in the fields that versions keep, and why a task is blocked."""
    kept = replace(kind, fields=tuple(each for each in kind.fields if each.historic))
    matter = matter_of(kept, old, new, compares=comparing(view))
    before, after = (str(state.get(BLOCKED_REASON, "")) for state in (old, new))
    if before == after:
        return matter
    blocked = changed_text(str(FIELDS[BLOCKED_REASON]), before, after, prefix=BLOCKED_REASON)
    return replace(matter, fields=(*matter.fields, blocked))


def version_word(number: int) -> str:
    """What a version is called."""
    return _("Version %(version)s") % {"version": number}


def _rows(subject: Subject, chosen: tuple[int, ...]) -> tuple[EventRow, ...]:
    newest = [row for row in read_history(subject).rows if row.version is not None]
    known = {row.version for row in newest}
    asked = [event_of(subject, number) for number in dict.fromkeys(chosen) if number not in known]
    return (*newest, *(row for row in asked if row is not None))
