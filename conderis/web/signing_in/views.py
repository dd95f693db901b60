"""Pages of the door that differ from allauth's own."""

import logging
from typing import Any
from urllib.parse import urlsplit

from allauth.account import views as account
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import record_authentication
from allauth.socialaccount.providers.openid_connect.views import login as openid_connect_login
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from requests import RequestException

from conderis.common.errors import Conflict, Invalid, TooLarge
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.signing_in.addresses import own_address, put_address
from conderis.web.signing_in.forms import OwnAddressForm

_log = logging.getLogger(__name__)

SECURITY = {"section": "security"}
PROFILE = {"section": "profile"}


class SignUpView(account.SignupView):  # type: ignore[misc]
    """Making an account."""

    def form_valid(self, form: Any) -> HttpResponse:
        """The next step; what the service refuses stands in the form.

        Who has just chosen a password need not show soon after that they know it.
        """
        try:
            response: HttpResponse = super().form_valid(form)
        except (Conflict, Invalid, TooLarge) as refusal:
            named = {"handle": "username", "name": "display_name"}
            field = named.get(str(refusal.details.get("field")))
            form.add_error(field, refusal.message)
            response = self.form_invalid(form)
            response.status_code = status_of(refusal)
            return response
        person = person_of(self.request)
        if person is not None:
            record_authentication(self.request, person, method="password")
        return response


class ConfirmAddressView(account.ConfirmEmailView):  # type: ignore[misc]
    """Confirming an address: opening the link changes nothing, its button does."""

    def logout_other_user(self, confirmation: Any) -> None:
        """Sign out whoever is in, if the address is another person's and they confirm it."""
        if self.request.method == "POST":
            super().logout_other_user(confirmation)


def password_reset(request: HttpRequest) -> HttpResponseBase:
    """A link by mail; where this server sends none, who can make one."""
    if settings.MAIL_URL:
        return account.password_reset(request)  # type: ignore[no-any-return]
    return render(request, "account/password_reset_by_command.html")


_change_by_mail = account.EmailView.as_view(extra_context=PROFILE)


@signed_in
def address(request: HttpRequest) -> HttpResponse:
    """The own email address. Another one counts when a mail to it is answered.

    Where this server sends no mail it counts at once.
    """
    change = _change_by_mail if settings.MAIL_URL else _change_at_once
    response: HttpResponse = change(request)
    return response


@never_cache
@reauthentication_required(app="allauth.account", allow_get=True)  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def _change_at_once(request: HttpRequest) -> HttpResponse:
    caller = caller_of(request)
    if request.method != "POST":
        form = OwnAddressForm(initial={"address": own_address(request)})
        return _address_page(request, form, status=200)
    form = OwnAddressForm(request.POST)
    if not form.is_valid():
        return _address_page(request, form, status=400)
    try:
        put_address(caller, form.cleaned_data["address"])
    except (Conflict, Invalid, TooLarge) as refusal:
        form.add_error("address", refusal.message)
        return _address_page(request, form, status=status_of(refusal))
    messages.success(request, _("Email address changed."))
    return redirect("account_email")


def _address_page(request: HttpRequest, form: OwnAddressForm, *, status: int) -> HttpResponse:
    return render(request, "account/email_at_once.html", {"form": form, **PROFILE}, status=status)


@never_cache
@require_safe
@signed_in
def sign_in_anew(request: HttpRequest) -> HttpResponse:
    """What to do for who must show that it is them, and has nothing here to show it by."""
    return render(request, "account/sign_in_anew.html")


def provider_sign_in(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """On to the other server, by a page that goes there.

    Browsers hold a form's redirects to the Content-Security-Policy, which names no other
    server; what a page itself leads to is free.
    """
    try:
        response: HttpResponseBase = openid_connect_login(request, provider_id)
    except (RequestException, KeyError) as fault:
        _log.error("The sign-in server did not say where to go: %s", type(fault).__name__)
        return render(request, "socialaccount/authentication_error.html", status=503)
    there = response.headers.get("Location", "")
    if not urlsplit(there).netloc:
        return response
    return render(request, "socialaccount/login_redirect.html", {"redirect_to": there})
