"""Relating two items of a project."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from conderis.common.json import JsonObject
from conderis.web.items.reading import ShownItem, read_shown
from conderis.web.items.relating import (
    RELATE,
    UNRELATE,
    FindForm,
    found_for,
    refused_form,
    relate,
    said_of,
)
from conderis.web.items.resending import keeps_typed
from conderis.web.items.surroundings import read_relations
from conderis.web.items.views.edit import REFUSED
from conderis.web.items.words import RELATIONS
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import form_status
from conderis.web.projects.showing import show
from items.kinds.registry import kind_of
from projects.capabilities import Use


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.WORK)
def relations(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """The item's relations, each to be taken away, and a form that finds another item."""
    item = read_shown(frame.caller, frame.project_id, number)
    kind = kind_of(item.kind)
    if request.method == "POST":
        return _send(request, frame, item)
    if not item.is_readable or not kind.related:  # its page says why
        return redirect(frame.path("item", number=number))
    form = FindForm(kind, request.GET if "q" in request.GET else None)
    found = found_for(frame.caller, frame.project_id, number, form) if form.is_bound else None
    return _page(request, frame, item, form, found, status=400 if form.errors else 200)


def _send(request: HttpRequest, frame: ProjectFrame, item: ShownItem) -> HttpResponse:
    action = UNRELATE if request.POST.get("action") == UNRELATE else RELATE
    relation, target = request.POST.get("relation", ""), request.POST.get("target", "")
    caller, project_id, number = frame.caller, frame.project_id, item.number
    try:
        answer = relate(caller, project_id, number, action=action, relation=relation, target=target)
    except REFUSED as refusal:
        form = refused_form(kind_of(item.kind), {"relation": relation, "q": target}, refusal)
        return _page(request, frame, item, form, None, status=form_status(refusal))
    messages.success(request, said_of(action, answer))
    return redirect(frame.path("item-relate" if action == UNRELATE else "item", number=number))


def _page(
    request: HttpRequest,
    frame: ProjectFrame,
    item: ShownItem,
    form: FindForm,
    found: list[JsonObject] | None,
    *,
    status: int,
) -> HttpResponse:
    relation = str(form.data.get("relation", ""))
    context = {
        "item": item,
        "relations": read_relations(frame.caller, frame.project_id, item),
        "form": form,
        "found": found,
        "relation": relation,
        "relation_word": RELATIONS.get(relation, ""),
    }
    return show(request, frame, "web/items/relate.html", context, tab=item.kind, status=status)
