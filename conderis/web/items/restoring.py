"""An earlier version made to stand again, as a new version: one call of the write door.

What people do to an item stays as it is: the status of a task, who it is assigned to, why it
is blocked, and whether it is archived. So does what versions do not keep (where it stands,
its relations), and what is fixed (who can see it).
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from conderis.common.errors import Conflict
from conderis.common.json import Json, JsonObject
from conderis.web.comparing.choosing import View
from conderis.web.items.comparisons import differences, version_word
from conderis.web.items.subjects import ARCHIVED, BLOCKED_REASON, Subject, Version, read_version
from conderis.web.items.words import FIELDS
from conderis.web.moderation.matter import Matter
from conderis.web.projects.hygiene_page import will_be_proposed
from items.kinds.base import Field, Kind
from items.kinds.task import MAX_REASON
from items.kinds.values import Assignee, Choice
from items.requests import StoreRequest
from proposals.writing import store

FIXED = "visibility"


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
        restored = stands.state | _fields_back(subject.kind, version.state)
        matter = differences(subject.kind, stands.state, restored, view)
        stays = tuple(_stays(subject.kind, version.state, stands.state))
    return Restoring(
        subject=subject,
        version=version,
        matter=matter,
        stays=stays,
        proposes=will_be_proposed(subject.frame, subject.answer),
    )


def restore(subject: Subject, number: int, *, over: int, reason: str) -> JsonObject:
    """Store the fields of a version again, over the version that was looked at.

    The reason that is kept says which version it was, in the words of the person. Where the
    caller may only propose it, it becomes a proposal.

    Raises:
        NotFound: it never had this version.
        Conflict: the version is locked or erased, or somebody else was faster.
        DomainError: as the write door refuses.
    """
    version = read_version(subject, number)
    if not version.is_readable:
        raise Conflict(f"Version {number} is locked or erased.", current_version=subject.current)
    fields = _fields_back(subject.kind, version.state)
    if "content" in fields:
        fields["complete"] = True
    said = _("Version %(version)s restored") % {"version": number}
    request = StoreRequest(
        subject.address,
        version=over,
        fields=fields,
        reason=(f"{said}: {reason}" if reason else said)[:MAX_REASON],
    )
    return store(subject.frame.caller, request)


def restored_word(number: int, answer: JsonObject) -> str:
    """What has come of it, in one sentence."""
    if answer["outcome"] == "published":
        values = {"old": number, "new": answer["version"]}
        return _("Version %(old)s is restored as version %(new)s.") % values
    if answer["outcome"] == "proposed":
        said = _("Proposed: %(version)s counts again once somebody approves it.")
        return said % {"version": version_word(number)}
    return _("Nothing was changed.")


def _is_restored(kind: Kind, field: Field) -> bool:
    if not field.historic or field.name == FIXED or isinstance(field.type, Assignee):
        return False
    words = tuple(status.name for status in kind.statuses)
    return not (words and isinstance(field.type, Choice) and field.type.words == words)


def _fields_back(kind: Kind, state: JsonObject) -> JsonObject:
    """The fields of a version as the write door takes them; what it had not is cleared."""
    found: dict[str, Json] = {}
    for field in kind.fields:
        value = state.get(field.name)
        if _is_restored(kind, field) and (value is not None or field.clearable):
            found[field.name] = value
    return found


def _stays(kind: Kind, then: JsonObject, now: JsonObject) -> list[str]:
    """The labels of what differs between the two and is not restored."""
    names = [each.name for each in kind.fields if each.historic and not _is_restored(kind, each)]
    differing = [name for name in names if then.get(name) != now.get(name)]
    if then.get(BLOCKED_REASON) != now.get(BLOCKED_REASON) and "status" not in differing:
        differing.append("status")
    if bool(then.get(ARCHIVED)) != bool(now.get(ARCHIVED)):
        differing.append(ARCHIVED)
    return [str(FIELDS[name]) for name in differing]
