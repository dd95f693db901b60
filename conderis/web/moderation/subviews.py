"""The views of the Moderation tab, and what waits in each."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.showing import show
from conderis.web.projects.tabs import waiting_in
from projects.capabilities import Use

PROPOSALS: Final = "moderation"
DELETIONS: Final = "moderation-deletions"
RUNS: Final = "moderation-runs"
VIEWS: Final[dict[str, Promise]] = {
    PROPOSALS: _("Proposals"),
    DELETIONS: _("Deletions"),
    RUNS: _("Agents' runs"),
}


@dataclass(frozen=True, slots=True)
class ShownView:
    """A view as the navigation of the tab shows it; `waiting` None is one without a count."""

    label: Promise
    href: str
    current: bool
    waiting: int | None


def show_moderation(
    request: HttpRequest,
    frame: ProjectFrame,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    view: str,
    status: int = 200,
) -> HttpResponse:
    """A page of the Moderation tab; `view` is the route of the view that it belongs to."""
    waiting = waiting_in(frame)
    counts = {PROPOSALS: waiting.proposals, DELETIONS: waiting.deletions}
    views = [
        ShownView(label, frame.path(route), route == view, counts.get(route))
        for route, label in VIEWS.items()
        if route != RUNS or frame.access.may(Use.PUBLISH)
    ]
    beside = {"views": views, "waiting": waiting}
    return show(request, frame, template, beside | (context or {}), tab="moderation", status=status)
