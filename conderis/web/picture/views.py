"""The picture of a project: how its items hang together, and how much changes in it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.picture.reading import read_picture
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show


@require_safe
@project_page()
def picture(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The relations as a drawing and as a table, the changes of twelve weeks as a chart."""
    found = read_picture(frame, request.GET.get("cursor"))
    return show(request, frame, "web/picture/picture.html", {"picture": found})
