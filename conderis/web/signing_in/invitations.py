"""Invitations in the browser: the page of one, and the one that is kept until sign-up."""

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from conderis.common.errors import NotFound
from conderis.web.callers import caller_of, person_of
from projects.invitations import accept_invitation, access_invitation
from projects.models import Invitation

KEPT = "invitation"  # in the session
JOINED = "joined"  # likewise: where a new person goes first


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Who invites to what. The button joins, or keeps the invitation and leads to the door.

    Unknown, used, expired and revoked ones get the same page, as a 404. The address is a
    secret: browsers hand on no more of it than the name of this server.
    """
    try:
        found = access_invitation(token)
        if request.method == "POST":
            response = _answer(request, token)
        else:
            response = render(request, "account/invitation.html", _described(found))
    except NotFound:
        response = gone(request)
    response["Referrer-Policy"] = "strict-origin"
    return response


def gone(request: HttpRequest) -> HttpResponse:
    """The page of an invitation that lets nobody in."""
    request.session.pop(KEPT, None)
    return render(request, "account/invitation_gone.html", status=404)


def may_sign_up(request: HttpRequest) -> bool:
    """Whether this browser may make an account now."""
    if settings.SIGN_UP == "open":
        return True
    return settings.SIGN_UP == "invited" and _works(kept_token(request))


def kept_token(request: HttpRequest) -> str:
    """The secret of the invitation that this browser came with; empty without one."""
    return str(request.session.get(KEPT, ""))


def accept_kept(request: HttpRequest, person: Person) -> None:
    """Let a new person use up the invitation that they came with, if they did.

    Raises:
        NotFound: it no longer works, and nobody may sign up without one.
    """
    token = request.session.pop(KEPT, "")
    if not token:
        return
    try:
        with transaction.atomic():
            joined = accept_invitation(caller_of_person(person, Surface.WEB), token=token)
        request.session[JOINED] = _place(joined)
        if joined.project is not None or joined.organization is not None:
            messages.success(request, _said(joined))
    except NotFound:
        if settings.SIGN_UP != "open":
            raise


def place_to_go(request: HttpRequest) -> str:
    """Where an invitation leads whoever has just come in; empty without one."""
    joined = str(request.session.pop(JOINED, ""))
    token = kept_token(request)
    return reverse("invitation", args=[token]) if token else joined


def _answer(request: HttpRequest, token: str) -> HttpResponse:
    if person_of(request) is None:
        request.session[KEPT] = token
        wants_account = request.POST.get("to") == "sign-up"
        return redirect("account_signup" if wants_account else "account_login")
    joined = accept_invitation(caller_of(request), token=token)
    request.session.pop(KEPT, None)
    messages.success(request, _said(joined))
    return redirect(_place(joined))


def _works(token: str) -> bool:
    if not token:
        return False
    try:
        access_invitation(token)
    except NotFound:
        return False
    return True


def _described(found: Invitation) -> dict[str, object]:
    return {
        "invitation": found,
        "may_create": settings.SIGN_UP in {"open", "invited"},
        "expires_at": found.expires_at,
    }


def _said(joined: Invitation) -> str:
    if joined.project is not None:
        return _("You are in %(project)s now.") % {"project": joined.project.full_name}
    if joined.organization is not None:
        return _("You are in %(name)s now.") % {"name": joined.organization.name}
    return _("You have an account here already.")


def _place(joined: Invitation) -> str:
    if joined.project is not None:
        return reverse("project", args=joined.project.full_name.split("/", 1))
    if joined.organization is not None:
        return reverse("organization", args=[joined.organization.handle])
    return reverse("start")
