"""The door to organizations, and the lists of them and of their members.

An organization that the caller is not in does not exist for them: same answer as for a
handle that nobody has.
"""

from dataclasses import dataclass

from conderis.accounts.actors import require_person
from conderis.accounts.models import Handle
from conderis.common.caller import Caller
from conderis.common.errors import Denied, NotFound
from conderis.common.text import clean_line
from projects.capabilities import OrganizationRole
from projects.models import Organization, OrganizationMember

HANDLE_LIMIT = 200
_HOLDER = "organization:"


@dataclass(frozen=True, slots=True)
class OrganizationAccess:
    """An organization that the caller is in, with the caller's role there."""

    organization: Organization
    caller: Caller
    role: OrganizationRole

    @property
    def owns(self) -> bool:
        """Whether the caller is one of its owners."""
        return self.role == OrganizationRole.OWNER

    def require_owner(self) -> None:
        """Go on only for an owner.

        Raises:
            Denied: the caller is a member only.
        """
        if not self.owns:
            raise Denied(
                f"Only owners of {self.organization.handle} may do this.", missing="manage"
            )


@dataclass(frozen=True, slots=True)
class OrganizationMemberRow:
    """A person in an organization."""

    person_id: str  # the public id
    handle: str
    display_name: str
    role: OrganizationRole
    active: bool  # False: the account is deactivated


def list_organizations(caller: Caller) -> list[OrganizationAccess]:
    """The organizations that the caller is in, by handle.

    Raises:
        Denied: an agent asks.
    """
    require_person(caller)
    found = OrganizationMember.objects.filter(person=caller.person_id)
    return [
        OrganizationAccess(member.organization, caller, OrganizationRole(member.role))
        for member in found.select_related("organization").order_by("organization__handle")
    ]


def access_organization(caller: Caller, handle: str, *, lock: bool = False) -> OrganizationAccess:
    """The organization with this handle, also a former one, if the caller is in it.

    `lock` takes its row until the transaction ends.

    Raises:
        Denied: an agent asks.
        NotFound: there is none that the caller is in.
        Invalid, TooLarge: the handle is no short line of text.
    """
    require_person(caller)
    organization = find_organization(handle, lock=lock)
    if organization is None:
        raise no_organization()
    member = organization.members.filter(person=caller.person_id).first()
    if member is None:
        raise no_organization()
    return OrganizationAccess(organization, caller, OrganizationRole(member.role))


def organization_members(caller: Caller, handle: str) -> list[OrganizationMemberRow]:
    """Everybody in the organization: owners first, then by display name.

    Raises:
        Denied: an agent asks.
        NotFound: there is none that the caller is in.
    """
    organization = access_organization(caller, handle).organization
    # "owner" comes behind "member" in the alphabet.
    members = organization.members.select_related("person").order_by(
        "-role", "person__display_name", "person__handle"
    )
    return [
        OrganizationMemberRow(
            person_id=member.person.public_id,
            handle=member.person.handle,
            display_name=member.person.display_name,
            role=OrganizationRole(member.role),
            active=member.person.is_active,
        )
        for member in members
    ]


def find_organization(handle: str, *, lock: bool = False) -> Organization | None:
    """The organization that has this handle, or had it, whoever asks."""
    name = clean_line(handle, field="handle", limit=HANDLE_LIMIT).lower()
    rows = Organization.objects.all()
    if lock:
        rows = rows.select_for_update(no_key=True)
    found = rows.filter(handle=name).first()
    if found is not None:
        return found
    held = Handle.objects.filter(name=name, holder__startswith=_HOLDER).first()
    if held is None:
        return None
    return rows.filter(public_id=held.holder.removeprefix(_HOLDER)).first()


def no_organization() -> NotFound:
    """The one answer for organizations that are hidden or missing."""
    return NotFound("There is no organization with this handle that you are in.", field="handle")
