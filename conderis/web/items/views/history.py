"""What happened to an item, and how it was at a version."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.common.errors import Invalid, NotFound
from conderis.web.items.histories import read_history
from conderis.web.items.reading import read_shown
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from projects.capabilities import Use


@require_safe
@project_page()
def history(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """The events, newest first, twenty at a time."""
    found = read_shown(frame.caller, frame.project_id, number)
    page = read_history(frame, number, request.GET.get("version"))
    context = {
        "item": found,
        "page": page,
        "may_ask": frame.access.may(Use.REQUEST_DELETION),
    }
    return show(request, frame, "web/items/history.html", context, tab=found.kind)


@require_safe
@project_page()
def at_version(
    request: HttpRequest, frame: ProjectFrame, number: int, version: int
) -> HttpResponse:
    """The item as it was at a version."""
    try:
        found = read_shown(frame.caller, frame.project_id, number, version=version)
    except Invalid as refusal:
        raise NotFound("There is no such version.") from refusal
    context = {"item": found, "may_ask": frame.access.may(Use.REQUEST_DELETION)}
    return show(request, frame, "web/items/item.html", context, tab=found.kind)
