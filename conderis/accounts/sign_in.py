"""One-time links that sign a person in, for servers without mail."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.digests import Secret, keyed_digest
from conderis.accounts.models import Person, SignInLink
from conderis.common.caller import Surface
from conderis.common.errors import Invalid, NotFound

LIFETIME = timedelta(minutes=15)
KEPT = timedelta(days=1)


@transaction.atomic
def create_sign_in_link(operator: Operator, *, person: Person) -> str:
    """The secret of a new link for the person; it works once, within 15 minutes.

    Raises:
        Invalid: the person is deactivated.
    """
    if not person.is_active:
        raise Invalid(f"{person.handle} is deactivated and cannot sign in.", field="handle")
    now = timezone.now()
    SignInLink.objects.filter(expires_at__lt=now - KEPT).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        person=person,
        digest=keyed_digest(Secret.SIGN_IN_LINK, token),
        created=now,
        expires_at=now + LIFETIME,
    )
    audit.record(operator, action="sign_in_link.created", subject=person.ref)
    return token


def access_sign_in_link(token: str) -> SignInLink:
    """The link with this secret, if it would sign somebody in now. Does not use it up.

    Raises:
        NotFound: it is unknown, used or expired, or its person is deactivated.
    """
    return _usable(token, timezone.now())


@transaction.atomic
def use_sign_in_link(token: str) -> Person:
    """The person to sign in; the link is used up. Of two uses at once one wins.

    Raises:
        NotFound: it is unknown, used or expired, or its person is deactivated.
    """
    now = timezone.now()
    link = _usable(token, now)
    if not SignInLink.objects.filter(pk=link.pk, used_at__isnull=True).update(used_at=now):
        raise _gone()
    caller = caller_of_person(link.person, Surface.WEB)
    audit.record(caller, action="person.signed_in", subject=link.person.ref)
    return link.person


def _usable(token: str, now: datetime) -> SignInLink:
    link = (
        SignInLink.objects.filter(
            digest=keyed_digest(Secret.SIGN_IN_LINK, token),
            used_at__isnull=True,
            expires_at__gt=now,
            person__is_active=True,
        )
        .select_related("person")
        .first()
    )
    if link is None:
        raise _gone()
    return link


def _gone() -> NotFound:
    return NotFound("This sign-in link does not work, or no longer.")
