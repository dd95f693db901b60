"""What happened to an account, in words for its owner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.accounts.events import AccountEvent
from conderis.web.projects.words import role_word

WORDS: Final[dict[str, Promise]] = {
    "person.created": gettext_lazy("Account made"),
    "person.signed_up": gettext_lazy("Account made by signing up"),
    "person.signed_in": gettext_lazy("Signed in by a link"),
    "person.changed": gettext_lazy("Profile changed"),
    "person.email_changed": gettext_lazy("Email address changed"),
    "person.renamed": gettext_lazy("Handle changed"),
    "person.deactivated": gettext_lazy("Account deactivated"),
    "person.activated": gettext_lazy("Account activated again"),
    "sign_in_link.created": gettext_lazy("Sign-in link made"),
    "password_link.created": gettext_lazy("Link to a new password made"),
    "security.password_set": gettext_lazy("Password set"),
    "security.password_changed": gettext_lazy("Password changed"),
    "security.password_reset": gettext_lazy("Password reset by mail"),
    "security.email_changed": gettext_lazy("Email address changed"),
    "security.email_deleted": gettext_lazy("Email address removed"),
    "security.totp_activated": gettext_lazy("Authenticator app added"),
    "security.totp_deactivated": gettext_lazy("Authenticator app removed"),
    "security.webauthn_added": gettext_lazy("Passkey added"),
    "security.webauthn_removed": gettext_lazy("Passkey removed"),
    "security.recovery_codes_generated": gettext_lazy("Recovery codes made"),
    "security.account_connected": gettext_lazy("Single sign-on connected"),
    "security.account_disconnected": gettext_lazy("Single sign-on disconnected"),
    "admin.added": gettext_lazy("Made an admin of this server"),
    "admin.removed": gettext_lazy("No admin of this server any more"),
    "key.created": gettext_lazy("Agent key created"),
    "key.changed": gettext_lazy("Agent key changed"),
    "key.rotated": gettext_lazy("Agent key replaced"),
    "key.revoked": gettext_lazy("Agent key revoked"),
    "member.added": gettext_lazy("Added to a project"),
    "member.changed": gettext_lazy("Role in a project changed"),
    "member.removed": gettext_lazy("Removed from a project"),
    "organization_member.added": gettext_lazy("Added to an organization"),
    "organization_member.changed": gettext_lazy("Role in an organization changed"),
    "organization_member.removed": gettext_lazy("Removed from an organization"),
}


@dataclass(frozen=True, slots=True)
class EventLine:
    """One line of the list: what, by whom, when; `word` is the log's own where we have none."""

    what: str
    word: str
    about: str
    by: str
    at: datetime


def event_line(event: AccountEvent) -> EventLine:
    """The event as a line. It names an agent or a role, never a project."""
    words = WORDS.get(event.action)
    return EventLine(
        what=str(words) if words is not None else "",
        word=event.action,
        about=event.agent or role_word(event.role or ""),
        by=_by(event),
        at=event.at,
    )


def _by(event: AccountEvent) -> str:
    if event.by_own:
        return _("you")
    return event.by or _("whoever runs this server")
