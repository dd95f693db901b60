"""How fast a person may ask for pages: a limit that only loops and scripts meet.

The API counts for itself, since there a key may call beside a session.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from conderis.accounts.limits import refuse_rapid_calls
from conderis.api.gate import is_api
from conderis.common.errors import RateLimited
from conderis.web.callers import caller_of, person_of
from conderis.web.faults import refusal_page
from conderis.web.health import ROUTES


class PacingMiddleware:
    """Answers 429 to a person who asks too fast. Who is not signed in is not counted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's response."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """The page of the refusal, before anything is looked up."""
        match = request.resolver_match
        if is_api(request.path_info) or (match is not None and match.view_name in ROUTES):
            return None
        if person_of(request) is None:
            return None
        try:
            refuse_rapid_calls(caller_of(request))
        except RateLimited as refusal:
            return refusal_page(request, refusal)
        return None
