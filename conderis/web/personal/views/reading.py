"""The list of personal memories, one of them, its history and its versions."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conderis.web.callers import caller_of, signed_in
from conderis.web.personal.reading import (
    decision_path,
    read_history,
    read_list,
    read_memory,
)
from conderis.web.personal.writing import actions_of


@require_safe
@signed_in
def memories(request: HttpRequest) -> HttpResponse:
    """The caller's personal memories: searched, narrowed, sorted, page after page."""
    context = {"list": read_list(caller_of(request), request.GET.dict()), "place": "memories"}
    return render(request, "web/personal/list.html", context)


@require_safe
@signed_in
def memory(request: HttpRequest, memory: str) -> HttpResponse:
    """One of them as it stands."""
    item = read_memory(caller_of(request), memory)
    context: dict[str, Any] = {
        "item": item,
        "id": memory,
        "actions": actions_of(item),
        "decide": decision_path(item),
    }
    return render(request, "web/personal/memory.html", context)


@require_safe
@signed_in
def history(request: HttpRequest, memory: str) -> HttpResponse:
    """The events, newest first, twenty at a time."""
    caller = caller_of(request)
    item = read_memory(caller, memory)
    page = read_history(caller, memory, request.GET.get("version"))
    context = {"item": item, "id": memory, "page": page}
    return render(request, "web/personal/history.html", context)


@require_safe
@signed_in
def at_version(request: HttpRequest, memory: str, version: int) -> HttpResponse:
    """It as it was at a version."""
    item = read_memory(caller_of(request), memory, version=version)
    return render(request, "web/personal/memory.html", {"item": item, "id": memory})
