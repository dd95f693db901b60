"""The lists of a project's items, one tab for each kind."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.items.lists import read_list
from conderis.web.items.words import NEW, NONE_YET, SEARCH, TABS
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from items.kinds.registry import kind_of
from projects.capabilities import Use


@require_safe
@project_page()
def of_kind(request: HttpRequest, frame: ProjectFrame, kind: str) -> HttpResponse:
    """The items of a kind: searched, narrowed, sorted, page after page."""
    context = {
        "list": read_list(frame, kind_of(kind), request.GET.dict()),
        "heading": TABS[kind],
        "none_yet": NONE_YET[kind],
        "search": SEARCH[kind],
        "kind": kind,
        "new": NEW[kind] if frame.access.may(Use.PROPOSE) else "",
    }
    return show(request, frame, "web/items/list.html", context, tab=kind)
