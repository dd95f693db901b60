"""A stage of signing in that is ours."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.account.utils import user_email


class AddressStage(EmailVerificationStage):  # type: ignore[misc]
    """Asks for the confirmation of an email address from those who have one.

    Commands and other servers' sign-ins make people without one, who would be locked out
    as soon as the server can send mail.
    """

    def handle(self) -> Any:
        """Go on for who has no address, else as usual."""
        person = self.login.user
        if person is None or user_email(person) or self._has_address(person):
            return super().handle()
        return None, True

    def _has_address(self, person: Any) -> bool:
        return bool(EmailAddress.objects.filter(user_id=person.pk).exists())
