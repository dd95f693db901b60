"""What caches may keep of the pages of who is signed in: nothing that they do not ask about."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from conderis.web.callers import person_of

CACHE_CONTROL: Final = "Cache-Control"


class CachingMiddleware:
    """Says `private, no-cache` of answers to people who are in, unless they say another thing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's response with the header, if need be."""
        response = self.get_response(request)
        if CACHE_CONTROL not in response and person_of(request) is not None:
            patch_cache_control(response, private=True, no_cache=True)
        return response
