"""Members of a project: the list, adding, changing, removing, leaving."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conderis.web.callers import person_of
from conderis.web.projects.forms import AddMemberForm, RoleForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.membership import direct_member, show_members
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from conderis.web.projects.words import role_word
from projects.capabilities import Use
from projects.members import remove_member, set_member


@require_http_methods(["GET", "HEAD", "POST"])
@project_page()
def members(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Everybody with a role. A form sent here adds a person, or changes their role."""
    if request.method != "POST":
        return show_members(request, frame)
    form = AddMemberForm(request.POST, prefix="add")
    status = 400
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            member = set_member(frame.caller, project_id=frame.project_id, **wanted)
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = _("%(person)s is now %(role)s.") % {
                "person": member.person.display_name,
                "role": role_word(wanted["role"]),
            }
            messages.success(request, said)
            return redirect(frame.path("project-members"))
    return show_members(request, frame, add=form, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.MANAGE)
def member(request: HttpRequest, frame: ProjectFrame, handle: str) -> HttpResponse:
    """One direct member: the role, and the way out."""
    row = direct_member(frame, handle)
    form = RoleForm(request.POST or None, initial={"role": row.role.value})
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            role = form.cleaned_data["role"]
            try:
                set_member(frame.caller, project_id=frame.project_id, handle=row.handle, role=role)
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("%(person)s is now %(role)s.") % {
                    "person": row.display_name,
                    "role": role_word(role),
                }
                messages.success(request, said)
                return redirect(frame.path("project-members"))
    return show_settings(
        request,
        frame,
        "web/projects/member.html",
        {"member": row, "form": form},
        section="project-members",
        status=status,
    )


@require_POST
@project_page(use=Use.MANAGE)
def remove(request: HttpRequest, frame: ProjectFrame, handle: str) -> HttpResponse:
    """End a person's direct role; sent from the page that says what ends."""
    row = direct_member(frame, handle)
    remove_member(frame.caller, project_id=frame.project_id, handle=row.handle)
    messages.success(request, _("%(person)s is removed.") % {"person": row.display_name})
    own = person_of(request)
    gone = own is not None and own.handle == row.handle
    return redirect("projects" if gone else frame.path("project-members"))


@require_http_methods(["GET", "HEAD", "POST"])
@project_page()
def leave(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What ends when the person leaves, and leaving."""
    own = person_of(request)
    row = direct_member(frame, own.handle if own is not None else "")
    if request.method == "POST":
        remove_member(frame.caller, project_id=frame.project_id, handle=row.handle)
        messages.success(request, _("You have left %(project)s.") % {"project": frame.full_name})
        return redirect("projects")
    return show_settings(
        request,
        frame,
        "web/projects/leave.html",
        {"member": row},
        section="project-members",
    )
