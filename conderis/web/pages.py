"""The first pages: start, look, shortcuts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from conderis.accounts.models import Theme
from conderis.accounts.profile import change_preferences
from conderis.web.callers import caller_of, person_of
from conderis.web.dashboard.reading import read_dashboard
from conderis.web.preferences import THEME_COOKIE
from conderis.web.reaching import is_own
from conderis.web.settings.key_lines import key_list
from projects.organizations import list_organizations
from projects.selectors import latest_projects

YEAR = 365 * 24 * 3600  # seconds


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What this is and how to get in; for a person who is in, what they have and what waits.

    Whoever has a role in no project yet is shown the first steps instead.
    """
    if person_of(request) is None:
        return render(request, "web/welcome.html", {"mail": bool(settings.MAIL_URL)})
    caller = caller_of(request)
    board = read_dashboard(caller)
    context = {
        "board": board,
        "keys": key_list(caller),
        "organizations": list_organizations(caller),
        "found": None if board.projects else latest_projects(caller),
        "place": "start",
    }
    return render(request, "web/start.html", context)


@require_safe
def shortcuts(request: HttpRequest) -> HttpResponse:
    """The keys that do something."""
    return render(request, "web/shortcuts.html")


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the look: with the person, or in this browser where nobody is signed in."""
    wanted = request.POST.get("theme", "")
    if wanted not in Theme.values:
        wanted = ""
    response = HttpResponseRedirect(back(request))
    if person_of(request) is not None:
        change_preferences(caller_of(request), theme=wanted)
    else:
        response.set_cookie(
            THEME_COOKIE,
            wanted,
            max_age=YEAR,
            secure=bool(settings.SESSION_COOKIE_SECURE),
            httponly=True,
            samesite="Lax",
        )
    return response


def back(request: HttpRequest) -> str:
    """Where the form says that it was sent from, if that is a page of this server."""
    wanted = request.POST.get("next", "")
    return wanted if is_own(wanted, request) else reverse("start")
