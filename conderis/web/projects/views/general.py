"""What a project says of itself."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.web.projects.forms import GeneralForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from projects.capabilities import Use
from projects.selectors import project_summary
from projects.services import change_project


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.MANAGE)
def general(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Name, description, remote and upstream."""
    stands = project_summary(frame.access) | {"name": frame.name}
    form = GeneralForm(request.POST or None, stands=stands)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                change = change_project(frame.caller, frame.project_id, fields=form.changes())
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("Changes saved.") if change.changed else _("Nothing was changed.")
                messages.success(request, said)
                return redirect(
                    "project-settings", change.project.owner_handle, change.project.name
                )
    return show_settings(
        request,
        frame,
        "web/projects/general.html",
        {"form": form},
        section="project-settings",
        status=status,
    )
