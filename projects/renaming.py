"""Giving a person another handle, and their projects the names that go with it."""

from django.db import transaction

from conderis.accounts.models import Person
from conderis.accounts.renaming import rename_person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict
from conderis.common.json import Json
from projects.models import Project
from projects.names import save_under


@transaction.atomic
def change_handle(caller: Caller, *, handle: Json) -> bool:
    """Whether the caller's person has another handle now.

    Projects of the person, deleted ones too, answer under the new name and the old one.
    The former handle stays the person's.

    Raises:
        Denied: an agent asks.
        Invalid: it is no handle, or reserved.
        Conflict: somebody else has it, or had it; the person got a project meanwhile.
    """
    # Projects before people, as everywhere: so no two services wait for each other.
    rows = Project.objects.filter(owner_person=caller.person_id).order_by("pk")
    projects = list(rows.select_for_update(no_key=True))
    person = Person.objects.get(pk=caller.person_id)
    if rename_person(caller, person=person, handle=handle) is None:
        return False
    # The person's row is locked now, so nothing more can come. What came before was not
    # locked with the others, and would keep a name of the former handle.
    if rows.exclude(pk__in=[project.pk for project in projects]).exists():
        raise Conflict("A project became yours meanwhile. Change the handle again.")
    for project in projects:
        save_under(project, owner_handle=person.handle, name=project.name)
    return True
