"""What holds for every address of the API, whatever stands behind it.

Host and origin are checked as /mcp does; whatever the rest of the server answers (a page for
what is not there, for a method that is not taken) leaves as a problem; nothing is kept by caches.
"""

from collections.abc import Callable
from typing import Final

from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.http import HttpRequest, HttpResponse

from conderis.api import problems
from conderis.api.answering import MEDIA_TYPE
from conderis.api.gate import BODY_LIMIT, is_api, takes_file
from conderis.api.uploads import FILE_TYPES
from conderis.common.errors import (
    Denied,
    DomainError,
    Invalid,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
)
from conderis.common.origins import is_listed_origin, is_own_origin
from conderis.common.text import expect_text

GetResponse = Callable[[HttpRequest], HttpResponse]
OURS: Final = (MEDIA_TYPE, problems.MEDIA_TYPE)
NOT_JSON: Final = "Send the body as Content-Type: application/json."
NO_FILE: Final = (
    "Send the file as multipart/form-data in the part `file`, or as it is as Content-Type: "
    "application/octet-stream with its name in the parameter `name`."
)
CHARSETS: Final = ("utf-8", "utf8", "us-ascii")
NOT_UTF8: Final = "Send the body in UTF-8."
ENCODED: Final = "Send the body as it is, without Content-Encoding."
NUL: Final = "\0"
WAIT: Final = 60  # seconds, where the server has not said


class ApiMiddleware:
    """Answers what is wrong with a request as such, and sees that each answer is one of ours."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response, for addresses of the API one of the API."""
        if not is_api(request.path_info):
            return self.get_response(request)
        response = _refused(request) or self._answered(request)
        response["Cache-Control"] = "no-store"
        return response

    def _answered(self, request: HttpRequest) -> HttpResponse:
        method = request.method
        if method == "HEAD":
            request.method = "GET"  # the server leaves the body out
        response = self.get_response(request)
        request.method = method
        if response.status_code < 300 or response["Content-Type"] in OURS:
            return response
        instead = _in_our_words(response)
        for name in ("Retry-After", "Location"):
            if name in response:
                instead[name] = response[name]
        return instead


def _refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to a request that is wrong before it is looked at."""
    try:
        request.get_host()
    except DisallowedHost:
        return problems.wrong_host()
    # Before the address: Django would read its parameters in the charset of the body.
    charset = (request.content_params or {}).get("charset", CHARSETS[0])
    if charset.lower() not in CHARSETS:
        return problems.wrong_media_type(NOT_UTF8)
    try:
        _refuse_foreign_page(request)
        _refuse_odd_address(request)
    except DomainError as refusal:
        return problems.refusal(refusal)
    return _wrong_media(request)


def _refuse_foreign_page(request: HttpRequest) -> None:
    origin = request.headers.get("Origin")
    if origin is None or is_listed_origin(origin) or is_own_origin(origin, request.get_host()):
        return
    raise Denied(
        "Pages of that origin may not call this server. "
        "CONDERIS_ALLOWED_ORIGINS names those that may.",
        missing="origin",
    )


def _refuse_odd_address(request: HttpRequest) -> None:
    if NUL in request.path_info:
        raise problems.MISSING
    try:
        sent = request.GET
    except SuspiciousOperation:
        raise Invalid("The address has too many parameters.", field="address") from None
    for name, values in sent.lists():
        expect_text(name, field=name.replace(NUL, "")[:40])
        for value in values:
            expect_text(value, field=name)


def _wrong_media(request: HttpRequest) -> HttpResponse | None:
    """415 for a body that is no plain JSON, or no file where one is taken."""
    if not _has_body(request):
        return None
    with_file = takes_file(request.method or "", request.path_info)
    if request.content_type not in (FILE_TYPES if with_file else (MEDIA_TYPE,)):
        return problems.wrong_media_type(NO_FILE if with_file else NOT_JSON)
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        return problems.wrong_media_type(ENCODED)
    return None


def _has_body(request: HttpRequest) -> bool:
    length = request.headers.get("Content-Length", "")
    return length not in {"", "0"} or "Transfer-Encoding" in request.headers


def _in_our_words(response: HttpResponse) -> HttpResponse:
    """What a page of the server says, as a problem."""
    status = response.status_code
    if status == 405:
        return problems.wrong_method(response["Allow"])
    refusals: dict[int, DomainError] = {
        403: Denied("The server does not take this request.", missing="origin"),
        404: NotFound(problems.MISSING.message),
        413: TooLarge(problems.too_large(BODY_LIMIT).message, limit=BODY_LIMIT),
        429: RateLimited(
            "Too many calls. Wait, then send it again.",
            retry_after=int(response.get("Retry-After", str(WAIT))),
        ),
    }
    if status >= 500:
        return problems.refusal(Unavailable("The server cannot do this now.", retryAfter=5))
    if status < 400:
        return problems.problem(status, problems.MISSING.as_answer())
    refusal = refusals.get(status, Invalid("The request cannot be read.", field="request"))
    return problems.refusal(refusal)
