"""What happened to a project's instructions: versions, two compared, one restored."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from conderis.common.errors import NotFound
from conderis.web.comparing.choosing import view_chosen
from conderis.web.items.comparisons import compare_versions
from conderis.web.items.histories import read_history
from conderis.web.items.resending import keeps_typed
from conderis.web.items.restoring_page import restoring_page
from conderis.web.items.subjects import instructions_subject
from conderis.web.items.versions import look_at_version
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.instructions import read_instructions
from conderis.web.projects.instructions_forms import version_asked
from conderis.web.projects.showing import show_settings
from projects.capabilities import Use

SECTION = "project-instructions"


@require_safe
@project_page()
def history(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The events, newest first, and two of them to choose."""
    version = version_asked(request)
    try:
        subject = instructions_subject(frame)
    except NotFound:  # none were ever stored: the page says so
        return _page(request, frame, "history", {})
    context = {
        "subject": subject,
        "page": read_history(subject, version),
        "may_ask": frame.access.may(Use.REQUEST_DELETION),
        "may_write": frame.may_propose_instructions,
    }
    return _page(request, frame, "history", context)


@require_safe
@project_page()
def at_version(request: HttpRequest, frame: ProjectFrame, version: int) -> HttpResponse:
    """The instructions as they were at a version."""
    context = {
        "text": read_instructions(frame.caller, frame.project_id, version),
        "at": look_at_version(instructions_subject(frame), version),
        "may_write": frame.may_propose_instructions,
    }
    return show_settings(request, frame, "web/projects/instructions.html", context, section=SECTION)


@require_safe
@project_page()
def compare(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Two versions beside each other (`?from=3&to=5`); without numbers, the newest two."""
    subject, view = instructions_subject(frame), view_chosen(request)
    context = {
        "subject": subject,
        "compared": compare_versions(subject, request.GET.dict(), view),
        "view": view,
        "may_write": frame.may_propose_instructions,
    }
    return _page(request, frame, "compare", context)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE_INSTRUCTIONS)
def restore(request: HttpRequest, frame: ProjectFrame, version: int) -> HttpResponse:
    """What restoring the version would change, and, sent, restoring it."""

    def rendered(context: dict[str, object], status: int) -> HttpResponse:
        return _page(request, frame, "restore", context, status=status)

    return restoring_page(request, instructions_subject(frame), version, rendered)


def _page(
    request: HttpRequest,
    frame: ProjectFrame,
    name: str,
    context: dict[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    template = f"web/projects/instructions_{name}.html"
    return show_settings(request, frame, template, context, section=SECTION, status=status)
