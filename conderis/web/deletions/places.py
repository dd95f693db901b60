"""Where deletion requests are listed: everywhere, or in the Moderation tab of a project."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from conderis.common.caller import Caller
from conderis.web.callers import caller_of
from conderis.web.deletions.forms import SeveralForm
from conderis.web.deletions.listing import read_list
from conderis.web.deletions.wanting import LIST_ICONS, LISTS, Wanted, wanted_by
from conderis.web.moderation.subviews import DELETIONS, show_moderation
from conderis.web.projects.frame import ProjectFrame
from projects.capabilities import Use

FAILED: Final = "deletions_failed"  # in the session, until it is shown


@dataclass(frozen=True, slots=True)
class Place:
    """A list of deletion requests; without a frame it is of all places, personal ones too."""

    request: HttpRequest
    caller: Caller
    frame: ProjectFrame | None = None

    @property
    def path(self) -> str:
        """The address of the list."""
        return reverse("deletions") if self.frame is None else self.frame.path(DELETIONS)

    @property
    def decide_path(self) -> str:
        """Where its form is sent."""
        if self.frame is None:
            return reverse("deletions-decide")
        return self.frame.path(f"{DELETIONS}-decide")

    @property
    def decides(self) -> bool:
        """Whether there can be requests of others here that the caller decides."""
        return self.frame is None or self.frame.access.may(Use.REVIEW)

    def render(
        self, template: str, context: dict[str, Any] | None = None, *, status: int = 200
    ) -> HttpResponse:
        """A page under this place's head; `template` has a variant for each."""
        named = {"where": self, **(context or {})}
        if self.frame is None:
            return render(self.request, f"web/deletions/{template}.html", named, status=status)
        of_project = f"web/deletions/{template}_of_project.html"
        return show_moderation(
            self.request, self.frame, of_project, named, view=DELETIONS, status=status
        )


def place_of(request: HttpRequest, frame: ProjectFrame | None = None) -> Place:
    """The list that a request is about."""
    return Place(request, frame.caller if frame is not None else caller_of(request), frame)


def show_list(
    place: Place,
    *,
    form: SeveralForm | None = None,
    selected: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The list as its address has it."""
    request = place.request
    wanted = wanted_by(request.GET.dict())
    cursor = request.GET.get("cursor") or None
    project_id = place.frame.project_id if place.frame is not None else None
    listed = read_list(place.caller, wanted, project_id=project_id, cursor=cursor)
    before = _count(request.GET.get("from")) if cursor else 0
    context: dict[str, Any] = {
        "listed": listed,
        "wanted": wanted,
        "lists": _lists(wanted),
        "everyone": wanted.of(mine=False).query,
        "own": wanted.of(mine=True).query,
        "form": form or SeveralForm(auto_id="%s"),
        "selected": selected or [],
        "failed": request.session.pop(FAILED, None) if FAILED in request.session else None,
        "first": before + 1,
        "last": before + len(listed.rows),
        "paged": cursor is not None,
    }
    return place.render("list", context, status=status)


def _lists(wanted: Wanted) -> list[dict[str, object]]:
    return [
        {
            "name": state,
            "word": word,
            "icon": LIST_ICONS[state],
            "query": wanted.with_state(state).query,
        }
        for state, word in LISTS.items()
    ]


def _count(word: str | None) -> int:
    return int(word) if word and word.isascii() and word.isdigit() and len(word) < 9 else 0
