"""Refusals as problem details (RFC 9457): the contract's `error`, `message` and what helps.

A refusal's own keys stay as they are, `status` of a task among them, so the status of HTTP
stands in the status line alone.
"""

from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpResponse

from conderis.common.echoes import encodable
from conderis.common.errors import DomainError, Invalid, NotFound, TooLarge
from conderis.common.json import JsonObject, compact
from conderis.common.statuses import status_of

MEDIA_TYPE: Final = "application/problem+json"
MISSING: Final = NotFound("There is nothing at this address.")
CHALLENGE: Final = "Bearer"
REFUSED_KEY: Final = 'Bearer error="invalid_token"'
NO_KEY: Final = (
    "This address needs an agent key, as the header Authorization: Bearer <key>, or the "
    "session of a browser that is signed in."
)


def problem(status: int, answer: JsonObject) -> HttpResponse:
    """The answer of a refusal, with a wait also as the header that says it."""
    title = HTTPStatus(status).phrase
    text = encodable(compact({"title": title, **answer}))
    response = HttpResponse(text, status=status, content_type=MEDIA_TYPE)
    if "retryAfter" in answer:
        response["Retry-After"] = str(answer["retryAfter"])
    return response


def refusal(error: DomainError) -> HttpResponse:
    """The problem of a refusal of the services."""
    return problem(status_of(error), error.as_answer())


def unauthenticated(reason: str = NO_KEY, *, challenge: str = CHALLENGE) -> HttpResponse:
    """401 as RFC 6750 has it, in the words of /mcp."""
    response = problem(401, {"error": "invalid_token", "message": reason})
    response["WWW-Authenticate"] = challenge
    return response


def wrong_method(allow: str) -> HttpResponse:
    """405, which says what is taken."""
    message = f"This address takes {allow}."
    response = problem(405, Invalid(message, allowed=allow.split(", ")).as_answer())
    response["Allow"] = allow
    return response


def wrong_host() -> HttpResponse:
    """421 for a Host that is none of the allowed ones."""
    message = "This server does not answer to that host. CONDERIS_ALLOWED_HOSTS names its hosts."
    return problem(421, {"error": "invalid", "message": message})


def wrong_media_type(message: str) -> HttpResponse:
    """415 for a body of a type that the address does not take."""
    return problem(415, {"error": "invalid", "message": message})


def file_too_large() -> TooLarge:
    """The refusal of a file of more than CONDERIS_IMPORT_MAX_MB."""
    most: int = settings.IMPORT_MAX_BYTES
    message = f"The file is larger than {most // 1024**2} MB."
    return TooLarge(message, field="file", limit=most)


def too_large(limit: int) -> TooLarge:
    """The refusal of a body of more than so many bytes."""
    return TooLarge(f"A request holds at most {limit // 1024**2} MB.", limit=limit)
