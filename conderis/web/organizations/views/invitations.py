"""Invitations to an organization: making one, whose link is shown once, and revoking."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from conderis.web.organizations.forms import InviteForm
from conderis.web.organizations.frame import owners_page, path
from conderis.web.organizations.membership import show_organization
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.words import invitation_link
from projects.invitations import create_invitation, revoke_invitation
from projects.organizations import OrganizationAccess


@never_cache
@require_POST
@owners_page
def invite(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """Make an invitation. The answer is the only page that ever shows its link."""
    form = InviteForm(request.POST, prefix="invite")
    status = 400
    if form.is_valid():
        try:
            made = create_invitation(
                access.caller, organization=access.organization.handle, **form.cleaned_data
            )
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            return show_organization(request, access, link=invitation_link(request, made.token))
    return show_organization(request, access, invite=form, status=status)


@require_POST
@owners_page
def revoke(request: HttpRequest, access: OrganizationAccess, invitation_id: str) -> HttpResponse:
    """End an open invitation."""
    revoke_invitation(access.caller, invitation_id=invitation_id)
    messages.success(request, _("The invitation is revoked. Its link no longer works."))
    return redirect(path(access))
