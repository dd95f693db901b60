"""Whose rights an admin acts with: the operator's, under the admin's own name."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied


@contextmanager
def acting(admin: Caller) -> Iterator[Operator]:
    """The operator's rights, in one transaction; the audit log names the admin.

    Raises:
        Denied: this is no admin, or none any more.
    """
    with transaction.atomic():
        admins = Person.objects.filter(is_active=True, is_superuser=True)
        if admin.is_agent or not admins.filter(pk=admin.person_id).exists():
            raise Denied("Only admins of this server do this.", missing="admin")
        yield Operator(surface=Surface.ADMIN, person_id=admin.person_id)
