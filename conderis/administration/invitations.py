"""Invitations, without the digests of their links."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.administration.acting import acting
from conderis.administration.deeds import Deed, DoingAdmin, Outcome
from conderis.administration.filters import set_filter
from conderis.administration.places import in_places
from conderis.administration.site import site
from conderis.common.caller import Caller
from conderis.web.forms import Form
from conderis.web.projects.words import DAY_CHOICES
from projects.invitations import DEFAULT_DAYS, create_invitation, revoke_invitation
from projects.models import Invitation


class InviteForm(Form):
    """How long an invitation works."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("Works for"), choices=DAY_CHOICES, coerce=int, initial=DEFAULT_DAYS
    )


def _invite(caller: Caller, _row: None, typed: dict[str, Any]) -> Outcome:
    made = create_invitation(caller, days=typed["days"])
    said = _("Invitation made. Whoever opens the link first can make an account.")
    return Outcome(said, "invitation", made.token)


def _revoke(caller: Caller, invitation: Invitation, _typed: dict[str, Any]) -> Outcome:
    with acting(caller) as operator:
        revoke_invitation(operator, invitation_id=invitation.public_id)
    return Outcome(_("Invitation revoked. Its link finds nothing any more."))


def is_open(invitation: Invitation) -> bool:
    """Whether its link could still work."""
    ended = invitation.used_at or invitation.revoked_at
    return ended is None and invitation.expires_at > timezone.now()


@admin.register(Invitation, site=site)
class InvitationAdmin(DoingAdmin):
    """Invitations to the server, to organizations and to projects."""

    list_display = (
        "public_id", "project", "organization", "role", "inviter", "created", "expires_at",
        "used_at", "revoked_at",
    )  # fmt: skip
    list_filter = (
        set_filter("used_at", title=gettext_lazy("used")),
        set_filter("revoked_at", title=gettext_lazy("revoked")),
        "created",
    )
    list_select_related = ("project", "organization", "inviter", "used_by")
    fields = (*list_display, "used_by")
    search_fields = ("public_id",)
    search_help_text = gettext_lazy("Inviter, organization or owner/name from its beginning.")
    list_deeds = (
        Deed(
            "invite",
            gettext_lazy("Invite to this server"),
            gettext_lazy("Makes a link by which one person can make an account. It is shown once."),
            _invite,
            InviteForm,
        ),
    )
    deeds = (
        Deed(
            "revoke",
            gettext_lazy("Revoke the invitation"),
            gettext_lazy("Whoever opens the link from now on finds nothing."),
            _revoke,
            offered=is_open,
            stops=True,
        ),
    )

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By its place or its inviter."""
        columns = {"project": "project", "organization": "organization", "person": "inviter"}
        return in_places(rows, term, **columns)
