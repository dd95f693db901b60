"""Keys, links, second factors and sessions: that they are there, never what proves them."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.accounts.agent_keys import revoke_key
from conderis.accounts.models import AgentKey, AgentUsage, SignInLink
from conderis.administration.acting import acting
from conderis.administration.deeds import Deed, DoingAdmin, Outcome
from conderis.administration.filters import set_filter
from conderis.administration.reading import ReadOnlyAdmin
from conderis.administration.site import site
from conderis.common.caller import Caller


def _revoke(caller: Caller, key: AgentKey, _typed: dict[str, Any]) -> Outcome:
    with acting(caller) as operator:
        revoke_key(operator, key_id=key.public_id)
    said = _("Key %(key)s revoked. Its very next call is refused.")
    return Outcome(said % {"key": key.public_id})


@admin.register(AgentKey, site=site)
class AgentKeyAdmin(DoingAdmin):
    """Agent keys, without the part that finds them and without their digests."""

    list_display = (
        "public_id",
        "agent",
        "owner",
        "created",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    list_filter = (
        set_filter("revoked_at", title=gettext_lazy("revoked")),
        "always_review",
        "created",
    )
    list_select_related = ("agent__person",)
    fields = (
        "public_id", "agent", "owner", "scopes", "all_projects", "always_review", "created",
        "expires_at", "revoked_at", "last_used_at",
    )  # fmt: skip
    search_fields = ("public_id",)
    search_people = ("agent__person",)
    search_help_text = gettext_lazy("Handle of its person from the beginning, or the key's id.")
    deeds = (
        Deed(
            "revoke",
            gettext_lazy("Revoke the key"),
            gettext_lazy("Ends the key for its very next call. It cannot come back."),
            _revoke,
            offered=lambda key: key.revoked_at is None,
            stops=True,
        ),
    )

    @admin.display(description=gettext_lazy("person"))
    def owner(self, key: AgentKey) -> str:
        """The handle of the key's person."""
        return key.agent.person.handle


@admin.register(AgentUsage, site=site)
class AgentUsageAdmin(ReadOnlyAdmin):
    """What agents have written last, as far as limits need to know."""

    list_display = fields = ("agent", "owner", "day", "items", "size", "writes")
    list_filter = ("day",)
    list_select_related = ("agent__person",)
    search_people = ("agent__person",)
    search_help_text = gettext_lazy("Handle of its person from the beginning.")

    @admin.display(description=gettext_lazy("owner"))
    def owner(self, row: AgentUsage) -> str:
        """The handle of the agent's person."""
        return row.agent.person.handle


@admin.register(SignInLink, site=site)
class SignInLinkAdmin(ReadOnlyAdmin):
    """Sign-in links, without their digests."""

    list_display = fields = ("id", "person", "created", "expires_at", "used_at")
    list_select_related = ("person",)
    search_people = ("person",)


@admin.register(Authenticator, site=site)
class AuthenticatorAdmin(ReadOnlyAdmin):
    """Second factors: which kind and since when, without what they are made of."""

    list_display = fields = ("id", "user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_people = ("user",)


@admin.register(SocialAccount, site=site)
class SocialAccountAdmin(ReadOnlyAdmin):
    """Accounts at a sign-in provider, without what the provider told."""

    list_display = fields = ("id", "user", "provider", "uid", "date_joined", "last_login")
    list_select_related = ("user",)
    search_people = ("user",)

    def name_of(self, row: SocialAccount) -> str:
        """Provider and id there: its own name is made of what the provider told."""
        return f"{row.provider} {row.uid}"


@admin.register(UserSession, site=site)
class UserSessionAdmin(ReadOnlyAdmin):
    """Sessions of browsers, without the keys of their cookies."""

    list_display = ("id", "user", "ip", "created_at", "last_seen_at")
    fields = ("id", "user", "ip", "user_agent", "created_at", "last_seen_at")
    list_select_related = ("user",)
    search_people = ("user",)
