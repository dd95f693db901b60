"""How the pages look and read for this person, or for this browser."""

import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from conderis.accounts.models import Person, Theme
from conderis.web.callers import person_of

THEME_COOKIE = f"{'__Host-' if settings.SESSION_COOKIE_SECURE else ''}conderis_theme"
LANGUAGES = {code for code, _ in settings.LANGUAGES}


class PreferencesMiddleware:
    """Puts `theme` on the request; speaks the language and the time of the person's choice.

    Who is not signed in has the theme in a cookie, the browser's language, and UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response, in the language and look of whoever asked."""
        if request.path_info in {"/healthz", "/readyz"}:
            return self.get_response(request)
        person = person_of(request)
        theme = person.theme if person is not None else request.COOKIES.get(THEME_COOKIE, "")
        request.theme = theme if theme in Theme.values else ""  # type: ignore[attr-defined]
        if person is not None and person.language in LANGUAGES:
            translation.activate(person.language)
            request.LANGUAGE_CODE = person.language
        with timezone.override(_zone(person)):
            return self.get_response(request)


def local(moment: datetime) -> datetime:
    """The moment in the current time zone; in UTC where that is past the calendar's ends."""
    try:
        return timezone.localtime(moment)
    except OverflowError:
        return moment.astimezone(UTC)


def _zone(person: Person | None) -> zoneinfo.ZoneInfo | None:
    """The person's time zone; None, which is UTC, where this machine does not know it."""
    try:
        return zoneinfo.ZoneInfo(person.time_zone) if person is not None else None
    except (ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None
