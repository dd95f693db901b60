"""Deleting projects, and bringing them back while they can be.

A deleted project is gone for everybody at once. Its rows stay for 14 days, and its
`owner/name` stays taken; what erases it then asks `ended_projects`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from conderis.accounts.actors import Actor, Operator, require_person
from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from conderis.common.json import Json
from projects.access import access_of, readable_among
from projects.capabilities import Use
from projects.managing import manage_project, record_change, require_typed_name
from projects.models import Project

GRACE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class DeletedProject:
    """A project that can be brought back until a moment."""

    project_id: str  # the public id
    name: str  # owner/name
    deleted_at: datetime
    until: datetime


@transaction.atomic
def delete_project(caller: Caller, project_id: str, *, typed_name: Json) -> DeletedProject:
    """End the project for everybody; its owners can bring it back for 14 days.

    Keys that are limited to it stay so, and see nothing of it meanwhile.

    Raises:
        Denied: an agent asks, or a person whose role lacks `manage`.
        NotFound: there is no such project that the caller may read.
        Invalid: another name than its `owner/name` was typed.
    """
    project = manage_project(caller, project_id)
    require_typed_name(project, typed_name)
    now = timezone.now()
    project.deleted_at = project.changed = now
    project.save(update_fields=["deleted_at", "changed"])
    record_change(caller, project, action="project.deleted")
    return DeletedProject(project.public_id, project.full_name, now, now + GRACE)


def deleted_projects(caller: Caller) -> list[DeletedProject]:
    """The projects that the caller owns and can bring back, the latest deleted first.

    Raises:
        Denied: an agent asks.
    """
    require_person(caller)
    return [
        DeletedProject(project.public_id, project.full_name, deleted, deleted + GRACE)
        for project in _restorable(caller).order_by("-deleted_at", "pk")
        if (deleted := project.deleted_at) and access_of(caller, project).may(Use.MANAGE)
    ]


@transaction.atomic
def restore_project(actor: Actor, *, project_id: str) -> Project:
    """The project as it was, for everybody who had a role; named by its id.

    Raises:
        Denied: an agent asks.
        NotFound: there is no such deleted project that a person who asks owns, or no longer.
    """
    require_person(actor)
    deleted = _deleted() if isinstance(actor, Operator) else _restorable(actor)
    found = (
        deleted.filter(public_id=project_id).select_for_update(of=("self",), no_key=True).first()
    )
    if found is None or not (
        isinstance(actor, Operator) or access_of(actor, found).may(Use.MANAGE)
    ):
        raise NotFound(
            "You own no deleted project with this id that can be brought back.", field="projectId"
        )
    found.deleted_at = None
    found.changed = timezone.now()
    found.save(update_fields=["deleted_at", "changed"])
    record_change(actor, found, action="project.restored")
    return found


def ended_projects(now: datetime) -> QuerySet[Project]:
    """The deleted projects that can no longer be brought back."""
    return Project.objects.filter(deleted_at__lte=now - GRACE)


def _deleted() -> QuerySet[Project]:
    return Project.objects.filter(deleted_at__gt=timezone.now() - GRACE)


def _restorable(caller: Caller) -> QuerySet[Project]:
    return readable_among(_deleted(), person=caller.person_id)
