"""Making a project public or private: a person's decision, in the browser alone."""

from django.db import transaction
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json
from projects.managing import manage_project, record_change, require_typed_name
from projects.services import ProjectChange

PUBLIC = "public"
PRIVATE = "private"


@transaction.atomic
def set_visibility(
    caller: Caller, project_id: str, *, visibility: str, typed_name: Json = None
) -> ProjectChange:
    """The project, public or private from now on.

    To make it public, its `owner/name` must have been typed. Private again, the next call
    of somebody without a role finds nothing, and forks no longer see it as their upstream.

    Raises:
        Denied: an agent asks, or a person whose role lacks `manage`.
        NotFound: there is no such project that the caller may read.
        Invalid: there is no such visibility, or another name was typed.
    """
    project = manage_project(caller, project_id)
    if visibility not in (PUBLIC, PRIVATE):
        raise Invalid(
            "visibility must be public or private.", field="visibility", allowed=[PUBLIC, PRIVATE]
        )
    if project.is_public == (visibility == PUBLIC):
        return ProjectChange(project, ())
    if visibility == PUBLIC:
        require_typed_name(project, typed_name)
    project.is_public = visibility == PUBLIC
    project.changed = timezone.now()
    project.save(update_fields=["is_public", "changed"])
    record_change(caller, project, action="visibility.changed", visibility=visibility)
    return ProjectChange(project, ("visibility",))
