"""Error pages: every refusal of the services as a page that says what now."""

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.views.defaults import server_error

from conderis.common.errors import DomainError, Unavailable
from conderis.common.faulting import unavailable
from conderis.common.outages import outage
from conderis.common.statuses import status_of
from conderis.web.items.resending import typed_again, typed_beside
from conderis.web.refusals import in_words


def refusal_page(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """The page of a refusal. What is hidden and what is missing read alike.

    Where a form was refused, what was typed in it stands there, too.
    """
    status = status_of(refusal)
    response = typed_beside(request, refusal, status) or _bare_page(request, refusal, status)
    if "retryAfter" in refusal.details:
        response["Retry-After"] = str(refusal.details["retryAfter"])
    return response


def _bare_page(request: HttpRequest, refusal: DomainError, status: int) -> HttpResponse:
    if status == 404:
        return not_found(request)
    template = "403.html" if status == 403 else "refused.html"
    return render(request, template, {"refusal": refusal, "status": status}, status=status)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The one page for what is not there and for what may not be read."""
    del exception  # Django hands it over; it tells which addresses there are
    return render(request, "404.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from a page of this server, or from one that is too old.

    Forms with long texts are shown again with what was typed, if they came from a page of ours.
    """
    again = typed_again(request, reason)
    return again if again is not None else render(request, "403_csrf.html", status=403)


def server_fault(request: HttpRequest) -> HttpResponse:
    """The page of what nobody has caught: 503 where the database is out, else 500.

    It asks the database nothing, not even who is signed in.
    """
    error = sys.exc_info()[1]
    refusal = _outage(error) if error is not None else None
    if refusal is None:
        return server_error(request)
    response = HttpResponse(render_to_string("503.html", {"said": in_words(refusal)}), status=503)
    response["Retry-After"] = str(refusal.details["retryAfter"])
    add_never_cache_headers(response)
    return response


def _outage(error: BaseException) -> Unavailable | None:
    """The refusal of an outage of the database, which is logged; None for other faults."""
    return unavailable(error, during="a page") if outage(error) is not None else None


class FaultsMiddleware:
    """Turns the refusals that views let through into their pages, and says what a 405 means."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's response; a page in place of an empty one of a method that is not taken."""
        response = self.get_response(request)
        if response.status_code != 405 or response.streaming or response.content:
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a refusal; None for a fault of ours, which stays one."""
        refusal = exception if isinstance(exception, DomainError) else _outage(exception)
        return refusal_page(request, refusal) if refusal is not None else None
