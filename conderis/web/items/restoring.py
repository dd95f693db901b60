"""What restoring an earlier version would change, doing it, and what has come of it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from conderis.common.errors import NotFound
from conderis.common.json import JsonObject
from conderis.web.comparing.choosing import View
from conderis.web.items.comparisons import differences, version_word
from conderis.web.items.subjects import Subject, Version, read_version
from conderis.web.items.words import FIELDS
from conderis.web.moderation.matter import Matter
from items.kinds.task import MAX_REASON
from items.restoring import kept_fields, restored_fields
from proposals.restoring import restore_version


@dataclass(frozen=True, slots=True)
class Restoring:
    """What restoring a version would change in what stands.

    `stays` are the labels of what differs and is left as it is.
    """

    subject: Subject
    version: Version
    matter: Matter
    stays: tuple[str, ...]
    proposes: bool

    @property
    def left(self) -> str:
        """The head of what stands."""
        return version_word(self.subject.current)

    @property
    def right(self) -> str:
        """The head of what would stand."""
        return _("Restored")

    @property
    def next(self) -> int:
        """The version that restoring makes."""
        return self.subject.current + 1

    @property
    def is_possible(self) -> bool:
        """Whether it can be restored as things stand, and that would change anything."""
        subject = self.subject
        readable = subject.is_readable and self.version.is_readable
        return readable and not subject.is_archived and not self.matter.is_empty


def look_at_restoring(subject: Subject, number: int, view: View) -> Restoring:
    """What restoring the version would do.

    Raises:
        NotFound: it never had this version.
    """
    version = read_version(subject, number)
    stands = read_version(subject, subject.current)
    readable = version.is_readable and stands.is_readable
    matter = Matter()
    stays: tuple[str, ...] = ()
    if readable:
        restored = stands.state | restored_fields(subject.kind, version.state)
        matter = differences(subject.kind, stands.state, restored, view)
        kept = kept_fields(subject.kind, version.state, stands.state)
        stays = tuple(str(FIELDS[name]) for name in kept)
    return Restoring(
        subject=subject,
        version=version,
        matter=matter,
        stays=stays,
        proposes=subject.is_reviewed,
    )


def restore(subject: Subject, number: int, *, over: int, reason: str) -> JsonObject:
    """Store the fields of a version again, over the version that was looked at.

    The reason that is kept says which version it was, in the words of the person. Where the
    caller may only propose it, it becomes a proposal.

    Raises:
        NotFound: it never had this version.
        DomainError: as `restore_version` refuses.
    """
    if not 1 <= number <= subject.current:
        raise NotFound("There is no such version.")
    said = _("Version %(version)s restored") % {"version": number}
    said = (f"{said}: {reason}" if reason else said)[:MAX_REASON]
    caller, address = subject.frame.caller, subject.address
    return restore_version(caller, address, version=number, over=over, reason=said)


def restored_word(number: int, answer: JsonObject) -> str:
    """What has come of it, in one sentence."""
    if answer["outcome"] == "published":
        values = {"old": number, "new": answer["version"]}
        return _("Version %(old)s is restored as version %(new)s.") % values
    if answer["outcome"] == "proposed":
        said = _("Proposed: %(version)s counts again once somebody approves it.")
        return said % {"version": version_word(number)}
    return _("Nothing was changed.")
