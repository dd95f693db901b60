"""How much of a request's body is read: a file that may be imported, and the form around it."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from conderis.common.errors import TooLarge
from conderis.web.faults import refusal_page

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
AROUND_BYTES: Final = 1024 * 1024  # of the form beside the file
_EMPTY: Final[Event] = {"type": "http.request", "body": b"", "more_body": False}
_GONE: Final[Event] = {"type": "http.disconnect"}


def most_bytes() -> int:
    """The longest body that a page takes."""
    return int(settings.IMPORT_MAX_BYTES) + AROUND_BYTES


def held_to_limit(headers: Iterable[tuple[bytes, bytes]], receive: Receive) -> Receive:
    """An ASGI `receive` for Django, which itself would write any body to a file first.

    A body that says to be longer is not read: Django gets none, and the middleware below
    refuses it by its length. One that becomes longer without saying so ends as if its sender
    had gone.
    """
    declared = next((value for name, value in headers if name == b"content-length"), b"0")
    if declared.isdigit() and int(declared) > most_bytes():
        return _without_body(receive)
    return _counted(receive)


def _without_body(receive: Receive) -> Receive:
    answered: list[bool] = []

    async def give() -> Event:
        if not answered:
            answered.append(True)
            return _EMPTY
        while (event := await receive())["type"] == "http.request":
            pass  # what is still sent is not kept
        return event

    return give


def _counted(receive: Receive) -> Receive:
    left = [most_bytes()]

    async def give() -> Event:
        event = await receive()
        left[0] -= len(event.get("body", b""))
        return event if left[0] >= 0 else _GONE

    return give


class LargeBodiesMiddleware:
    """Answers a request whose body is too long to be read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response; a refusal where the body says to be too long."""
        length = request.META.get("CONTENT_LENGTH") or ""
        if length.isdigit() and int(length) > most_bytes():
            most = settings.IMPORT_MAX_BYTES // 1024**2
            return refusal_page(request, TooLarge(f"The file is larger than {most} MB."))
        return self.get_response(request)
