"""A person's data and account: taking the one along, ending the other."""

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.settings.download import Download
from conderis.web.settings.forms import LeavingForm
from conderis.web.settings.recent import recent_sign_in
from privacy.exporting import export_account
from privacy.leaving import NameChoice, delete_account, leaving_report

JUST_DELETED = "account_deleted"


@require_safe
@signed_in
def account(request: HttpRequest) -> HttpResponse:
    """What the two pages do, and the ways to them."""
    return render(request, "web/settings/account.html", {"section": "account"})


@require_POST
@signed_in
def export(request: HttpRequest) -> HttpResponseBase:
    """The person's own data as a file."""
    person = person_of(request)
    handle = person.handle if person is not None else ""
    return Download(
        export_account(caller_of(request)),
        name=f"conderis-{handle}.json",
        kind="application/json",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def delete(request: HttpRequest) -> HttpResponse:
    """What stands in the way, what goes, what stays; then the end of the account."""
    caller = caller_of(request)
    if request.method != "POST":
        return _page(request, LeavingForm())
    form = LeavingForm(request.POST)
    status = 400
    if form.is_valid():
        sent = form.cleaned_data
        try:
            delete_account(
                caller, keep_name=NameChoice(sent["name"]), typed_handle=sent["typed_handle"]
            )
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            logout(request)
            request.session[JUST_DELETED] = True
            return redirect("settings-deleted")
    return _page(request, form, status=status)


@never_cache
@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """That it is done, once; to everybody else the start page."""
    if request.session.pop(JUST_DELETED, None) is None:
        return redirect("start")
    return render(request, "web/settings/deleted.html")


def _page(request: HttpRequest, form: LeavingForm, *, status: int = 200) -> HttpResponse:
    context = {
        "section": "account",
        "form": form,
        "report": leaving_report(caller_of(request)),
    }
    return render(request, "web/settings/delete.html", context, status=status)
