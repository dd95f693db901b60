"""Giving a project to another owner.

Who receives it has agreed before: an organization by an owner of its own who transfers,
a person by being an owner among the project's direct members, or by taking the project out
of an organization of theirs.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.actors import require_person
from conderis.accounts.models import Person
from conderis.accounts.people import lock_active_person
from conderis.common.caller import Caller
from conderis.common.errors import Denied, Invalid
from conderis.common.text import clean_line
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role, Use
from projects.managing import NAME_LIMIT, manage_project, record_change
from projects.models import Organization, OrganizationMember, Project, ProjectMember
from projects.names import save_under
from projects.organization_access import find_organization


@dataclass(frozen=True, slots=True)
class TransferTarget:
    """Who a project could be transferred to."""

    handle: str
    name: str
    is_organization: bool


@transaction.atomic
def transfer_project(caller: Caller, project_id: str, *, owner: str) -> Project:
    """The project, from now on of the person or organization with this handle.

    It answers under its old name too. A person who gives it away stays an owner among its
    direct members; the members of an organization that it leaves lose what they had over
    it, and what was set for their role here ends.

    Raises:
        Denied: an agent asks; the caller is neither the person that it belongs to nor an
            owner of the organization that it belongs to, whatever other role they have.
        NotFound: there is no such project that the caller may read.
        Invalid: the handle is neither of an organization that the caller owns nor of a
            direct member with the role owner, nor the caller's own where the project
            belongs to an organization.
        Conflict: the new owner has, or had, another project of this name.
    """
    require_person(caller)
    looked_at = access_project(caller, project_id, use=Use.MANAGE).project
    handle = clean_line(owner, field="owner", limit=NAME_LIMIT).lower()
    organization = _lock_organizations(caller, looked_at, handle)
    project = manage_project(caller, project_id)
    _require_own(caller, project)
    former_person, former_organization = project.owner_person, project.owner_organization
    former = former_person or former_organization
    new = _receiver(caller, project, handle, organization)
    if former is None or new == former:
        return project
    project.owner_person = new if isinstance(new, Person) else None
    project.owner_organization = new if isinstance(new, Organization) else None
    project.member_role = ""
    project.changed = timezone.now()
    save_under(project, owner_handle=new.handle, name=project.name)
    if isinstance(new, Person):
        ProjectMember.objects.filter(project=project, person=new).delete()
    if former_person is not None:
        ProjectMember.objects.update_or_create(
            project=project, person=former_person, defaults={"role": Role.OWNER}
        )
    record_change(caller, project, action="project.transferred", former=former.ref, owner=new.ref)
    if former_organization is not None:
        audit.record(
            caller,
            action="organization.project_left",
            subject=project.ref,
            organization_id=former_organization.pk,
        )
    return project


def transfer_targets(caller: Caller, project_id: str) -> list[TransferTarget]:
    """Who `transfer_project` would take: organizations by handle, then people by name.

    Raises:
        Denied, NotFound: as for `transfer_project`.
    """
    with transaction.atomic():  # the door locks
        project = manage_project(caller, project_id)
        _require_own(caller, project)
        return _targets(caller, project)


def may_transfer(caller: Caller, project_id: str) -> bool:
    """Whether the caller is the owner who may transfer the project, and no agent.

    Raises:
        NotFound: there is no such project that the caller may read.
    """
    project = access_project(caller, project_id, use=Use.READ).project
    return not caller.is_agent and _is_own(caller, project)


def _require_own(caller: Caller, project: Project) -> None:
    if _is_own(caller, project):
        return
    raise Denied(
        f"Only {project.owner_handle} can transfer {project.full_name}: a role in the project "
        "is not enough.",
        missing="ownership",
    )


def _is_own(caller: Caller, project: Project) -> bool:
    if project.owner_person_id is not None:
        return project.owner_person_id == caller.person_id
    return _owns(caller, project.owner_organization_id)


def _owns(caller: Caller, organization: int | None) -> bool:
    return OrganizationMember.objects.filter(
        organization=organization, person=caller.person_id, role=OrganizationRole.OWNER
    ).exists()


def _lock_organizations(caller: Caller, project: Project, handle: str) -> Organization | None:
    """Lock what the project is in and what shall get it, before the project as everywhere.

    The one with the handle, if the caller owns it. Others are neither locked nor waited
    for, since that could be felt.
    """
    new = find_organization(handle)
    rows = Organization.objects.filter(
        pk__in=[project.owner_organization_id, new.pk if new is not None else None],
        members__person=caller.person_id,
        members__role=OrganizationRole.OWNER,
    )
    locked = list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))
    found = next((each for each in locked if new is not None and each.pk == new.pk), None)
    # Asked anew: the caller may have been an owner until the lock was free.
    return found if found is not None and _owns(caller, found.pk) else None


def _receiver(
    caller: Caller, project: Project, handle: str, organization: Organization | None
) -> Person | Organization:
    if organization is not None:
        return organization
    if project.owner_person is not None and project.owner_person.handle == handle:
        return project.owner_person
    agreed = _agreed_people(caller, project).filter(handle=handle).first()
    # The handle may be another one by now, or the account shut; from here on neither changes.
    person = lock_active_person(agreed.pk) if agreed is not None else None
    if person is not None:
        return person
    allowed = [target.handle for target in _targets(caller, project)]
    raise Invalid(
        "A project is transferred to an organization that you own, to a person whose role in it "
        "is owner directly, or out of an organization that you own to yourself: "
        f"{', '.join(allowed) or 'there is none'}.",
        field="owner",
        allowed=allowed,
    )


def _agreed_people(caller: Caller, project: Project) -> QuerySet[Person]:
    """Those who take the project; the caller is known to be allowed to transfer it."""
    owners = ProjectMember.objects.filter(project=project, role=Role.OWNER)
    agreed = Q(pk__in=owners.values("person"))
    if project.owner_organization_id is not None:
        agreed |= Q(pk=caller.person_id)
    people = Person.objects.filter(agreed, is_active=True, left_at__isnull=True)
    return people.order_by("display_name", "handle")


def _targets(caller: Caller, project: Project) -> list[TransferTarget]:
    organizations = Organization.objects.filter(
        members__person=caller.person_id, members__role=OrganizationRole.OWNER
    )
    if project.owner_organization_id is not None:
        organizations = organizations.exclude(pk=project.owner_organization_id)
    return [
        TransferTarget(each.handle, each.name, is_organization=True)
        for each in organizations.order_by("handle")
    ] + [
        TransferTarget(each.handle, each.display_name, is_organization=False)
        for each in _agreed_people(caller, project)
    ]
