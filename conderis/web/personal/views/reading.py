"""The list of personal memories, and one of them as it stands."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conderis.common.errors import Invalid, TooLarge
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, signed_in
from conderis.web.personal.listing import read_list, refused_list
from conderis.web.personal.reading import decision_path, read_memory
from conderis.web.personal.writing import actions_of


@require_safe
@signed_in
def memories(request: HttpRequest) -> HttpResponse:
    """The caller's personal memories: searched, narrowed, sorted, page after page."""
    sent, status = request.GET.dict(), 200
    try:
        found = read_list(caller_of(request), sent)
    except (Invalid, TooLarge) as refusal:
        found, status = refused_list(sent, refusal), status_of(refusal)
    context = {"list": found, "place": "memories"}
    return render(request, "web/personal/list.html", context, status=status)


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
