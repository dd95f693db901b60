"""What an invitation is to, and who may invite there."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.models import Person
from conderis.common.errors import Denied, Invalid
from projects.assignees import people_who_manage
from projects.capabilities import OrganizationRole
from projects.managing import manage_project
from projects.members import clean_role
from projects.models import Invitation, Organization, OrganizationMember, Project
from projects.organization_access import access_organization, find_organization, no_organization


@dataclass(frozen=True, slots=True)
class Place:
    """What an invitation is to: a project, an organization or, with neither, the server."""

    project: Project | None = None
    organization: Organization | None = None

    @property
    def project_id(self) -> int | None:
        """The key of the project."""
        return self.project.pk if self.project is not None else None

    @property
    def organization_id(self) -> int | None:
        """The key of the organization, also of the one that the project belongs to."""
        if self.project is not None:
            return self.project.owner_organization_id
        return self.organization.pk if self.organization is not None else None

    def inviters(self) -> QuerySet[Person]:
        """The people who may invite to it."""
        if self.project is not None:
            return people_who_manage(self.project)
        active = Person.objects.filter(is_active=True)
        if self.organization is None:
            return active.filter(is_staff=True)
        owners = OrganizationMember.objects.filter(
            organization=self.organization, role=OrganizationRole.OWNER
        )
        return active.filter(pk__in=owners.values("person"))

    def lets_invite(self, person: int | None) -> bool:
        """Whether the person (None: whoever runs the server) may invite to it."""
        return person is None or self.inviters().filter(pk=person).exists()

    def working(self) -> QuerySet[Invitation]:
        """Its invitations that would let somebody in now."""
        return open_invitations().filter(
            Q(inviter__isnull=True) | Q(inviter__in=self.inviters()),
            project=self.project,
            organization=self.organization,
        )


def open_invitations() -> QuerySet[Invitation]:
    """Neither used nor revoked nor expired, and not to a deleted project."""
    return Invitation.objects.filter(
        used_at__isnull=True,
        revoked_at__isnull=True,
        expires_at__gt=timezone.now(),
        project__deleted_at__isnull=True,  # also where there is no project
    )


def manage_place(actor: Actor, *, project_id: str | None, organization: str | None) -> Place:
    """The door for who invites: the place, its row locked.

    Raises:
        Denied: an agent asks, or somebody who neither manages the project nor owns the
            organization nor is an admin.
        NotFound: there is no such project or organization that the actor may read.
        Invalid: both are named.
    """
    require_person(actor)
    if project_id is not None and organization is not None:
        raise Invalid("Name a project or an organization, not both.", field="organization")
    if project_id is not None:
        return Place(project=manage_project(actor, project_id))
    if organization is not None:
        return Place(organization=_manage_organization(actor, organization))
    if Place().lets_invite(None if isinstance(actor, Operator) else actor.person_id):
        return Place()
    raise Denied("Only admins invite to this server.", missing="admin")


def _manage_organization(actor: Actor, handle: str) -> Organization:
    if not isinstance(actor, Operator):
        access = access_organization(actor, handle, lock=True)
        access.require_owner()
        return access.organization
    found = find_organization(handle, lock=True)
    if found is None:
        raise no_organization()
    return found


def clean_invited_role(place: Place, role: str) -> str:
    """The role, if an invitation to the place can give it.

    Raises:
        Invalid: it cannot; the refusal lists those that it can.
    """
    if place.project is not None:
        return clean_role(role).value
    allowed = OrganizationRole.values if place.organization is not None else [""]
    if role not in allowed:
        raise Invalid(
            "An invitation to the server gives no role; leave it out."
            if place.organization is None
            else f"role must be one of {', '.join(allowed)}.",
            field="role",
            allowed=allowed,
        )
    return role


def lock_place(invitation: Invitation) -> Place | None:
    """The place as it is now, its row locked; None if it was deleted at this very moment."""
    if invitation.project_id is not None:
        projects = Project.objects.filter(pk=invitation.project_id, deleted_at__isnull=True)
        project = projects.select_for_update(no_key=True).first()
        return Place(project=project) if project is not None else None
    if invitation.organization_id is not None:
        organizations = Organization.objects.filter(pk=invitation.organization_id)
        organization = organizations.select_for_update(no_key=True).first()
        return Place(organization=organization) if organization is not None else None
    return Place()
