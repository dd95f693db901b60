"""Moving an item in its tree, by its page's form and by what was dragged."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from conderis.common.errors import Locked
from conderis.web.items.moving import (
    MoveForm,
    MovePage,
    move,
    moved_word,
    read_move,
    step_named,
)
from conderis.web.items.resending import keeps_typed
from conderis.web.items.tree import OPEN
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show
from items.moving import Where
from projects.capabilities import Use

REFUSED = (*SHOWN, Locked)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE)
def move_item(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """Where the item stands, and a form that takes it elsewhere; one step, too."""
    page = read_move(frame, number, request.GET.get(OPEN))
    if request.method != "POST":
        return _page(request, frame, page, MoveForm())
    step = step_named(request.POST.get("where", ""))
    form = MoveForm() if step is not None else MoveForm(request.POST)
    if step is None and not form.is_valid():
        return _page(request, frame, page, form, status=400)
    where, target = (step, None) if step is not None else form.place
    return _moved(request, frame, page, where, target)


def _moved(
    request: HttpRequest, frame: ProjectFrame, page: MovePage, where: Where, target: int | None
) -> HttpResponse:
    try:
        answer = move(frame, page.item.number, where, target)
    except REFUSED as refusal:
        form = MoveForm({"where": Where.UNDER, **request.POST.dict()})
        form.is_valid()
        form.refuse(refusal)
        return _page(request, frame, page, form, status=form_status(refusal))
    messages.success(request, moved_word(answer))
    return redirect(page.back)


def _page(
    request: HttpRequest,
    frame: ProjectFrame,
    page: MovePage,
    form: MoveForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {"page": page, "form": form}
    return show(request, frame, "web/items/move.html", context, tab=page.steps.kind, status=status)
