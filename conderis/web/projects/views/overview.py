"""The first page of a project."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.projects.about import about
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show


@require_safe
@project_page()
def overview(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What the project says of itself, what it holds, its instructions and its members."""
    context = {"about": about(frame)}
    return show(request, frame, "web/projects/overview.html", context)
