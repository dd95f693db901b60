"""Recall, and who calls."""

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from conderis.accounts.introducing import introduce
from conderis.api.answering import answered
from conderis.api.authenticating import caller_of
from conderis.api.describing import described
from conderis.api.queries import Recalling
from items.recall import recall
from items.requests import RecallRequest

router = Router(tags=["Recall"])
MARKDOWN = "text/markdown"


@router.get("/me", **described("Me", reading=True))
def me(request: HttpRequest) -> HttpResponse:
    """Read who you are here, and what your key lets through."""
    return answered(introduce(caller_of(request)))


@router.get("/recall", **described("Recall", reading=True))
def recall_own(request: HttpRequest, query: Query[Recalling]) -> HttpResponse:
    """Recall your personal memories and projects, or read the guide."""
    return _recall(request, None, query)


@router.get("/projects/{place:project}/recall", **described("Recall", reading=True))
def recall_project(request: HttpRequest, project: str, query: Query[Recalling]) -> HttpResponse:
    """Recall what a project knows and has to do, as a bounded summary in Markdown."""
    return _recall(request, project, query)


def _recall(request: HttpRequest, project: str | None, query: Recalling) -> HttpResponse:
    wanted = RecallRequest(
        project_id=project, focus=query.focus, max_chars=query.maxChars, guide=query.guide
    )
    text = recall(caller_of(request), wanted)
    return answered({"mediaType": MARKDOWN, "text": text})
