"""Invitations to a project: making one, whose link is shown once, and revoking."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from conderis.web.projects.forms import InviteForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.membership import show_members
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.words import invitation_link
from projects.capabilities import Use
from projects.invitations import create_invitation, revoke_invitation


@never_cache
@require_POST
@project_page(use=Use.MANAGE)
def invite(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Make an invitation. The answer is the only page that ever shows its link."""
    form = InviteForm(request.POST, prefix="invite")
    status = 400
    if form.is_valid():
        try:
            made = create_invitation(frame.caller, project_id=frame.project_id, **form.cleaned_data)
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            return show_members(request, frame, link=invitation_link(request, made.token))
    return show_members(request, frame, invite=form, status=status)


@require_POST
@project_page(use=Use.MANAGE)
def revoke(request: HttpRequest, frame: ProjectFrame, invitation_id: str) -> HttpResponse:
    """End an open invitation."""
    revoke_invitation(frame.caller, invitation_id=invitation_id)
    messages.success(request, _("The invitation is revoked. Its link no longer works."))
    return redirect(frame.path("project-members"))
