"""What happened to a personal memory, how it was, two versions compared, one restored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from conderis.web.callers import caller_of, signed_in
from conderis.web.comparing.choosing import view_chosen
from conderis.web.items.comparisons import compare_versions
from conderis.web.items.histories import read_history, read_version_number
from conderis.web.items.resending import keeps_typed
from conderis.web.items.restoring_page import restoring_page
from conderis.web.items.versions import look_at_version
from conderis.web.personal.reading import memory_subject, read_memory


@require_safe
@signed_in
def history(request: HttpRequest, memory: str) -> HttpResponse:
    """The events, newest first, twenty at a time, and two of them to choose."""
    subject = memory_subject(caller_of(request), memory)
    version = read_version_number(request.GET.get("version"))
    context = {"page": read_history(subject, version), "may_ask": True}
    return _page(request, "history", memory, {"subject": subject} | context)


@require_safe
@signed_in
def at_version(request: HttpRequest, memory: str, version: int) -> HttpResponse:
    """It as it was at a version."""
    caller = caller_of(request)
    item = read_memory(caller, memory, version=version)
    at = look_at_version(memory_subject(caller, memory), version)
    return _page(request, "memory", memory, {"item": item, "at": at})


@require_safe
@signed_in
def compare(request: HttpRequest, memory: str) -> HttpResponse:
    """Two versions beside each other (`?from=3&to=5`); without numbers, the newest two."""
    subject, view = memory_subject(caller_of(request), memory), view_chosen(request)
    compared = compare_versions(subject, request.GET.dict(), view)
    context = {"subject": subject, "compared": compared, "view": view}
    return _page(request, "compare", memory, context)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@signed_in
def restore(request: HttpRequest, memory: str, version: int) -> HttpResponse:
    """What restoring the version would change, and, sent, restoring it."""

    def rendered(context: dict[str, object], status: int) -> HttpResponse:
        return _page(request, "restore", memory, context, status=status)

    return restoring_page(request, memory_subject(caller_of(request), memory), version, rendered)


def _page(
    request: HttpRequest, name: str, memory: str, context: dict[str, object], *, status: int = 200
) -> HttpResponse:
    around = {"id": memory, "may_write": True, "place": "memories"}
    return render(request, f"web/personal/{name}.html", around | context, status=status)
