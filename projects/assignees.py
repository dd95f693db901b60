"""Who the tasks of a project can be given to."""

from collections.abc import Collection
from datetime import datetime
from functools import cache

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from conderis.accounts.models import Agent, AgentKey, Person
from conderis.common.json import JsonObject
from conderis.common.prepared import Prepared
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
    return _people(roles, all_members=_grants(project, roles), **_place(project))


def _people(
    roles: Collection[Role], *, all_members: bool, project: int, owner: int, organization: int
) -> QuerySet[Person]:
    """Those of a project, of its owner and of its organization, or of the latter's owners."""
    members = ProjectMember.objects.filter(project=project, role__in=roles)
    through = OrganizationMember.objects.filter(organization=organization)
    if not all_members:
        through = through.filter(role=OrganizationRole.OWNER)
    return Person.objects.filter(is_active=True).filter(
        Q(pk=owner) | Q(pk__in=members.values("person")) | Q(pk__in=through.values("person"))
    )


def _grants(project: Project, roles: Collection[Role]) -> bool:
    """Whether all members of the project's organization have one of the roles in it."""
    return (project.member_role or _default_role(project)) in roles


def _place(project: Project) -> dict[str, int]:
    """The keys of the project and of who owns it; 0 is nobody's."""
    return {
        "project": project.pk,
        "owner": project.owner_person_id or 0,
        "organization": project.owner_organization_id or 0,
    }


def agents_at_work(project: Project, *, holding: Collection[int] = ()) -> QuerySet[Agent]:
    """The agents of those people that have a live key for the project.

    `holding` are the keys of agents that hold tasks here: they count without one, too.
    """
    people = people_who_write(project)
    return _agents(people, project=project.pk, now=timezone.now(), holding=holding)


def _agents(
    people: QuerySet[Person], *, project: int, now: datetime, holding: Collection[int]
) -> QuerySet[Agent]:
    live = AgentKey.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=now),
        Q(all_projects=True) | Q(chosen_projects__project=project),
        agent=OuterRef("pk"),
        revoked_at__isnull=True,
    )
    return Agent.objects.filter(Q(Exists(live)) | Q(pk__in=holding), person__in=people)


def project_assignees(access: ProjectAccess, *, holding: Collection[int] = ()) -> list[JsonObject]:
    """`{ref, name}` of people by display name, then of their agents; 100 at most.

    Who has no role in a public project can assign nothing there, and learns nobody's name.
    """
    if access.role is None:
        return []
    place, all_members = _place(access.project), _grants(access.project, WRITERS)
    people = _named_people(all_members=all_members).rows(**place)
    found = [{"ref": person.ref, "name": person.display_name} for person in people]
    agents = _named_agents(all_members=all_members).rows(
        **place,
        now=timezone.now(),
        holding=list(holding) or [0],
        limit=MAX_ASSIGNEES - len(found),
    )
    return found + [{"ref": agent.ref, "name": agent.name} for agent in agents]


@cache
def _named_people(*, all_members: bool) -> Prepared[Person]:
    def build(**place: int) -> QuerySet[Person]:
        people = _people(WRITERS, all_members=all_members, **place)
        ordered = people.order_by("display_name", "public_id").only("public_id", "display_name")
        return ordered[:MAX_ASSIGNEES]

    return Prepared(build, project=int, owner=int, organization=int)


@cache
def _named_agents(*, all_members: bool) -> Prepared[Agent]:
    def build(now: datetime, holding: Collection[int], limit: int, **place: int) -> QuerySet[Agent]:
        people = _people(WRITERS, all_members=all_members, **place)
        agents = _agents(people, project=place["project"], now=now, holding=holding)
        return agents.order_by("person__display_name", "person__public_id", "name")[:limit]

    return Prepared(
        build, project=int, owner=int, organization=int, now=datetime, holding=list, limit=int
    )


def _default_role(project: Project) -> str:
    organization = project.owner_organization
    return organization.member_role if organization is not None else ""
