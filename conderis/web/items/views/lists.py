"""The lists of a project's items, one tab for each kind; pages in their tree."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.common.errors import Invalid, TooLarge
from conderis.common.statuses import status_of
from conderis.web.items.list_words import beginning_of
from conderis.web.items.lists import read_list, refused_list, unasked_list
from conderis.web.items.tree import read_tree, shows_tree
from conderis.web.items.words import NEW, SEARCH, TABS
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from projects.capabilities import Use

# By kind: how its entries are drawn. A kind without a row has the plain ledger.
ROWS = {"task": "web/items/list_tasks.html", "memory": "web/items/list_memories.html"}
PLAIN_ROWS = "web/items/list_entries.html"


@require_safe
@project_page()
def of_kind(request: HttpRequest, frame: ProjectFrame, kind: str) -> HttpResponse:
    """The items of a kind: searched, narrowed, sorted, page after page; or their tree."""
    row, sent = kind_of(kind), request.GET.dict()
    if shows_tree(row, sent):
        return _tree(request, frame, row, sent)
    status = 200
    try:
        found = read_list(frame, row, sent)
    except (Invalid, TooLarge) as refusal:
        found, status = refused_list(frame, row, sent, refusal), status_of(refusal)
    context = _around(frame, kind) | {"list": found, "rows": ROWS.get(kind, PLAIN_ROWS)}
    return show(request, frame, "web/items/list.html", context, tab=kind, status=status)


def _tree(
    request: HttpRequest, frame: ProjectFrame, kind: Kind, sent: dict[str, str]
) -> HttpResponse:
    movable = frame.access.may(Use.PROPOSE)
    context = _around(frame, kind.name) | {
        "tree": read_tree(frame, kind, sent, movable=movable),
        "list": unasked_list(frame, kind),
    }
    return show(request, frame, "web/items/tree.html", context, tab=kind.name)


def _around(frame: ProjectFrame, kind: str) -> dict[str, object]:
    """What stands around the entries."""
    return {
        "heading": TABS[kind],
        "beginning": beginning_of(kind),
        "search": SEARCH[kind],
        "kind": kind,
        "new": NEW[kind] if frame.access.may(Use.PROPOSE) else "",
    }
