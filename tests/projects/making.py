"""Organizations for the tests of projects."""

from conderis.accounts.models import Handle, Person
from projects.capabilities import OrganizationRole, Role
from projects.models import Organization, Project, ProjectPath


def make_organization(
    owner: Person, handle: str = "acme", *, members: tuple[Person, ...] = (), **fields: object
) -> Organization:
    """An organization with an owner and members."""
    organization = Organization.objects.create(handle=handle, name=handle.title(), **fields)
    Handle.objects.create(name=handle, holder=organization.ref)
    organization.members.create(person=owner, role=OrganizationRole.OWNER)
    for person in members:
        organization.members.create(person=person, role=OrganizationRole.MEMBER)
    return organization


def make_organization_project(
    organization: Organization,
    name: str = "site",
    *,
    member_role: Role | str = "",
    **fields: object,
) -> Project:
    """A private project of an organization."""
    project = Project.objects.create(
        owner_organization=organization,
        name=name,
        path=f"{organization.handle}/{name}".lower(),
        member_role=member_role,
        **fields,
    )
    ProjectPath.objects.create(path=project.path, project=project)
    return project
