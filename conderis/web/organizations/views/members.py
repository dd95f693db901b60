"""Members of an organization: changing, removing, leaving."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conderis.web.callers import person_of
from conderis.web.organizations.forms import RoleForm
from conderis.web.organizations.frame import organization_page, owners_page, path, show
from conderis.web.organizations.membership import member_of
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.words import role_word
from projects.organizations import (
    OrganizationAccess,
    remove_organization_member,
    set_organization_member,
)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_page
def member(request: HttpRequest, access: OrganizationAccess, person: str) -> HttpResponse:
    """One member: the role, and the way out."""
    row = member_of(access, person)
    form = RoleForm(request.POST or None, initial={"role": row.role.value})
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            role = form.cleaned_data["role"]
            try:
                set_organization_member(
                    access.caller,
                    handle=access.organization.handle,
                    person=row.handle,
                    role=role,
                )
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("%(person)s is now %(role)s.") % {
                    "person": row.display_name,
                    "role": role_word(role),
                }
                messages.success(request, said)
                return redirect(path(access))
    return show(
        request,
        access,
        "web/organizations/member.html",
        {"member": row, "form": form},
        section="organization",
        status=status,
    )


@require_POST
@owners_page
def remove(request: HttpRequest, access: OrganizationAccess, person: str) -> HttpResponse:
    """End a membership; sent from the page that says what ends."""
    row = member_of(access, person)
    remove_organization_member(access.caller, handle=access.organization.handle, person=row.handle)
    messages.success(request, _("%(person)s is removed.") % {"person": row.display_name})
    return redirect("organizations") if _is_own(access, row.person_id) else redirect(path(access))


@require_http_methods(["GET", "HEAD", "POST"])
@organization_page
def leave(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """What ends when the person leaves, and leaving."""
    person = person_of(request)
    if request.method == "POST" and person is not None:
        remove_organization_member(
            access.caller, handle=access.organization.handle, person=person.handle
        )
        said = _("You have left %(name)s.") % {"name": access.organization.name}
        messages.success(request, said)
        return redirect("organizations")
    return show(request, access, "web/organizations/leave.html", section="organization")


def _is_own(access: OrganizationAccess, person_id: str) -> bool:
    return access.caller.person_ref == f"person:{person_id}"
