"""Members: the roles that people have in a project directly, and everybody who has one."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction

from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.models import Person
from conderis.accounts.people import find_person, lock_present_person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role, Use
from projects.managing import manage_project, record_change
from projects.models import OrganizationMember, Project, ProjectMember


class Source(StrEnum):
    """Where a person's role in a project comes from."""

    OWNER = "owner"
    DIRECT = "direct"
    ORGANIZATION = "organization"


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A role that a person has in a project from one source; the strongest counts."""

    person_id: str  # the public id
    handle: str
    display_name: str
    role: Role
    source: Source
    active: bool  # False: the account is deactivated, so the role gives nothing


@transaction.atomic
def set_member(actor: Actor, *, project_id: str, handle: str, role: str) -> ProjectMember:
    """The person's membership, with this role instead of any former one.

    `project_id` is an id, `owner/name` or, for a person who asks, a git remote.

    Raises:
        Denied: an agent asks, or a person who may not manage the project.
        NotFound: there is no such project or person.
        Invalid: there is no such role.
        Conflict: the project is the person's own.
    """
    project = manage_project(actor, project_id)
    wanted = clean_role(role)
    person = lock_present_person(handle)
    _refuse_owner(project, person)
    member = ProjectMember.objects.filter(project=project, person=person).first()
    if member is not None and member.role == wanted:
        return member
    action = "member.added" if member is None else "member.changed"
    member = member or ProjectMember(project=project, person=person)
    member.role = wanted
    member.save()
    record_change(actor, project, action=action, subject=person.ref, role=wanted.value)
    return member


@transaction.atomic
def remove_member(actor: Actor, *, project_id: str, handle: str) -> None:
    """End the role that a person has in a project directly; everybody may end their own.

    What the person has there over an organization stays.

    Raises:
        Denied: an agent asks, or a person who may not manage the project for another one.
        NotFound: there is no such project or person, or no direct role.
        Conflict: the project is the person's own.
    """
    require_person(actor)
    if not isinstance(actor, Operator) and _is_own(actor, handle):
        project = access_project(actor, project_id, lock=True).project
    else:
        project = manage_project(actor, project_id)
    person = find_person(handle)
    _refuse_owner(project, person)
    member = ProjectMember.objects.filter(project=project, person=person).first()
    if member is None:
        raise NotFound(
            f"{person.handle} has no role in {project.full_name} directly.", field="handle"
        )
    member.delete()
    record_change(
        actor, project, action="member.removed", subject=person.ref, role=str(member.role)
    )


def project_members(caller: Caller, project_id: str) -> list[MemberRow]:
    """Everybody who has a role: the owner, direct members, those over the organization.

    Each group by display name; a person with roles from two sources has two rows. Four
    queries at most.

    Raises:
        Denied: an agent asks, or somebody without a role on a public project.
        NotFound: there is no such project that the caller may read.
    """
    require_person(caller)
    access = access_project(caller, project_id, use=Use.READ)
    if access.role is None:
        raise Denied(
            f"Only who has a role in {access.project.full_name} may see its members.",
            missing="role",
        )
    return list(_rows(access.project))


def clean_role(word: str) -> Role:
    """The role that the word names.

    Raises:
        Invalid: it names none; the refusal lists them.
    """
    try:
        return Role(word)
    except ValueError as error:
        raise Invalid(
            f"There is no role {word!r}; roles are {', '.join(Role.values)}.",
            field="role",
            allowed=Role.values,
        ) from error


def _rows(project: Project) -> Iterator[MemberRow]:
    if project.owner_person is not None:
        yield _row(project.owner_person, Role.OWNER, Source.OWNER)
    order = ("person__display_name", "person__handle")
    direct = ProjectMember.objects.filter(project=project).select_related("person")
    for member in direct.order_by(*order):
        yield _row(member.person, Role(member.role), Source.DIRECT)
    organization = project.owner_organization
    if organization is None:
        return
    granted = Role(project.member_role or organization.member_role)
    through = OrganizationMember.objects.filter(organization=organization)
    for each in through.select_related("person").order_by(*order):
        role = Role.OWNER if each.role == OrganizationRole.OWNER else granted
        yield _row(each.person, role, Source.ORGANIZATION)


def _row(person: Person, role: Role, source: Source) -> MemberRow:
    return MemberRow(
        person_id=person.public_id,
        handle=person.handle,
        display_name=person.display_name,
        role=role,
        source=source,
        active=person.is_active,
    )


def _is_own(caller: Caller, handle: str) -> bool:
    own = Person.objects.only("handle").get(pk=caller.person_id)
    return own.handle == handle.strip().lower()


def _refuse_owner(project: Project, person: Person) -> None:
    if project.owner_person_id == person.pk:
        raise Conflict(f"{project.path} belongs to {person.handle}, who stays its owner.")
