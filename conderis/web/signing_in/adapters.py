"""How allauth's rules for accounts meet ours."""

import logging
import time
from smtplib import SMTPException
from typing import Any, ClassVar, Final

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.accounts import audit
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.handle_rules import check_handle
from conderis.accounts.models import Handle, Person
from conderis.accounts.people import EmailTaken, sign_up
from conderis.accounts.profile import change_email
from conderis.common.caller import Surface
from conderis.common.errors import Invalid, NotFound, RateLimited, Unavailable
from conderis.web.reaching import is_own, public
from conderis.web.signing_in import invitations

WAIT = 5 * 60  # seconds, after too many tries
_MISMATCH = _("This does not fit together. Check the handle or email address, and the password.")
_STAGES: Final = {
    "allauth.account.stages.EmailVerificationStage": "conderis.web.signing_in.stages.AddressStage"
}
_log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts: made by our service, named by our rules, invited or not.

    What allauth calls a user name is the handle.
    """

    error_messages: ClassVar[dict[str, str | Promise]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is deactivated."),
        "duplicate_email": _("This is your address already."),
        "email_password_mismatch": _MISMATCH,
        "username_password_mismatch": _MISMATCH,
        "email_taken": _("This address cannot be used here. Choose another one."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_code": _("This code is not right."),
        "incorrect_password": _("This is not your password."),
        "invalid_login": _MISMATCH,
        "invalid_password_reset": _("This link does not work, or no longer."),
        "max_email_addresses": _("Confirm or cancel the change that is under way first."),
        "username_taken": _("This handle is taken. Choose another one."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """As CONDERIS_SIGN_UP says: everybody, who brought an invitation, or nobody."""
        return invitations.may_sign_up(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - allauth's
        """The handle, if it can be one and nobody has or had it."""
        try:
            handle = check_handle(username.lower())
        except Invalid as refusal:
            raise ValidationError(refusal.message) from refusal
        if not shallow and Handle.objects.filter(name=handle).exists():
            raise self.validation_error("username_taken")
        return handle

    def save_user(self, request: HttpRequest, _user: Person, form: Form, **_commit: bool) -> Person:
        """The new person, by the service, in the place that an invitation led them to.

        Raises:
            DomainError: as `sign_up` does.
            ImmediateHttpResponse: the invitation ended meanwhile, and it takes one.
        """
        given = form.cleaned_data
        try:
            with transaction.atomic():
                person = sign_up(
                    handle=given["username"],
                    email=given.get("email") or "",
                    display_name=given.get("display_name") or "",
                    password=given["password1"],
                    surface=Surface.WEB,
                )
                invitations.accept_kept(request, person)
        except NotFound as refusal:
            raise ImmediateHttpResponse(invitations.gone(request)) from refusal
        return person

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Whether the address is its person's now, on the account as in allauth's table."""
        caller = caller_of_person(email_address.user, Surface.WEB)
        try:
            with transaction.atomic():
                change_email(caller, email=str(email_address))
                return bool(super().confirm_email(request, email_address))
        except EmailTaken:
            return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """To where the invitation leads that this browser came with, else to the start."""
        return invitations.place_to_go(request) or str(super().get_login_redirect_url(request))

    def is_safe_url(self, url: str | None) -> bool:
        """Whether the address is a page of this server, by the name that it was asked by."""
        return is_own(url or "", self.request)

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """The same for a new person."""
        return self.get_login_redirect_url(request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002 - allauth's
        """Back to where the page was opened."""
        return reverse("settings-security")

    def get_login_stages(self) -> list[str]:
        """The steps of signing in, with our own one for addresses."""
        return [_STAGES.get(stage, stage) for stage in super().get_login_stages()]

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether the person must show again that it is them: not if they just signed in.

        A sign-in by a link, a passkey or another server counts as one by a password does.
        """
        if not super().is_reauthentication_required(app=app, **more):
            return False
        records = get_authentication_records(self.request, self.request.user)
        latest = max((record["at"] for record in records), default=0.0)
        return bool(time.time() - latest >= app_settings.REAUTHENTICATION_TIMEOUT)

    def get_reauthentication_methods(self, user: Person) -> list[dict[str, Any]]:
        """How the person can show that it is them; who has nothing here signs in anew."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if methods or not user.is_authenticated:
            return methods
        url = reverse("account_sign_in_anew")
        return [{"id": "sign_in_anew", "description": _("Sign in anew"), "url": url}]

    def validation_error(self, code: str, *args: object) -> ValidationError:
        """The error of a form.

        Raises:
            RateLimited: it is one of too many tries, which has a page of its own.
        """
        if code in {"too_many_login_attempts", "rate_limited"}:
            said = "Too many tries. Wait a few minutes, then try again."
            raise RateLimited(said, retry_after=WAIT)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links begin with the public address of this server.

        Raises:
            Unavailable: the mail server did not take it.
        """
        linked = {
            name: public(value) if name.endswith("_url") else value
            for name, value in context.items()
        }
        try:
            super().send_mail(template_prefix, email, linked)
        except (SMTPException, OSError) as error:
            _log.error("A mail was not sent: %s", type(error).__name__)
            raise Unavailable(
                "The mail server does not answer, so no mail was sent. Try again later."
            ) from error

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Person,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell the person what changed in how they sign in, and write it into the audit log.

        The change has been made by now, so a mail that does not go out stops nothing.
        """
        name = template_prefix.rpartition("/")[2]
        caller = caller_of_person(user, Surface.WEB)
        audit.record(caller, action=f"security.{name}", subject=user.ref)
        try:
            super().send_notification_mail(template_prefix, user, context, email)
        except Unavailable:
            _log.warning("The mail about %s was not sent.", name)
