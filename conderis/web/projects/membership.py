"""The page of a project's members, which three forms lead back to."""

from django.http import HttpRequest, HttpResponse

from conderis.common.errors import NotFound
from conderis.web.projects.forms import AddMemberForm, InviteForm
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.showing import show_settings
from projects.invitations import list_invitations
from projects.members import MemberRow, Source, project_members


def show_members(
    request: HttpRequest,
    frame: ProjectFrame,
    *,
    add: AddMemberForm | None = None,
    invite: InviteForm | None = None,
    link: str = "",
    status: int = 200,
) -> HttpResponse:
    """Everybody with a role; for owners also the forms and the open invitations.

    `link` is of an invitation that was made by this very request.

    Raises:
        Denied: the caller has no role here.
    """
    rows = project_members(frame.caller, frame.project_id)
    context = {
        "members": rows,
        "people": len({row.person_id for row in rows}),
        "may_leave": _has_direct_role(frame, rows),
        "add": add or AddMemberForm(prefix="add"),
        "invite": invite or InviteForm(prefix="invite"),
        "link": link,
        "invitations": (
            list_invitations(frame.caller, project_id=frame.project_id) if frame.may_manage else []
        ),
    }
    return show_settings(
        request,
        frame,
        "web/projects/members.html",
        context,
        section="project-members",
        status=status,
    )


def direct_member(frame: ProjectFrame, handle: str) -> MemberRow:
    """The person with this handle, in whatever case, if they have a role in the project directly.

    Raises:
        Denied: the caller has no role here.
        NotFound: nobody has one under this handle.
    """
    for row in project_members(frame.caller, frame.project_id):
        if row.handle == handle.lower() and row.source is Source.DIRECT:
            return row
    raise NotFound(f"{handle} has no role in {frame.full_name} directly.", field="handle")


def _has_direct_role(frame: ProjectFrame, rows: list[MemberRow]) -> bool:
    own = frame.caller.person_ref.removeprefix("person:")
    return any(row.person_id == own and row.source is Source.DIRECT for row in rows)
