"""Rows of the audit log in the words of the pages, of projects and of organizations."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.errors import NotFound
from conderis.web.projects.words import role_word, several
from projects.events import EventPage, EventRow

# Done to a person, whose name stands behind.
TO_PEOPLE: Final[dict[str, Promise]] = {
    "member.added": gettext_lazy("Member added"),
    "member.changed": gettext_lazy("Role changed"),
    "member.removed": gettext_lazy("Member removed"),
    "organization_member.added": gettext_lazy("Member of the organization added"),
    "organization_member.changed": gettext_lazy("Role in the organization changed"),
    "organization_member.removed": gettext_lazy("Member of the organization removed"),
}
WORDS: Final[dict[str, Promise]] = TO_PEOPLE | {
    "deletion.erased": gettext_lazy("Erased for good"),
    "deletion.refused": gettext_lazy("Erasure refused"),
    "deletion.requested": gettext_lazy("Erasure asked for, and locked"),
    "deletion.revealed": gettext_lazy("Locked content revealed"),
    "deletion.withdrawn": gettext_lazy("Request for an erasure withdrawn"),
    "invitation.accepted": gettext_lazy("Invitation used"),
    "invitation.created": gettext_lazy("Invitation made"),
    "invitation.revoked": gettext_lazy("Invitation revoked"),
    "organization.changed": gettext_lazy("Organization changed"),
    "organization.created": gettext_lazy("Organization made"),
    "organization.project_left": gettext_lazy("A project has left the organization"),
    "policies.changed": gettext_lazy("Policies changed"),
    "project.changed": gettext_lazy("Project changed"),
    "project.created": gettext_lazy("Project made"),
    "project.deleted": gettext_lazy("Project deleted"),
    "project.exported": gettext_lazy("Project exported"),
    "project.restored": gettext_lazy("Project brought back"),
    "project.transferred": gettext_lazy("Project transferred"),
    "visibility.changed": gettext_lazy("Visibility changed"),
    "key.created": gettext_lazy("Agent key made"),
    "key.changed": gettext_lazy("Agent key changed"),
    "key.rotated": gettext_lazy("Agent key replaced"),
    "key.revoked": gettext_lazy("Agent key revoked"),
}
FIELD_WORDS: Final[dict[str, Promise]] = {
    "name": gettext_lazy("name"),
    "handle": gettext_lazy("handle"),
    "description": gettext_lazy("description"),
    "remote": gettext_lazy("git remote"),
    "upstream": gettext_lazy("upstream"),
    "memberRole": gettext_lazy("role of members"),
    "recallMode": gettext_lazy("recall"),
    "contributorsPublishMemories": gettext_lazy("memories without review"),
    "secrets": gettext_lazy("secrets"),
    "acceptProposals": gettext_lazy("proposals from everyone"),
    "agentsReviewed": gettext_lazy("review of agents' changes"),
    "sessionDays": gettext_lazy("days of sessions"),
}
INSTRUCTIONS: Final = "instructions"
DELETION: Final = "deletion."
VISIBILITY: Final[dict[str, Promise]] = {
    "public": gettext_lazy("public"),
    "private": gettext_lazy("private"),
}


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """A row of the log. `who` is empty where whoever runs the server did it."""

    at: datetime
    what: str
    whom: str
    details: tuple[str, ...]
    who: str
    agent: str
    project: str
    request: str = ""  # the id of the deletion request that it is of


def shown_events(page: EventPage) -> list[ShownEvent]:
    """The rows of a page of the log, in words."""
    return [
        ShownEvent(
            at=row.at,
            what=str(WORDS.get(row.action, row.action)),
            whom=row.subject_person.display_name if row.subject_person is not None else "",
            details=tuple(_details(row)),
            who=row.person.display_name if row.person is not None else "",
            agent=row.agent or "",
            project=row.project or "",
            request=str(row.detail.get("request", "")) if _is_of_deletion(row) else "",
        )
        for row in page.items
    ]


def before_asked(request: HttpRequest) -> int | None:
    """The id in the address (`?before=40`), if there is one.

    Raises:
        NotFound: it is no number.
    """
    word = request.GET.get("before")
    if word is None:
        return None
    if not word.isascii() or not word.isdigit() or not 0 < len(word) < 19:
        raise NotFound("There is nothing before that.")
    return int(word)


def _details(row: EventRow) -> Iterator[str]:
    detail = row.detail
    if _is_of_deletion(row):
        yield from _of_deletion(row)
        return
    if "role" in detail:
        yield role_word(detail["role"])
    if "visibility" in detail:
        yield str(VISIBILITY.get(detail["visibility"], detail["visibility"]))
    if detail.get("fields"):
        yield several(FIELD_WORDS.get(name, name) for name in detail["fields"])
    if detail.get("scopes"):
        yield several(detail["scopes"])
    if detail.get("alwaysReview"):
        yield _("always reviewed")


def _is_of_deletion(row: EventRow) -> bool:
    return row.action.startswith(DELETION)


def _of_deletion(row: EventRow) -> Iterator[str]:
    """What it is of. Nothing of the content is in the log."""
    yield row.subject if row.subject != INSTRUCTIONS else _("instructions")
    if row.detail.get("version"):
        yield _("version %(version)s") % {"version": row.detail["version"]}
