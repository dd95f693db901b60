"""Public or private: what becomes readable by whom, and what ends."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.web.projects.exposed import exposed
from conderis.web.projects.forms import TypedNameForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from projects.capabilities import Use
from projects.visibility import PRIVATE, PUBLIC, set_visibility

SECTION = "project-visibility"


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.MANAGE)
def visibility(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What everybody would read; with its name typed, the project is public.

    A large project is looked through on asking (`?all=1`), and offers the form then alone.
    """
    form = TypedNameForm(request.POST or None, full_name=frame.full_name)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                set_visibility(
                    frame.caller,
                    frame.project_id,
                    visibility=PUBLIC,
                    typed_name=form.cleaned_data["typed_name"],
                )
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("%(project)s is public: everyone in the world can read it.")
                messages.success(request, said % {"project": frame.full_name})
                return redirect(frame.path(SECTION))
    context: dict[str, object] = {"form": form}
    if not frame.is_public:
        quick = request.method != "POST" and not request.GET.get("all")
        exposure = exposed(frame, quick=quick)
        context |= {"exposure": exposure, "looks_on": quick and not exposure.complete}
    return show_settings(
        request, frame, "web/projects/visibility.html", context, section=SECTION, status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.MANAGE)
def private(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What ends when the project is private again, and making it so."""
    if request.method == "POST":
        set_visibility(frame.caller, frame.project_id, visibility=PRIVATE)
        said = _("%(project)s is private: only who has a role reads it.")
        messages.success(request, said % {"project": frame.full_name})
        return redirect(frame.path(SECTION))
    return show_settings(request, frame, "web/projects/private.html", section=SECTION)
