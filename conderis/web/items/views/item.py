"""The page of an item."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.items.reading import ShownItem, read_shown
from conderis.web.items.sharing import is_private
from conderis.web.items.surroundings import read_surroundings
from conderis.web.items.writing import actions_of
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from items.kinds.registry import kind_of
from items.tree import has_places
from projects.capabilities import Use


@require_safe
@project_page()
def item(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """The item as it stands, and what is around it.

    With `?similar` those that say nearly the same are named: so it is opened after storing.
    """
    found = read_shown(frame.caller, frame.project_id, number)
    return show_item(request, frame, found, with_similar="similar" in request.GET)


def show_item(
    request: HttpRequest,
    frame: ProjectFrame,
    found: ShownItem,
    *,
    with_similar: bool = False,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The page of an item that was read; `more` is for its template."""
    kind, access = kind_of(found.kind), frame.access
    beside = read_surroundings(frame.caller, frame.project_id, found, with_similar=with_similar)
    movable = has_places(kind) and found.is_changeable
    context = {
        "item": found,
        "beside": beside,
        "may_ask": access.may(Use.REQUEST_DELETION),
        "may_write": access.may(Use.PROPOSE),
        "may_relate": kind.related and access.may(Use.WORK),
        "may_move": movable and access.may(Use.PROPOSE),
        "may_share": is_private(found) and access.may(Use.PROPOSE),
        "actions": actions_of(access, kind, found),
        **more,
    }
    return show(request, frame, "web/items/item.html", context, tab=found.kind, status=status)
