"""Asking for an erasure in the browser."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.callers import caller_of, signed_in
from conderis.web.deletions.forms import AskForm
from conderis.web.projects.refusing import SHOWN, form_status
from items.requests import DeletionCall
from privacy.requesting import request_deletion, request_organization_deletion


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """A form for what, which version and why; what is named is locked at once."""
    if request.method != "POST":
        named = {name: request.GET.get(name, "") for name in ("what", "version")}
        return _page(request, AskForm(initial=named))
    form = AskForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    try:
        answer = _ask(caller_of(request), form)
    except SHOWN as refusal:
        form.refuse(refusal)
        return _page(request, form, status=form_status(refusal))
    for warning in answer.get("warnings", []):
        messages.warning(request, warning)
    if answer["outcome"] == "unchanged":
        messages.success(request, _("It is locked already. A person decides that request."))
        return redirect("deletions")
    messages.success(request, _("Locked. Nobody reads it until a person has decided."))
    return redirect("deletion", str(answer["request"]).partition(":")[2])


def _ask(caller: Caller, form: AskForm) -> JsonObject:
    target = form.target()
    version, reason = form.cleaned_data["version"], form.cleaned_data["reason"]
    if target.organization:
        return request_organization_deletion(
            caller, target.organization, version=version, reason=reason
        )
    return request_deletion(caller, DeletionCall(target.address, version, reason))


def _page(request: HttpRequest, form: AskForm, *, status: int = 200) -> HttpResponse:
    return render(request, "web/deletions/new.html", {"form": form}, status=status)
