"""Who the tasks of a project can be given to."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from conderis.accounts.models import Agent, AgentKey, Person
from conderis.common.json import JsonObject
from projects.access import ProjectAccess
from projects.capabilities import CAPABILITIES, Capability, OrganizationRole, Role
from projects.models import OrganizationMember, Project, ProjectMember

MAX_ASSIGNEES = 100
WRITERS = [role for role in Role if Capability.WRITE in CAPABILITIES[role]]
MODERATORS = [role for role in Role if Capability.MODERATE in CAPABILITIES[role]]
MANAGERS = [role for role in Role if Capability.MANAGE in CAPABILITIES[role]]


def people_who_write(project: Project) -> QuerySet[Person]:
    """The active people whose role in the project gives `write`, however they have it."""
    return _people_with(project, WRITERS)


def people_who_moderate(project: Project) -> QuerySet[Person]:
    """The active people whose role in the project gives `moderate`, however they have it."""
    return _people_with(project, MODERATORS)


def people_who_manage(project: Project) -> QuerySet[Person]:
    """The active people whose role in the project gives `manage`, however they have it."""
    return _people_with(project, MANAGERS)


def _people_with(project: Project, roles: Collection[Role]) -> QuerySet[Person]:
    """The active people who have one of these roles; the owner's is among them."""
    members = ProjectMember.objects.filter(project=project, role__in=roles)
    through = OrganizationMember.objects.filter(organization=project.owner_organization_id)
    granted = project.member_role or _default_role(project)
    if granted not in roles:
        through = through.filter(role=OrganizationRole.OWNER)
    return Person.objects.filter(is_active=True).filter(
        Q(pk=project.owner_person_id)
        | Q(pk__in=members.values("person"))
        | Q(pk__in=through.values("person"))
    )


def agents_at_work(project: Project, *, holding: Collection[int] = ()) -> QuerySet[Agent]:
    """The agents of those people that have a live key for the project.

    `holding` are the keys of agents that hold tasks here: they count without one, too.
    """
    live = AgentKey.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()),
        Q(all_projects=True) | Q(chosen_projects__project=project),
        agent=OuterRef("pk"),
        revoked_at__isnull=True,
    )
    return Agent.objects.filter(
        Q(Exists(live)) | Q(pk__in=holding), person__in=people_who_write(project)
    )


def project_assignees(access: ProjectAccess, *, holding: Collection[int] = ()) -> list[JsonObject]:
    """`{ref, name}` of people by display name, then of their agents; 100 at most.

    Who has no role in a public project can assign nothing there, and learns nobody's name.
    """
    if access.role is None:
        return []
    project = access.project
    people = people_who_write(project).order_by("display_name", "public_id")[:MAX_ASSIGNEES]
    found = [{"ref": person.ref, "name": person.display_name} for person in people]
    agents = agents_at_work(project, holding=holding).order_by(
        "person__display_name", "person__public_id", "name"
    )
    found += [
        {"ref": agent.ref, "name": agent.name} for agent in agents[: MAX_ASSIGNEES - len(found)]
    ]
    return found


def _default_role(project: Project) -> str:
    organization = project.owner_organization
    return organization.member_role if organization is not None else ""
