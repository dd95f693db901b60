"""What every change of a project's rights shares: the door, the typed name, the log."""

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import Json
from conderis.common.text import clean_line
from projects.access import access_project
from projects.capabilities import Use
from projects.models import Project

NAME_LIMIT = 200


def manage_project(actor: Actor, project_id: str) -> Project:
    """The project, its row locked until the transaction ends, if the actor may manage it.

    `project_id` is an id, `owner/name` or, for a person who asks, a git remote.

    Raises:
        Denied: an agent asks, or a person whose role lacks `manage`.
        NotFound: there is no such project that the actor may read.
        Invalid, TooLarge: the text is no project id.
    """
    require_person(actor)
    if not isinstance(actor, Operator):
        return access_project(actor, project_id, use=Use.MANAGE, lock=True).project
    name = clean_line(project_id, field="project", limit=NAME_LIMIT).lower()
    projects = Project.objects.filter(deleted_at__isnull=True).select_for_update(no_key=True)
    found = projects.filter(paths__path=name).first() or projects.filter(public_id=name).first()
    if found is None:
        raise NotFound(f"There is no project {name}.", field="project")
    return found


def require_typed_name(project: Project, typed: Json) -> None:
    """Go on only if the project's `owner/name` was typed, in whatever case.

    Raises:
        Invalid: something else was typed.
    """
    if isinstance(typed, str) and typed.strip().lower() == project.path:
        return
    raise Invalid(
        f"Type {project.full_name} to confirm.", field="typedName", allowed=[project.full_name]
    )


def record_change(
    actor: Actor, project: Project, *, action: str, subject: str | None = None, **detail: Json
) -> None:
    """One audit event of the project and of the organization that it belongs to.

    `subject` is the project itself unless it is given.
    """
    audit.record(
        actor,
        action=action,
        subject=subject or project.ref,
        project_id=project.pk,
        organization_id=project.owner_organization_id,
        **detail,
    )
