"""What an organization is called, what its members have, and ending it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conderis.web.organizations.forms import SettingsForm, TypedHandleForm
from conderis.web.organizations.frame import owners_page, show
from conderis.web.projects.refusing import SHOWN, form_status
from privacy.ending_organizations import end_organization
from projects.organizations import (
    OrganizationAccess,
    change_organization,
)

SECTION = "organization-settings"


@require_http_methods(["GET", "HEAD", "POST"])
@owners_page
def settings(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """Name, handle and the role of members; what is changed in the form is changed."""
    form = _form(access, request)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                change = change_organization(
                    access.caller, handle=access.organization.handle, fields=form.changes()
                )
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("Changes saved.") if change.changed else _("Nothing was changed.")
                messages.success(request, said)
                return redirect("organization-settings", change.organization.handle)
    return _page(request, access, form=form, status=status)


@require_POST
@owners_page
def delete(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """End the organization."""
    form = TypedHandleForm(request.POST, handle=access.organization.handle)
    status = 400
    if form.is_valid():
        try:
            end_organization(access.caller, handle=access.organization.handle)
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = _("%(name)s is deleted.") % {"name": access.organization.name}
            messages.success(request, said)
            return redirect("organizations")
    return _page(request, access, delete=form, status=status)


def _form(access: OrganizationAccess, request: HttpRequest | None = None) -> SettingsForm:
    organization = access.organization
    stands = {
        "name": organization.name,
        "handle": organization.handle,
        "member_role": organization.member_role,
    }
    return SettingsForm((request.POST or None) if request else None, initial=stands)


def _page(
    request: HttpRequest,
    access: OrganizationAccess,
    *,
    form: SettingsForm | None = None,
    delete: TypedHandleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form or _form(access),
        "delete": delete or TypedHandleForm(handle=access.organization.handle),
    }
    return show(
        request,
        access,
        "web/organizations/settings.html",
        context,
        section=SECTION,
        status=status,
    )
