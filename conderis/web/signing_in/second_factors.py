"""How allauth's second factors and passkeys meet ours."""

import base64
import hashlib
import secrets
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conderis.accounts.models import Person


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors: named by the handle, kept encrypted."""

    error_messages: ClassVar[dict[str, str | Promise]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _(
            "Recovery codes go with a passkey or an authenticator app. Add one first."
        ),
        "incorrect_code": _("This code is not right."),
    }

    def validation_error(self, code: str, *args: object) -> ValidationError:
        """The error of a form; too many tries have a page of their own."""
        known = code in self.error_messages
        error: ValidationError = (
            super().validation_error(code, *args)
            if known
            else get_account_adapter().validation_error(code, *args)
        )
        return error

    def _get_user_identifier(self, user: Person) -> str:
        """The name of the account in authenticator apps and passkeys: never the address."""
        return user.handle

    def _get_site_name(self) -> str:
        return "Conderis"

    def generate_authenticator_name(self, user: Person, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's
        """A name for a new passkey, until its owner gives a better one."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}

    def get_public_key_credential_user_entity(self, user: Person) -> dict[str, Any]:
        """What the device keeps beside a passkey."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "display_name": user.display_name}

    def encrypt(self, text: str) -> str:
        """The secret as it is stored: a copy of the database alone makes no codes."""
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret. After another CONDERIS_SECRET_KEY it is lost, and no code fits."""
        try:
            return _box().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


def _box() -> Fernet:
    digest = hashlib.sha256(b"conderis second factor v1" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
