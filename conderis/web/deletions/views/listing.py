"""The lists of deletion requests."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.callers import signed_in
from conderis.web.deletions.places import place_of, show_list
from conderis.web.projects.frame import ProjectFrame, project_page


@require_safe
@signed_in
def everywhere(request: HttpRequest) -> HttpResponse:
    """What the caller may decide or has asked for, personal and private memories among it."""
    return show_list(place_of(request))


@require_safe
@signed_in
@project_page()
def of_project(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The same of one project."""
    return show_list(place_of(request, frame))
