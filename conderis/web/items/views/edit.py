"""Writing items: a new one, a change with the version check, and the actions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from conderis.common.errors import Conflict, Invalid, Locked, NotFound
from conderis.common.json import JsonObject
from conderis.web.items.forms import ItemForm, opened_name, shown_in_form
from conderis.web.items.reading import ShownItem, read_shown
from conderis.web.items.rebasing import opened_with, rebased
from conderis.web.items.resending import keeps_typed
from conderis.web.items.views.item import show_item
from conderis.web.items.words import ACTIONS, LISTS, NEW
from conderis.web.items.writing import (
    change,
    create,
    do,
    done_word,
    holders_of,
    outcome_word,
)
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show
from conderis.web.refusals import changes_of, in_words
from items.kinds.registry import kind_of
from items.kinds.values import read_number
from projects.capabilities import Use

# A locked item or parent must not cost what was typed.
REFUSED = (*SHOWN, Locked)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE)
def new(request: HttpRequest, frame: ProjectFrame, kind: str) -> HttpResponse:
    """A form for a new item of the kind; `?parent=12` fills in what it stands under."""
    if kind not in NEW:
        raise NotFound("There is no such kind of item.")
    row = kind_of(kind)
    holders = holders_of(frame.caller, frame.project_id)
    initial = {"parent": request.GET.get("parent", "")}
    form = ItemForm(
        row,
        request.POST or None,
        holders=holders,
        creates=True,
        in_public=frame.is_public,
        initial=initial,
    )
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                answer = create(frame.caller, frame.project_id, row, form)
            except REFUSED as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                return stored(request, frame, answer, kind)
    context = {"form": form, "heading": NEW[kind], "kind": kind, "leave": LISTS[kind]}
    return show(request, frame, "web/items/edit.html", context, tab=kind, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE)
def edit(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """A form for the item; where somebody was faster, both texts."""
    item = read_shown(frame.caller, frame.project_id, number)
    if request.method == "POST":
        return _save(request, frame, item)
    if not item.is_readable:  # its page says why
        return redirect(frame.path("item", number=number))
    if item.answer.get("archived"):
        return show(request, frame, "web/items/edit_archived.html", {"item": item}, tab=item.kind)
    row = kind_of(item.kind)
    initial = shown_in_form(row, item.answer) | {"version": str(item.current)}
    holders = holders_of(frame.caller, frame.project_id, item)
    return _form_page(request, frame, item, ItemForm(row, holders=holders, initial=initial))


def _save(request: HttpRequest, frame: ProjectFrame, item: ShownItem) -> HttpResponse:
    form = _sent_form(request, frame, item)
    if not item.is_readable:
        return _closed_page(request, frame, item, form)
    status = 400
    if form.is_valid():
        try:
            answer = change(frame.caller, frame.project_id, item.number, form)
        except Conflict as refusal:
            return _conflict_page(request, frame, item, form, refusal)
        except REFUSED as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            return stored(request, frame, answer, item.kind)
    return _form_page(request, frame, item, form, status=status)


def _conflict_page(
    request: HttpRequest, frame: ProjectFrame, item: ShownItem, form: ItemForm, refusal: Conflict
) -> HttpResponse:
    now = read_shown(frame.caller, frame.project_id, item.number)
    if not now.is_readable:
        return _closed_page(request, frame, now, form)
    archived = bool(now.answer.get("archived"))
    if now.current == form.cleaned_data["version"] and not archived:  # not of the version
        form.refuse(refusal)
        return _form_page(request, frame, item, form, status=409)
    again = rebased(frame.caller, frame.project_id, form, now)
    more: dict[str, Any] = {"closed": "archived"} if archived else {}
    if not archived or again.meets:
        more |= {"rebased": again, "changes": changes_of(refusal)}
    return _form_page(request, frame, now, again.form, status=409, **more)


def _sent_form(request: HttpRequest, frame: ProjectFrame, item: ShownItem) -> ItemForm:
    """The form as it was sent, with what it was opened with; what was not sent stays so."""
    kind, sent = kind_of(item.kind), {name: str(text) for name, text in request.POST.items()}
    opened = opened_with(frame.caller, frame.project_id, item, kind, sent)
    holders = holders_of(frame.caller, frame.project_id, item, opened=opened.get("assignee", ""))
    data = opened | {opened_name(name): text for name, text in opened.items()} | sent
    return ItemForm(kind, data, holders=holders, initial=opened)


@require_POST
@keeps_typed
@project_page(use=Use.PROPOSE)
def do_action(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """Act on the item; a refusal is shown above it, with what was typed."""
    action, reason = request.POST.get("action", ""), request.POST.get("reason", "")
    sent = request.POST.get("version", "")
    version = read_number(sent)
    try:
        if sent and version is None:
            raise Invalid("version must be the number of a version.", field="version")
        answer = do(
            frame.caller,
            frame.project_id,
            number,
            action=action,
            version=version,
            reason=reason,
        )
    except REFUSED as refusal:
        found = read_shown(frame.caller, frame.project_id, number)
        status = form_status(refusal)
        return show_item(request, frame, found, refusal=refusal, reason=reason, status=status)
    word = done_word(action, answer) if action in ACTIONS else outcome_word(answer)
    messages.success(request, word)
    return redirect(frame.path("item", number=number))


def stored(
    request: HttpRequest, frame: ProjectFrame, answer: JsonObject, kind: str
) -> HttpResponse:
    """To the page of what was stored, with what the write door has said of it."""
    messages.success(request, outcome_word(answer))
    for warning in answer.get("warnings", []):
        messages.warning(request, in_words(str(warning)))
    if "number" in answer:
        query = "?similar" if answer.get("similar") else ""
        return redirect(frame.path("item", number=int(answer["number"])) + query)
    return redirect(frame.path(LISTS[kind]))


def _form_page(
    request: HttpRequest,
    frame: ProjectFrame,
    item: ShownItem,
    form: ItemForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {"item": item, "form": form, "new_word": NEW.get(item.kind, ""), **more}
    return show(request, frame, "web/items/edit.html", context, tab=item.kind, status=status)


def _closed_page(
    request: HttpRequest, frame: ProjectFrame, item: ShownItem, form: ItemForm
) -> HttpResponse:
    """The form with what was typed, of an item that was locked or erased meanwhile."""
    closed, status = ("locked", 423) if "locked" in item.answer else ("erased", 409)
    return _form_page(request, frame, item, form, status=status, closed=closed)
