"""Shutting accounts and opening them again. What a deactivated person wrote stays."""

from django.db import transaction

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator
from conderis.accounts.admins import access_for_admin, refuse_last_admin
from conderis.accounts.models import Person
from conderis.common.errors import Conflict


@transaction.atomic
def deactivate_person(actor: Actor, *, handle: str) -> Person:
    """The person, whose sessions, sign-in links and keys are refused from the next call on.

    Again it changes nothing. The keys do not end: they work again once the person is
    activated, and so do sessions that have not expired by then.

    Raises:
        Denied: the actor is neither the operator nor an admin.
        NotFound: there is no such person.
        Conflict: it is the actor's own account, or that of the last admin.
    """
    person = access_for_admin(actor, handle=handle)
    if not isinstance(actor, Operator) and actor.person_id == person.pk:
        raise Conflict("You cannot deactivate your own account. Another admin can.")
    refuse_last_admin(person)
    return _set_active(actor, person, is_active=False)


@transaction.atomic
def activate_person(actor: Actor, *, handle: str) -> Person:
    """The person, who can sign in again. Again it changes nothing.

    Raises:
        Denied: the actor is neither the operator nor an admin.
        NotFound: there is no such person.
        Conflict: the person has deleted the account.
    """
    person = access_for_admin(actor, handle=handle)
    if person.left_at is not None:
        raise Conflict(f"{person.handle} has deleted this account. It cannot come back.")
    return _set_active(actor, person, is_active=True)


def _set_active(actor: Actor, person: Person, *, is_active: bool) -> Person:
    if person.is_active == is_active:
        return person
    person.is_active = is_active
    person.save(update_fields=["is_active"])
    action = "person.activated" if is_active else "person.deactivated"
    audit.record(actor, action=action, subject=person.ref)
    return person
