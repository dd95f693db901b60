"""The Activity tab: what has changed the rights in a project, and its deletions."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.projects.events import before_asked, shown_events
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from projects.capabilities import Use
from projects.events import project_events


@require_safe
@project_page(use=Use.MANAGE)
def activity(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The audit log of the project, newest first: for owners."""
    found = project_events(frame.caller, frame.project_id, before=before_asked(request))
    context = {"events": shown_events(found), "before": found.before}
    return show(request, frame, "web/projects/activity.html", context, tab="activity")
