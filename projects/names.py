"""The `owner/name` of projects: what a name may be, taking one, keeping former ones.

A project answers under its former names too. Such a name is given again only to a
project of the same owner, and then answers for that one.
"""

import re

from django.db import IntegrityError, transaction

from conderis.common.errors import Conflict, Invalid
from conderis.common.json import Json
from conderis.common.text import clean_line
from projects.models import Project, ProjectPath

MAX_NAME = 100
NAME_RULE = f"1 to {MAX_NAME} letters (a to z), digits, '-', '_' and '.', not dots alone"
_NAME = re.compile(rf"(?!\.+\Z)[A-Za-z0-9._-]{{1,{MAX_NAME}}}")


def clean_name(value: Json) -> str:
    """The value trimmed, if it can be a project's name.

    Raises:
        Invalid: it has another form.
        TooLarge: it is longer than 100 characters.
    """
    name = clean_line(value, field="name", limit=MAX_NAME)
    if "/" in name:
        raise Invalid(
            "name is the project's own name, without its owner: to create it in an "
            "organization, send the organization's handle as owner.",
            field="name",
            allowed=[NAME_RULE],
        )
    if not _NAME.fullmatch(name):
        raise Invalid(f"name must be {NAME_RULE}.", field="name", allowed=[NAME_RULE])
    return name


def save_under(project: Project, *, owner_handle: str, name: str) -> None:
    """Save the project under a name of its owner, which is from now on its own.

    Runs in the caller's transaction. Names are compared without case.

    Raises:
        Conflict: another project has the name, or had it under another owner.
    """
    path = f"{owner_handle}/{name}".lower()
    project.name, project.path = name, path
    try:
        with transaction.atomic():
            row = ProjectPath.objects.select_for_update(no_key=True).filter(path=path).first()
            if row is not None and not _may_take(project, row):
                raise _taken(owner_handle, name)
            project.save()
            if row is None:
                ProjectPath.objects.create(path=path, project=project)
            elif row.project_id != project.pk:
                ProjectPath.objects.filter(path=path).update(project=project)
    except IntegrityError:
        # Another call took the name at this very moment; anything else is a fault.
        if not ProjectPath.objects.filter(path=path).exists():
            raise
        raise _taken(owner_handle, name) from None


def _may_take(project: Project, row: ProjectPath) -> bool:
    """Whether a name that was given before may become this project's."""
    holder = row.project
    if holder.pk == project.pk:
        return True
    if holder.path == row.path:
        return False
    return (holder.owner_person_id, holder.owner_organization_id) == (
        project.owner_person_id,
        project.owner_organization_id,
    )


def _taken(owner_handle: str, name: str) -> Conflict:
    return Conflict(
        f"The name {owner_handle}/{name} is taken: by a project that is there, or by one that "
        "was deleted less than 14 days ago. Choose another name.",
        field="name",
        name=f"{owner_handle}/{name}",
    )
