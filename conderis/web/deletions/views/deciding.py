"""The page of a deletion request: what it is about, revealing the content, deciding it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conderis.common.errors import Conflict, DomainError
from conderis.web.callers import caller_of, signed_in
from conderis.web.deletions.forms import RefuseForm, RevealForm
from conderis.web.deletions.listing import left_word
from conderis.web.deletions.showing import Decidable, ShownContent, decidable, shown_content
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.settings.recent import recent_sign_in
from privacy import clearing, deciding, revealing, showing

UNCHANGED = "unchanged"


@never_cache
@require_safe
@signed_in
def page(request: HttpRequest, deletion: str) -> HttpResponse:
    """Who asked, when, why, what is affected, and the decision.

    While the files are being cleared, htmx asks again: 204 until that has ended.
    """
    found = _read(request, deletion)
    if found.request.is_erasing:
        clearing.start_finishing_again()
    if request.htmx:  # type: ignore[attr-defined]
        if found.request.is_erasing:
            return HttpResponse(status=204)
        return HttpResponse(headers={"HX-Refresh": "true"})
    return _show(request, found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def reveal(request: HttpRequest, deletion: str) -> HttpResponse:
    """The same page with the content, in this answer alone; the audit log has it first."""
    if request.method != "POST":
        return redirect(_read(request, deletion).request.href)
    caller, form = caller_of(request), RevealForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else None
    try:
        revealed = revealing.reveal(caller, _ref(deletion), version=version)
    except Conflict as refusal:
        return _again(request, deletion, refusal)
    return _show(request, _read(request, deletion), content=shown_content(revealed))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def erase(request: HttpRequest, deletion: str) -> HttpResponse:
    """What goes for good, once more; then the erasing."""
    if request.method != "POST":
        found = _read(request, deletion)
        if not found.request.may_decide:
            return redirect("deletion", deletion)
        return render(request, "web/deletions/erase.html", {"found": found})
    caller = caller_of(request)
    try:
        answer = deciding.erase(caller, _ref(deletion))
    except Conflict as refusal:
        return _again(request, deletion, refusal)
    if answer["outcome"] == UNCHANGED:
        messages.success(request, _("It was erased before. Nothing was changed now."))
    else:
        said = _("Erased from every table; the files are being cleared.")
        messages.success(request, f"{said} {left_word(caller)}")
    return redirect("deletion", deletion)


@require_POST
@signed_in
def refuse(request: HttpRequest, deletion: str) -> HttpResponse:
    """Lift the lock, with a reason for whoever asked."""
    caller = caller_of(request)
    form = RefuseForm(request.POST, auto_id="%s")
    if not form.is_valid():
        return _show(request, _read(request, deletion), form=form, status=400)
    try:
        answer = deciding.refuse(caller, _ref(deletion), reason=form.cleaned_data["reason"])
    except Conflict as refusal:
        return _again(request, deletion, refusal)
    except SHOWN as refusal:
        found = _read(request, deletion)
        form.refuse(refusal)
        return _show(request, found, form=form, status=form_status(refusal))
    if answer["outcome"] == UNCHANGED:
        messages.success(request, _("It was refused before. Nothing was changed now."))
    else:
        messages.success(request, f"{_('Refused, and unlocked.')} {left_word(caller)}")
    return redirect("deletion", deletion)


@require_POST
@signed_in
def withdraw(request: HttpRequest, deletion: str) -> HttpResponse:
    """Take one's own request back, which lifts the lock."""
    try:
        answer = deciding.withdraw(caller_of(request), _ref(deletion))
    except Conflict as refusal:
        return _again(request, deletion, refusal)
    said = _("Withdrawn, and unlocked.")
    if answer["outcome"] == UNCHANGED:
        said = _("It was withdrawn before. Nothing was changed now.")
    messages.success(request, said)
    return redirect("deletion", deletion)


def _ref(deletion: str) -> str:
    return f"deletion:{deletion}"


def _read(request: HttpRequest, deletion: str) -> Decidable:
    return decidable(showing.show_request(caller_of(request), _ref(deletion)))


def _again(request: HttpRequest, deletion: str, refusal: DomainError) -> HttpResponse:
    """The page as things now stand, with why nothing was done."""
    return _show(request, _read(request, deletion), refusal=refusal, status=409)


def _show(
    request: HttpRequest,
    found: Decidable,
    *,
    content: ShownContent | None = None,
    form: RefuseForm | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "found": found,
        "content": content,
        "form": form or RefuseForm(auto_id="%s"),
        "refusal": refusal,
    }
    return render(request, "web/deletions/request.html", context, status=status)
