"""Signing in by a link that works once."""

from allauth.account.internal.flows.login import record_authentication
from allauth.usersessions.models import UserSession
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from conderis.accounts.sign_in import access_sign_in_link, use_sign_in_link
from conderis.common.errors import NotFound
from conderis.web.signing_in.invitations import place_to_go

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """A page with one button that signs in; the link is used up by the button alone.

    Programs that look at links (previews in chats, scanners of mail) open them, but
    send no forms. Used, expired and unknown links get the same page, as a 404. The
    usual `Referrer-Policy: same-origin` keeps the address to ourselves; a stricter
    `no-referrer` would make browsers send `Origin: null`, which the CSRF check refuses.
    """
    try:
        if request.method != "POST":
            link = access_sign_in_link(token)
            return render(request, "account/sign_in_link.html", {"whose": link.person})
        person = use_sign_in_link(token)
    except NotFound:
        return render(request, "account/sign_in_link_gone.html", status=404)
    login(request, person, backend=MODEL_BACKEND)
    record_authentication(request, person, method="link")
    UserSession.objects.create_from_request(request)
    return redirect(place_to_go(request) or "start")
