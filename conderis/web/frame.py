"""What the frame of every page needs: who is in, theme, keys, and where to sign up."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

import conderis
from conderis.web.callers import is_without_cookies, person_of

# No page is kept in the browser's storage: going back asks the server, which may say no by then.
HTMX_CONFIG = (
    '{"allowEval": false, "allowScriptTags": false, "includeIndicatorStyles": false, '
    '"selfRequestsOnly": true, "historyCacheSize": 0, "refreshOnHistoryMiss": true}'
)


def frame(request: HttpRequest) -> dict[str, Any]:
    """The frame's values, for templates. Makes no query."""
    person = person_of(request) if hasattr(request, "user") else None
    return {
        "person": person,
        "theme": getattr(request, "theme", ""),
        "without_cookies": is_without_cookies(request),
        "single_keys": person is None or person.single_keys,
        "sign_up_open": settings.SIGN_UP == "open",
        "sign_up_closed": settings.SIGN_UP == "closed",
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "htmx_config": HTMX_CONFIG,
        "version": conderis.__version__,
    }
