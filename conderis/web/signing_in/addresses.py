"""The own email address, where no mail can confirm it."""

from allauth.account.models import EmailAddress
from allauth.account.utils import user_email
from django.db import transaction
from django.http import HttpRequest

from conderis.accounts.profile import change_email
from conderis.common.caller import Caller


def own_address(request: HttpRequest) -> str:
    """The address of who is signed in; empty without one."""
    return str(user_email(request.user) or "")


def put_address(caller: Caller, address: str) -> None:
    """Make it the address of the caller's account, and the only one to sign in by.

    An empty one takes it away: the account then has none.

    Raises:
        Denied, EmailTaken, Invalid, TooLarge: as `change_email` does.
    """
    with transaction.atomic():
        person = change_email(caller, email=address)
        rows = EmailAddress.objects.filter(user_id=person.pk)
        rows.exclude(email=person.email).delete()
