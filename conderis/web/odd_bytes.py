"""U+0000 and broken session cookies, which PostgreSQL takes nowhere, refused at the door."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from conderis.common.errors import Invalid
from conderis.web.faults import not_found, refusal_page

_SESSION = re.compile(r"[a-z0-9]{1,64}")
NUL = "\0"


class OddBytesMiddleware:
    """Stands before sessions: what a database cannot even be asked for is answered here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response; without the session where its cookie cannot be one of ours."""
        if NUL in request.path_info:
            return not_found(request)
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not _SESSION.fullmatch(cookie):
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """The refusal of a form or address with U+0000 in a field, which it names."""
        for sent in (request.GET, request.POST):
            for name, values in sent.lists():
                if NUL in name or any(NUL in value for value in values):
                    shown = name.replace(NUL, "")[:40]
                    message = f"{shown} holds the character U+0000, which no text may hold."
                    return refusal_page(request, Invalid(message, field=shown))
        return None
