"""The admins of a server: who may act as one, and who is one."""

from django.db import transaction
from django.db.models import Q

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.models import Person
from conderis.accounts.people import find_person
from conderis.common.errors import Conflict, Denied


@transaction.atomic
def give_admin(actor: Actor, *, handle: str) -> Person:
    """The person, who is an admin of this server now: every right in the Django admin.

    Raises:
        Denied: the actor is no admin.
        NotFound: there is no such person.
        Conflict: the person is deactivated.
    """
    person = access_for_admin(actor, handle=handle)
    if person.is_superuser and person.is_staff:
        return person
    if not person.is_active:
        raise Conflict(f"{person.handle} is deactivated. Activate the account first.")
    return _set_admin(actor, person, is_admin=True)


@transaction.atomic
def take_admin(actor: Actor, *, handle: str) -> Person:
    """The person, who is no admin of this server any more.

    Raises:
        Denied: the actor is no admin.
        NotFound: there is no such person.
        Conflict: it is the last admin.
    """
    person = access_for_admin(actor, handle=handle)
    if not person.is_superuser and not person.is_staff:
        return person
    refuse_last_admin(person)
    return _set_admin(actor, person, is_admin=False)


def access_for_admin(actor: Actor, *, handle: str) -> Person:
    """The door: the named person, for the operator or an admin, until the transaction ends.

    Locks the rows of all admins too, so that two who act on each other take turns and the
    second is judged by what the first has left. Others are refused before the look-up.

    Raises:
        Denied: an agent asks, or a person who is no admin.
        NotFound: there is no such person.
    """
    require_person(actor)
    if not isinstance(actor, Operator):
        _require_admin(Person.objects.filter(pk=actor.person_id).first())
    found = find_person(handle)
    locked = lock_with_admins(found.pk)
    if not isinstance(actor, Operator):
        _require_admin(locked.get(actor.person_id))
    return locked[found.pk]


def lock_with_admins(person_id: int) -> dict[int, Person]:
    """The rows of this person and of all admins by their ids, until the transaction ends."""
    rows = Person.objects.filter(Q(is_superuser=True) | Q(pk=person_id)).order_by("pk")
    return {person.pk: person for person in rows.select_for_update(no_key=True)}


def refuse_last_admin(person: Person) -> None:
    """Go on unless the server would be left without an admin who can sign in.

    Two at once are told apart only where both hold `lock_with_admins`.

    Raises:
        Conflict: this is the last one.
    """
    if not (person.is_superuser and person.is_active):
        return
    others = Person.objects.filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
    if others.exists():
        return
    raise Conflict(
        f"{person.handle} is the last admin of this server. Make somebody else an admin first."
    )


def _require_admin(person: Person | None) -> None:
    if person is not None and person.is_active and person.is_superuser:
        return
    raise Denied("Only admins of this server do this.", missing="admin")


def _set_admin(actor: Actor, person: Person, *, is_admin: bool) -> Person:
    person.is_staff = person.is_superuser = is_admin
    person.save(update_fields=["is_staff", "is_superuser"])
    audit.record(actor, action="admin.added" if is_admin else "admin.removed", subject=person.ref)
    return person
