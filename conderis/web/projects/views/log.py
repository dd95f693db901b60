"""The Activity tab: what has happened to items, its feed, and the log of rights for owners."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.projects.activity import activity_page
from conderis.web.projects.activity_feed import feed_answer
from conderis.web.projects.events import before_asked, shown_events
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.showing import show
from projects.capabilities import Use
from projects.events import project_events


@require_safe
@project_page()
def activity(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What has happened to the items that the reader may read, newest first."""
    context = {"page": activity_page(frame, request.GET.dict())}
    return show(request, frame, "web/projects/activity.html", context, tab="activity")


@require_safe
@project_page()
def feed(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The latest 50 events as an Atom feed."""
    return feed_answer(request, frame)


@require_safe
@project_page(use=Use.MANAGE)
def log(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The audit log of the project, newest first: for owners."""
    found = project_events(frame.caller, frame.project_id, before=before_asked(request))
    context = {"events": shown_events(found), "before": found.before}
    return show(request, frame, "web/projects/log.html", context, tab="activity")
