"""The profile: what others are shown, and how the owner is reached."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from conderis.accounts.profile import change_profile
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.settings.forms import EmailForm, HandleForm, ProfileForm
from conderis.web.settings.recent import recent_sign_in
from conderis.web.signing_in.addresses import put_address
from projects.renaming import change_handle


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def profile(request: HttpRequest) -> HttpResponse:
    """Display name and time zone, with the handle and the email address."""
    if request.method != "POST":
        return _page(request)
    form = ProfileForm(request.POST)
    status = 400
    if form.is_valid():
        sent = form.cleaned_data
        fields = {"displayName": sent["display_name"], "timeZone": sent["time_zone"]}
        try:
            change_profile(caller_of(request), fields=fields)
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            messages.success(request, _("Profile saved."))
            return redirect("settings")
    return _page(request, form=form, status=status)


@require_POST
@signed_in
def handle(request: HttpRequest) -> HttpResponse:
    """Take another handle; projects answer under the old and the new name."""
    form = HandleForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            change_handle(caller_of(request), handle=form.cleaned_data["handle"])
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            messages.success(request, _("Handle changed. The old one still leads here."))
            return redirect("settings")
    return _page(request, handle_form=form, status=status)


@require_POST
@signed_in
@recent_sign_in
def email_address(request: HttpRequest) -> HttpResponse:
    """Put another email address, or with `remove` none. Only where no mail is sent."""
    if settings.MAIL_URL:
        return redirect("account_email")
    if "remove" in request.POST:
        put_address(caller_of(request), "")
        messages.success(request, _("Email address removed. Sign in with your handle."))
        return redirect("settings")
    form = EmailForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            put_address(caller_of(request), form.cleaned_data["email"])
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            messages.success(request, _("Email address changed."))
            return redirect("settings")
    return _page(request, email_form=form, status=status)


def _page(
    request: HttpRequest,
    *,
    form: ProfileForm | None = None,
    email_form: EmailForm | None = None,
    handle_form: HandleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    person = person_of(request)
    if form is None and person is not None:
        initial = {"display_name": person.display_name, "time_zone": person.time_zone}
        form = ProfileForm(initial=initial)
    context = {
        "section": "profile",
        "form": form,
        "email_form": email_form or EmailForm(),
        "handle_form": handle_form or HandleForm(),
        "mail": bool(settings.MAIL_URL),
    }
    return render(request, "web/settings/profile.html", context, status=status)
