"""The page of an item."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.items.reading import read_shown
from conderis.web.items.writing import actions_of
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from items.kinds.registry import kind_of
from projects.capabilities import Use


@require_safe
@project_page()
def item(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """The item as it stands: text, fields, children, relations."""
    found = read_shown(frame.caller, frame.project_id, number)
    context = {
        "item": found,
        "may_ask": frame.access.may(Use.REQUEST_DELETION),
        "may_write": frame.access.may(Use.PROPOSE),
        "actions": actions_of(frame.access, kind_of(found.kind), found),
    }
    return show(request, frame, "web/items/item.html", context, tab=found.kind)
