"""How allauth's sign-in by another server (OpenID Connect) meets our rules."""

import logging
from typing import Any, ClassVar, Final

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.utils import user_username
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.internal.flows.signup import redirect_to_signup
from allauth.socialaccount.models import SocialLogin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.accounts.models import Person
from conderis.accounts.people import clean_display_name, sign_up
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, DomainError, NotFound
from conderis.web.signing_in import invitations

_log = logging.getLogger(__name__)
KEPT: Final = ("sub", "preferred_username", "name")  # of what the other server says


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Sign-in by another server: no address is taken from it, none links two accounts."""

    error_messages: ClassVar[dict[str, str | Promise]] = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": _("Set a password first: this is your only way in."),
        "no_verified_email": _("Confirm an email address first, or you could be locked out."),
        "connected_other": _("Somebody else here signs in by it already."),
    }

    def populate_user(
        self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]
    ) -> Person:
        """The person as the other server describes them, without any address."""
        named = {"username": data.get("username"), "name": data.get("name")}
        person: Person = super().populate_user(request, sociallogin, named)
        person.display_name = _shown(data.get("name"))
        sociallogin.email_addresses = []
        sociallogin.account.extra_data = _without_addresses(sociallogin.account.extra_data)
        return person

    def authenticate_by_email(self, sociallogin: SocialLogin) -> None:
        """Nobody: who has an address there need not be who has it here."""

    def on_authentication_error(
        self,
        _request: HttpRequest,
        provider: Any,
        *,
        error: object = None,
        exception: Exception | None = None,
        **_more: object,
    ) -> None:
        """Write what went wrong into the log: the page does not tell."""
        reason = type(exception).__name__ if exception else error
        _log.warning("Nobody was signed in by %s: %s", provider.app.provider_id, reason)

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:  # noqa: ARG002 - allauth's
        """Whether the name there can be the handle here; else the person is asked for one."""
        try:
            get_account_adapter().clean_username(user_username(sociallogin.user) or "")
        except ValidationError:
            return False
        return True

    def get_signup_form_initial_data(self, sociallogin: SocialLogin) -> dict[str, str]:
        """A handle that is free, if the name there is like one, and the display name."""
        adapter = get_account_adapter()
        wish = (user_username(sociallogin.user) or "").partition("@")[0].replace("_", "-")
        try:
            handle = adapter.clean_username(wish.replace(".", "-"))
        except ValidationError:
            handle = ""
        return {"username": handle, "display_name": sociallogin.user.display_name}

    def save_user(
        self, request: HttpRequest, sociallogin: SocialLogin, form: Form | None = None
    ) -> Person:
        """The new person, by the service, with no password and no address.

        Raises:
            ImmediateHttpResponse: the handle was taken meanwhile, so that the person is
                asked for another one; or the invitation ended, and it takes one.
        """
        handle, name = user_username(sociallogin.user), sociallogin.user.display_name
        if form is not None:
            handle = form.cleaned_data["username"]
            name = form.cleaned_data["display_name"] or name
        try:
            with transaction.atomic():
                person = _new_person(handle=handle, display_name=name)
                invitations.accept_kept(request, person)
                sociallogin.user = person
                sociallogin.save(request)
        except Conflict as refusal:
            raise ImmediateHttpResponse(redirect_to_signup(request, sociallogin)) from refusal
        except NotFound as refusal:
            raise ImmediateHttpResponse(invitations.gone(request)) from refusal
        return person


def _new_person(*, handle: str, display_name: str) -> Person:
    return sign_up(
        handle=handle, email="", display_name=display_name, password=None, surface=Surface.WEB
    )


def _shown(name: object) -> str:
    """The name there, if others here may be shown it."""
    try:
        return clean_display_name(name) if isinstance(name, str) else ""
    except DomainError:
        return ""


def _without_addresses(said: dict[str, Any]) -> dict[str, Any]:
    """What is kept of the answer: it comes as one object, or as two in one."""
    parts = [said, *(part for part in said.values() if isinstance(part, dict))]
    found = {key: part[key] for part in parts for key in KEPT if isinstance(part.get(key), str)}
    found = {key: text for key, text in found.items() if "@" not in text}
    return {"userinfo": found}
