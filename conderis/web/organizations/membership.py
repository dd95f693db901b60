"""The first page of an organization, which three forms lead back to."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from conderis.common.errors import NotFound
from conderis.common.json import JsonObject
from conderis.web.organizations.forms import InviteForm
from conderis.web.organizations.frame import show
from projects.invitations import list_invitations
from projects.organizations import (
    OrganizationAccess,
    OrganizationMemberRow,
    organization_members,
)
from projects.selectors import list_projects

MOST_PROJECTS = 100


@dataclass(frozen=True, slots=True)
class OrganizationProjects:
    """Projects of an organization; `more` are found by a search for `query`."""

    items: list[JsonObject]
    query: str
    more: bool


def projects_of(access: OrganizationAccess) -> OrganizationProjects:
    """Those of the organization's projects that the caller may read, by name."""
    start = f"{access.organization.handle}/"
    found = list_projects(access.caller, query=start, sort="title", limit=MOST_PROJECTS)
    mine = [each for each in found["items"] if each["name"].startswith(start)]
    return OrganizationProjects(mine, start, found["hasMore"])


def show_organization(
    request: HttpRequest,
    access: OrganizationAccess,
    *,
    invite: InviteForm | None = None,
    link: str = "",
    status: int = 200,
) -> HttpResponse:
    """Projects and members; for owners also the open invitations.

    `link` is of an invitation that was made by this very request.
    """
    handle = access.organization.handle
    context = {
        "projects": projects_of(access),
        "members": organization_members(access.caller, handle),
        "own": access.caller.person_ref.removeprefix("person:"),
        "invite": invite or InviteForm(prefix="invite"),
        "link": link,
        "invitations": (
            list_invitations(access.caller, organization=handle) if access.owns else []
        ),
    }
    return show(
        request,
        access,
        "web/organizations/organization.html",
        context,
        section="organization",
        status=status,
    )


def member_of(access: OrganizationAccess, person: str) -> OrganizationMemberRow:
    """The member with this handle.

    Raises:
        NotFound: there is none.
    """
    for row in organization_members(access.caller, access.organization.handle):
        if row.handle == person:
            return row
    raise NotFound(f"{person} is no member of {access.organization.handle}.", field="person")
