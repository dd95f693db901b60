"""Security: the ways in, and what happened to the account."""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conderis.accounts.events import account_events
from conderis.common.errors import Invalid
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.settings.event_words import event_line

PAGE = 20


@require_safe
@signed_in
def security(request: HttpRequest) -> HttpResponse:
    """Password, passkeys, authenticator app, sessions; then the latest events, paged."""
    person = person_of(request)
    before = _before(request)
    found = account_events(caller_of(request), limit=PAGE + 1, before=before)
    shown = found[:PAGE]
    context = {
        "section": "security",
        "has_password": person is not None and person.has_usable_password(),
        "has_passkey": is_mfa_enabled(person, ["webauthn"]),
        "has_app": is_mfa_enabled(person, ["totp"]),
        "has_codes": is_mfa_enabled(person, ["recovery_codes"]),
        "single_sign_on": settings.OIDC[0]["name"] if settings.OIDC else "",
        "events": [event_line(event) for event in shown],
        "older": shown[-1].id if len(found) > PAGE else None,
        "paged": before is not None,
    }
    return render(request, "web/settings/security.html", context)


def _before(request: HttpRequest) -> int | None:
    text = request.GET.get("before")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise Invalid("before must be the id of an event.", field="before")
    return int(text)
