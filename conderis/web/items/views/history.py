"""What happened to an item, how it was at a version, two versions compared, one restored."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from conderis.common.errors import Invalid, NotFound
from conderis.web.comparing.choosing import view_chosen
from conderis.web.items.comparisons import compare_versions
from conderis.web.items.histories import read_history, read_version_number
from conderis.web.items.reading import read_shown
from conderis.web.items.resending import keeps_typed
from conderis.web.items.restoring_page import Page, restoring_page
from conderis.web.items.subjects import Subject, item_subject
from conderis.web.items.versions import look_at_version
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from projects.capabilities import Use


@require_safe
@project_page()
def history(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """The events, newest first, twenty at a time, and two of them to choose."""
    subject = item_subject(frame, number)
    context = {
        "subject": subject,
        "page": read_history(subject, read_version_number(request.GET.get("version"))),
        "may_ask": frame.access.may(Use.REQUEST_DELETION),
        "may_write": frame.access.may(Use.PROPOSE),
    }
    return show(request, frame, "web/items/history.html", context, tab=subject.kind.name)


@require_safe
@project_page()
def at_version(
    request: HttpRequest, frame: ProjectFrame, number: int, version: int
) -> HttpResponse:
    """The item as it was at a version."""
    subject = item_subject(frame, number)
    try:
        found = read_shown(frame.caller, frame.project_id, number, version=version)
    except Invalid as refusal:
        raise NotFound("There is no such version.") from refusal
    context = {
        "item": found,
        "subject": subject,
        "at": look_at_version(subject, version),
        "may_ask": frame.access.may(Use.REQUEST_DELETION),
        "may_write": frame.access.may(Use.PROPOSE),
    }
    return show(request, frame, "web/items/version.html", context, tab=found.kind)


@require_safe
@project_page()
def compare(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """Two versions beside each other (`?from=3&to=5`); without numbers, the newest two."""
    subject, view = item_subject(frame, number), view_chosen(request)
    context = {
        "subject": subject,
        "compared": compare_versions(subject, request.GET.dict(), view),
        "view": view,
        "may_write": frame.access.may(Use.PROPOSE),
    }
    return show(request, frame, "web/items/compare.html", context, tab=subject.kind.name)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE)
def restore(request: HttpRequest, frame: ProjectFrame, number: int, version: int) -> HttpResponse:
    """What restoring the version would change, and, sent, restoring it."""
    subject = item_subject(frame, number)
    return restoring_page(request, subject, version, _page(request, frame, subject))


def _page(request: HttpRequest, frame: ProjectFrame, subject: Subject) -> Page:
    def rendered(context: dict[str, object], status: int) -> HttpResponse:
        template, tab = "web/items/version_restore.html", subject.kind.name
        return show(request, frame, template, context, tab=tab, status=status)

    return rendered
