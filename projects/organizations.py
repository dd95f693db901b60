"""Organizations and their members. People change them, no key does."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.handles import claim_handle
from conderis.accounts.models import Person
from conderis.accounts.people import find_person, lock_present_person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from conderis.common.json import Json, JsonObject
from conderis.common.text import clean_line
from projects.capabilities import OrganizationRole, Role
from projects.models import Organization, OrganizationMember, Project
from projects.names import save_under
from projects.organization_access import (
    OrganizationAccess,
    OrganizationMemberRow,
    access_organization,
    find_organization,
    list_organizations,
    no_organization,
    organization_members,
)

__all__ = [
    "OrganizationAccess",
    "OrganizationChange",
    "OrganizationMemberRow",
    "access_organization",
    "change_organization",
    "create_organization",
    "delete_organization",
    "list_organizations",
    "organization_members",
    "remove_organization_member",
    "set_organization_member",
]

MAX_NAME = 80


@dataclass(frozen=True, slots=True)
class OrganizationChange:
    """An organization as it now stands, and the fields that the call has changed."""

    organization: Organization
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Membership:
    """An organization whose row is locked, and one of its members (or nobody)."""

    organization: Organization
    person: Person
    member: OrganizationMember | None


@transaction.atomic
def create_organization(actor: Actor, *, handle: str, name: str, owner: str) -> Organization:
    """A new organization with one owner, named by handle; people name themselves.

    Raises:
        Denied: an agent asks, or a person for somebody else.
        Invalid, TooLarge: the handle or the name is not allowed.
        NotFound: there is no such person.
        Conflict: the handle is taken.
    """
    require_person(actor)
    person = lock_present_person(owner)
    if not isinstance(actor, Operator) and person.pk != actor.person_id:
        raise Denied("You can make yourself the first owner, nobody else.", missing="manage")
    organization = Organization(name=clean_line(name, field="name", limit=MAX_NAME))
    organization.handle = claim_handle(handle, holder=organization.ref)
    organization.name = organization.name or organization.handle
    organization.save()
    organization.members.create(person=person, role=OrganizationRole.OWNER)
    audit.record(
        actor,
        action="organization.created",
        subject=organization.ref,
        organization_id=organization.pk,
    )
    return organization


@transaction.atomic
def change_organization(caller: Caller, *, handle: str, fields: JsonObject) -> OrganizationChange:
    """The organization with these fields changed: name, handle, memberRole; others are kept.

    With another handle its projects have other names; they answer under the old ones too,
    and nobody else can take the old handle.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: there is no such organization that the caller is in.
        Invalid, TooLarge: a field is unknown or its value is not allowed.
        Conflict: the handle is taken, or a project cannot have its name under it.
    """
    access = access_organization(caller, handle, lock=True)
    access.require_owner()
    unknown = sorted(set(fields) - set(_PUTTERS))
    if unknown:
        raise Invalid(
            f"Organizations have no field {unknown[0][:40]!r}. Fields: {', '.join(_PUTTERS)}.",
            field=unknown[0][:40],
            allowed=list(_PUTTERS),
        )
    organization = access.organization
    changed = [
        name for name, put in _PUTTERS.items() if name in fields and put(organization, fields[name])
    ]
    if not changed:
        return OrganizationChange(organization, ())
    organization.save()
    if "handle" in changed:
        _move_projects(organization)
    detail: JsonObject = {"fields": sorted(changed)}
    if "memberRole" in changed:
        detail["memberRole"] = organization.member_role
    audit.record(
        caller,
        action="organization.changed",
        subject=organization.ref,
        project_id=None,
        organization_id=organization.pk,
        **detail,
    )
    return OrganizationChange(organization, tuple(changed))


@transaction.atomic
def delete_organization(caller: Caller, *, handle: str) -> None:
    """End the organization, its memberships and its invitations. Nobody can take its handle.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: there is no such organization that the caller is in.
        Conflict: it has projects, or one was deleted and can still be brought back.
    """
    access = access_organization(caller, handle, lock=True)
    access.require_owner()
    organization = access.organization
    if Project.objects.filter(owner_organization=organization).exists():
        raise Conflict(
            f"{organization.handle} still has projects. Transfer or delete them first; deleted "
            "ones count until they can no longer be brought back."
        )
    audit.record(
        caller,
        action="organization.deleted",
        subject=organization.ref,
        organization_id=organization.pk,
    )
    organization.delete()


@transaction.atomic
def set_organization_member(actor: Actor, *, handle: str, person: str, role: Json) -> None:
    """Give a person, named by handle, this role in the organization instead of any other.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: no such organization that the caller is in, or no such person.
        Invalid: there is no such role.
        Conflict: it would leave no owner whose account is active.
    """
    if role not in OrganizationRole.values:
        raise Invalid(
            f"role must be one of {', '.join(OrganizationRole.values)}.",
            field="role",
            allowed=OrganizationRole.values,
        )
    found = _access_membership(actor, handle=handle, person=person, present=True)
    if found.member is not None and found.member.role == role:
        return
    if role != OrganizationRole.OWNER:
        _refuse_last_owner(found)
    found.organization.members.update_or_create(person=found.person, defaults={"role": role})
    _record(actor, found, "changed" if found.member is not None else "added", role=role)


@transaction.atomic
def remove_organization_member(actor: Actor, *, handle: str, person: str) -> None:
    """End a person's membership; everybody may end their own.

    What it gave in the organization's projects ends with it.

    Raises:
        Denied: an agent asks, or a person who is neither an owner nor the member.
        NotFound: no such organization that the caller is in, or no such member.
        Conflict: it would leave no owner whose account is active.
    """
    found = _access_membership(actor, handle=handle, person=person, own_too=True)
    if found.member is None:
        raise NotFound(f"{found.person.handle} is no member of {handle}.", field="person")
    _refuse_last_owner(found)
    found.member.delete()
    _record(actor, found, "removed", role=found.member.role)


def _access_membership(
    actor: Actor, *, handle: str, person: str, own_too: bool = False, present: bool = False
) -> _Membership:
    """The door: locks the organization, so that changes of its members take turns.

    With `own_too` members may change their own; with `present` the person must not have
    deleted the account, and does not meanwhile.
    """
    require_person(actor)
    organization = find_organization(handle, lock=True)
    roles = (
        dict(organization.members.values_list("person", "role")) if organization is not None else {}
    )
    if organization is None or not (isinstance(actor, Operator) or actor.person_id in roles):
        raise no_organization()
    subject = lock_present_person(person) if present else find_person(person)
    if not isinstance(actor, Operator):
        own = own_too and subject.pk == actor.person_id
        if not own and roles[actor.person_id] != OrganizationRole.OWNER:
            raise Denied("Only owners of an organization change its members.", missing="manage")
    member = organization.members.filter(person=subject).first()
    return _Membership(organization, subject, member)


def _move_projects(organization: Organization) -> None:
    """Give every project, deleted ones too, its name under the new handle."""
    projects = Project.objects.filter(owner_organization=organization)
    for project in projects.select_for_update(no_key=True).order_by("pk"):
        save_under(project, owner_handle=organization.handle, name=project.name)


def _put_name(organization: Organization, value: Json) -> bool:
    name = clean_line(value, field="name", limit=MAX_NAME)
    if not name:
        raise Invalid("name is empty.", field="name")
    changed = name != organization.name
    organization.name = name
    return changed


def _put_handle(organization: Organization, value: Json) -> bool:
    handle = claim_handle(value, holder=organization.ref)
    changed = handle != organization.handle
    organization.handle = handle
    return changed


def _put_member_role(organization: Organization, value: Json) -> bool:
    if value not in Role.values:
        raise Invalid(
            f"memberRole must be one of {', '.join(Role.values)}.",
            field="memberRole",
            allowed=Role.values,
        )
    role = str(value)
    changed = role != organization.member_role
    organization.member_role = role
    return changed


_PUTTERS: dict[str, Callable[[Organization, Json], bool]] = {
    "name": _put_name,
    "handle": _put_handle,
    "memberRole": _put_member_role,
}


def _refuse_last_owner(found: _Membership) -> None:
    if found.member is None or found.member.role != OrganizationRole.OWNER:
        return
    # Whoever cannot sign in keeps no organization going.
    others = found.organization.members.filter(
        role=OrganizationRole.OWNER, person__is_active=True, person__left_at__isnull=True
    )
    if others.exclude(pk=found.member.pk).exists():
        return
    raise Conflict(
        f"{found.person.handle} is the last owner of {found.organization.handle} and can neither "
        "leave nor be removed nor be lowered. Make somebody else an owner first."
    )


def _record(actor: Actor, found: _Membership, what: str, *, role: str) -> None:
    audit.record(
        actor,
        action=f"organization_member.{what}",
        subject=found.person.ref,
        organization_id=found.organization.pk,
        role=role,
    )
