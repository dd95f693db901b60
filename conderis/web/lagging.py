"""Which pages may read the replica of the database, where there is one."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from conderis.common.databases import REPLICA
from conderis.common.errors import DomainError
from conderis.common.replicas import begin_reading, end_reading, is_reading, note_away
from conderis.web.faults import refusal_page

# Dear to make, and of whole projects.
OF_EVERYBODY: Final = {
    "search", "project-picture", "project-activity", "project-log",
}  # fmt: skip
# What robots and passers-by read of public projects; without a session there is no person.
OF_NOBODY: Final = {
    "project", "item", "item-history", "item-version", "item-compare", "project-instructions",
    "project-instructions-history", "project-instructions-version", "project-feed",
}  # fmt: skip


class ReplicaMiddleware:
    """Lets the pages above read the replica while it shows all that the database does.

    Where the replica fails in the midst of a page, the page is made anew from the database.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's response."""
        end_reading()
        try:
            return self.get_response(request)
        finally:
            end_reading()

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Begin to read the replica, if the page may and it can be."""
        if _may(request):
            begin_reading()

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """The page made anew, where it failed with the replica."""
        match = request.resolver_match
        failed = isinstance(exception, DatabaseError | InterfaceError)
        if match is None or not is_reading() or not failed:
            return None
        note_away(exception)
        end_reading()
        try:
            again: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        except DomainError as refusal:
            return refusal_page(request, refusal)
        return again


def _may(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None or request.method not in {"GET", "HEAD"}:
        return False
    if match.view_name in OF_EVERYBODY:
        return True
    return match.view_name in OF_NOBODY and settings.SESSION_COOKIE_NAME not in request.COOKIES
