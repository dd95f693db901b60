"""Writing personal memories: a new one, a change with the version check, the actions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from conderis.common.errors import Conflict, Invalid, Locked
from conderis.common.json import JsonObject
from conderis.web.callers import caller_of, signed_in
from conderis.web.items.forms import ItemForm
from conderis.web.items.reading import ShownItem
from conderis.web.items.rebasing import rebased
from conderis.web.items.resending import keeps_typed
from conderis.web.personal.reading import path_of, read_memory
from conderis.web.personal.writing import (
    actions_of,
    change,
    create,
    do,
    done_word,
    edit_form,
    new_form,
    outcome_word,
)
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.refusals import changes_of, in_words
from items.kinds.values import read_number

# A locked memory or bag must not cost what was typed.
REFUSED = (*SHOWN, Locked)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """A form for a new memory; `?parent=memory:…` fills in what it stands under."""
    sent = _sent(request)
    form = new_form(sent, parent=request.GET.get("parent", ""))
    status = 200
    if sent is not None:
        status = 400
        if form.is_valid():
            try:
                answer = create(caller_of(request), form)
            except REFUSED as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                return _stored(request, answer)
    return _page(request, form, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@signed_in
def edit(request: HttpRequest, memory: str) -> HttpResponse:
    """A form for the memory; where somebody was faster, both texts."""
    item = read_memory(caller_of(request), memory)
    sent = _sent(request)
    if sent is not None:
        return _save(request, memory, item, edit_form(item, sent))
    if not item.is_readable:  # its page says why
        return redirect("memory", memory)
    if item.answer.get("archived"):
        return render(request, "web/personal/edit_archived.html", {"item": item, "id": memory})
    return _page(request, edit_form(item), item=item, id=memory)


def _save(request: HttpRequest, memory: str, item: ShownItem, form: ItemForm) -> HttpResponse:
    context: dict[str, Any] = {"item": item, "id": memory}
    if not item.is_readable:
        return _closed(request, form, context)
    status = 400
    if form.is_valid():
        try:
            answer = change(caller_of(request), memory, form)
        except Conflict as refusal:
            return _conflict(request, memory, form, refusal)
        except REFUSED as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            return _stored(request, answer)
    return _page(request, form, status=status, **context)


def _conflict(request: HttpRequest, memory: str, form: ItemForm, refusal: Conflict) -> HttpResponse:
    caller = caller_of(request)
    now = read_memory(caller, memory)
    context: dict[str, Any] = {"item": now, "id": memory}
    if not now.is_readable:
        return _closed(request, form, context)
    archived = bool(now.answer.get("archived"))
    if now.current == form.cleaned_data["version"] and not archived:  # not of the version
        form.refuse(refusal)
        return _page(request, form, status=409, **context)
    again = rebased(caller, "", form, now)
    if archived:
        context["closed"] = "archived"
    if not archived or again.meets:
        context |= {"rebased": again, "changes": changes_of(refusal)}
    return _page(request, again.form, status=409, **context)


def _closed(request: HttpRequest, form: ItemForm, context: dict[str, Any]) -> HttpResponse:
    """The form with what was typed, of a memory that was locked or erased meanwhile."""
    is_locked = "locked" in context["item"].answer
    closed, status = ("locked", 423) if is_locked else ("erased", 409)
    return _page(request, form, status=status, closed=closed, **context)


@require_POST
@keeps_typed
@signed_in
def do_action(request: HttpRequest, memory: str) -> HttpResponse:
    """Archive or restore it; a refusal is shown above it, with what was typed."""
    caller = caller_of(request)
    action, reason = request.POST.get("action", ""), request.POST.get("reason", "")
    sent = request.POST.get("version", "")
    version = read_number(sent)
    item = read_memory(caller, memory)
    try:
        if sent and version is None:
            raise Invalid("version must be the number of a version.", field="version")
        answer = do(caller, memory, action=action, version=version, reason=reason)
    except REFUSED as refusal:
        context = {
            "item": item,
            "id": memory,
            "actions": actions_of(item),
            "refusal": refusal,
            "reason": reason,
        }
        status = form_status(refusal)
        return render(request, "web/personal/memory.html", context, status=status)
    messages.success(request, done_word(action, answer))
    return redirect("memory", memory)


def _sent(request: HttpRequest) -> dict[str, str] | None:
    if request.method != "POST":
        return None
    return {name: str(text) for name, text in request.POST.items()}


def _stored(request: HttpRequest, answer: JsonObject) -> HttpResponse:
    messages.success(request, outcome_word(answer))
    for warning in answer.get("warnings", []):
        messages.warning(request, in_words(str(warning)))
    return redirect(path_of(answer["ref"]))


def _page(request: HttpRequest, form: ItemForm, *, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "web/personal/edit.html", {"form": form, **more}, status=status)
