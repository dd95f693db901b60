"""The forms of the door and of its keys: allauth's, with our words and without placeholders."""

from typing import Any, TypeAlias

from allauth.account import forms as account
from allauth.mfa.base import forms as codes
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn import forms as webauthn
from allauth.socialaccount import forms as socialaccount
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from conderis.accounts.people import NAME_LIMIT, EmailTaken, clean_display_name
from conderis.common.errors import DomainError

HANDLE_HELP = _(
    "Your name in addresses: 2 to 39 lower-case letters, digits and hyphens. You can change "
    "it later."
)
ADDRESS_HELP = _("Only you and the admins ever see it.")
NAME_HELP = _("Shown beside what you write.")
PASSWORD_HELP = _(
    "At least 10 characters. No common one, not digits alone, and nothing like your name."
)
APP_HELP = _("Six digits that the app shows.")


# Labels and help by field: text that is translated when it is shown, of no public type.
Words: TypeAlias = dict[str, tuple[Any, Any]]


def _plain(form: forms.Form, words: Words) -> None:
    """Take the placeholders away, and give the named fields their label and help."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    for name, (label, help_text) in words.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].help_text = help_text


class SignInForm(account.LoginForm):  # type: ignore[misc]
    """A handle or an email address, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"login": (_("Email address or handle"), ""), "password": (_("Password"), "")})
        self.fields["login"].widget.attrs.update(
            {"autocomplete": "username webauthn", "autocapitalize": "none", "spellcheck": "false"}
        )


class NewPersonForm(forms.Form):
    """What every new person is asked for: a handle and a name."""

    display_name = forms.CharField(
        label=_("Display name"), help_text=NAME_HELP, max_length=NAME_LIMIT, required=False
    )

    def clean_display_name(self) -> str:
        """The name, if others may be shown it."""
        try:
            return clean_display_name(self.cleaned_data["display_name"])
        except DomainError as refusal:
            raise forms.ValidationError(refusal.message) from refusal


class SignUpForm(NewPersonForm, account.SignupForm):  # type: ignore[misc]
    """A new account."""

    field_order = ("username", "email", "display_name", "password1")
    account_already_exists: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        from_address = _("Shown beside what you write. Empty: your address up to the @.")
        words: Words = {
            "username": (_("Handle"), HANDLE_HELP),
            "email": (_("Email address"), ADDRESS_HELP),
            "display_name": (_("Display name"), from_address if settings.MAIL_URL else NAME_HELP),
            "password1": (_("Password"), PASSWORD_HELP),
        }
        _plain(self, words)
        _as_handle(self.fields["username"])
        if not settings.MAIL_URL:  # nothing would confirm it, and a refusal would tell of others
            del self.fields["email"]

    def try_save(self, request: HttpRequest) -> tuple[Any, Any]:
        """The new person; or, for an address that is known, the answer that new ones get.

        That takes as long: the password is hashed although nobody will have it.

        Raises:
            DomainError: as `sign_up` does.
        """
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        else:
            try:
                return super().try_save(request)  # type: ignore[no-any-return]
            except EmailTaken:
                if not settings.MAIL_URL:
                    raise
                self.account_already_exists = True
        return super().try_save(request)  # type: ignore[no-any-return]


class ProviderSignUpForm(NewPersonForm, socialaccount.SignupForm):  # type: ignore[misc]
    """A new account of somebody whom another server vouches for: no address, no password."""

    field_order = ("username", "display_name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("email", None)
        _plain(self, {"username": (_("Handle"), HANDLE_HELP)})
        _as_handle(self.fields["username"])


class AddressForm(account.AddEmailForm):  # type: ignore[misc]
    """Another email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"email": (_("New address"), ADDRESS_HELP)})


class OwnAddressForm(forms.Form):
    """The email address, where no mail can confirm it; empty takes it away."""

    address = forms.EmailField(
        label=_("Email address"), help_text=ADDRESS_HELP, required=False, max_length=254
    )


class ChangePasswordForm(account.ChangePasswordForm):  # type: ignore[misc]
    """The current password and the next."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"oldpassword": (_("Current password"), ""), **_twice()})


class SetPasswordForm(account.SetPasswordForm):  # type: ignore[misc]
    """The first password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, _twice())


class ResetPasswordForm(account.ResetPasswordForm):  # type: ignore[misc]
    """The address that a link is sent to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"email": (_("Email address"), "")})


class ResetPasswordKeyForm(account.ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, _twice())


class ReauthenticateForm(account.ReauthenticateForm):  # type: ignore[misc]
    """The password again."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"password": (_("Password"), "")})


class CodeForm(codes.AuthenticateForm):  # type: ignore[misc]
    """A code at sign-in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"code": (_("Code"), _("From the app, or one of your recovery codes."))})


class CodeAgainForm(codes.ReauthenticateForm):  # type: ignore[misc]
    """A code, from somebody who is signed in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"code": (_("Code"), _("From the app, or one of your recovery codes."))})


class ActivateAppForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an authenticator app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"code": (_("Code"), APP_HELP)})
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


class AddPasskeyForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A name for a passkey, and what it is for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        alone = (
            _("Sign in with it alone"),
            _("The device asks for its PIN, a finger or a face. Without this it is a second step."),
        )
        name = (_("Name"), _("Where it lives, such as “Phone” or “Blue key”."))
        _plain(self, {"name": name, "passwordless": alone})
        self.fields["passwordless"].initial = True


class EditPasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, {"name": (_("Name"), "")})


def _twice() -> Words:
    return {
        "password1": (_("New password"), PASSWORD_HELP),
        "password2": (_("New password again"), ""),
    }


def _as_handle(field: forms.Field) -> None:
    field.widget.attrs.update({"autocapitalize": "none", "spellcheck": "false"})
