"""Renaming people: the step that a service above makes, which moves their projects' paths."""

from django.db import transaction

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.handles import claim_handle
from conderis.accounts.models import Person
from conderis.common.errors import Denied
from conderis.common.json import Json


@transaction.atomic
def rename_person(actor: Actor, *, person: Person, handle: Json) -> str | None:
    """Give the person another handle; the former one, or None where it is the same.

    The former handle stays the person's: nobody else can take it, and they can go back to
    it. Locks the person's row. Runs in the transaction of the service that moves the paths
    of their projects, which must follow, since a path begins with its owner's handle.

    Raises:
        Denied: an agent asks, or a person for somebody else.
        Invalid: it is no handle, or reserved.
        Conflict: somebody else has it, or had it.
    """
    require_person(actor)
    if not isinstance(actor, Operator) and actor.person_id != person.pk:
        raise Denied("You can rename yourself alone.", missing="person")
    held = Person.objects.select_for_update(no_key=True).get(pk=person.pk)
    former, new = held.handle, claim_handle(handle, holder=held.ref)
    if new == former:
        return None
    person.handle = new
    person.save(update_fields=["handle"])
    audit.record(actor, action="person.renamed", subject=person.ref)
    return former
