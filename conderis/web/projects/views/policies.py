"""The rules that owners set for a project."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.web.projects.forms import PoliciesForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from projects.capabilities import Use
from projects.policies import change_policies


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.MANAGE)
def policies(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The policies as they stand; what is changed in the form is changed."""
    form = PoliciesForm(request.POST or None, project=frame.access.project)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                change = change_policies(frame.caller, frame.project_id, fields=form.changes())
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("Policies saved.") if change.changed else _("Nothing was changed.")
                messages.success(request, said)
                return redirect(frame.path("project-policies"))
    return show_settings(
        request,
        frame,
        "web/projects/policies.html",
        {"form": form},
        section="project-policies",
        status=status,
    )
