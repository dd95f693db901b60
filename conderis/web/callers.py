"""From a request to a caller, and the pages that only people who are in may open.

Who is not signed in reads what is public, without a cookie: such an answer sets none.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface, nobody

P = ParamSpec("P")


def person_of(request: HttpRequest) -> Person | None:
    """Who is signed in, if anybody."""
    return request.user if isinstance(request.user, Person) else None


def caller_of(request: HttpRequest) -> Caller:
    """The person who is signed in, as a caller. Only behind `signed_in`."""
    person = person_of(request)
    if person is None:
        raise TypeError("Nobody is signed in: this view lacks the decorator `signed_in`.")
    return caller_of_person(person, Surface.WEB)


def reader_of(request: HttpRequest) -> Caller:
    """The person who is signed in, else nobody: for pages that may be public."""
    person = person_of(request)
    if person is not None:
        return caller_of_person(person, Surface.WEB)
    request.without_cookies = True  # type: ignore[attr-defined]  # ours, for this request
    return nobody(Surface.WEB)


def is_without_cookies(request: HttpRequest) -> bool:
    """Whether the page is read by nobody: it holds no form that takes a cookie."""
    return bool(getattr(request, "without_cookies", False))


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The way to the sign-in page and back.

    An htmx request is sent there as a whole page, since a fragment cannot hold it. The way back
    never leads to an address that only takes forms: then it leads to the page of the form.
    """
    away = redirect_to_login(_way_back(request))
    if not request.headers.get("HX-Request"):
        return away
    return HttpResponse(status=204, headers={"HX-Redirect": away["Location"]})


def _way_back(request: HttpRequest) -> str:
    here = request.get_full_path()
    if request.method in {"GET", "HEAD"} or _is_page(request.path):
        return here
    came_from = request.headers.get("Referer", "")
    is_own = url_has_allowed_host_and_scheme(
        came_from, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    if came_from and is_own:
        parts = urlsplit(came_from)
        if _is_page(parts.path):
            return f"{parts.path}?{parts.query}" if parts.query else parts.path
    return reverse("start")


def _is_page(path: str) -> bool:
    """Whether something of this server answers GET at the path.

    What `require_http_methods` and its like let through is known by what they close over.
    """
    try:
        view: Callable[..., object] | None = resolve(path).func
    except Resolver404:
        return False
    while view is not None:
        closed = inspect.getclosurevars(view).nonlocals if inspect.isfunction(view) else {}
        taken = closed.get("request_method_list")
        if taken is not None:
            return "GET" in taken
        view = getattr(view, "__wrapped__", None)
    return True


def signed_in(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """The view for people who are in; everybody else is led to the sign-in page and back."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if person_of(request) is not None:
            return view(request, *args, **kwargs)
        return to_sign_in(request)

    return guarded
