"""Pages that htmx asks for in part: what caches must know of them."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


class FragmentsMiddleware:
    """Says of every answer that it may differ for htmx.

    A whole page answers a tab as well as an address, and htmx takes its part of it; but who is
    signed out is led away otherwise, and a decision answers with its queue alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's response, with `Vary: HX-Request`."""
        response = self.get_response(request)
        patch_vary_headers(response, ("HX-Request",))
        return response
