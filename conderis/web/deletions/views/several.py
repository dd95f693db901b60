"""Deciding several deletion requests at once."""

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from conderis.web.callers import caller_of, signed_in
from conderis.web.deletions.forms import SeveralForm
from conderis.web.deletions.listing import (
    Result,
    chosen_ids,
    decide_selected,
    done_word,
    left_word,
    waiting_among,
)
from conderis.web.deletions.places import FAILED, Place, place_of, show_list
from conderis.web.deletions.rows import ShownRequest
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.reaching import is_own
from conderis.web.settings.recent import recent_sign_in
from privacy.deciding import Decision

ERASE, REFUSE = "erase", "refuse"  # what the buttons send


@require_POST
@signed_in
def decide(request: HttpRequest) -> HttpResponse:
    """Refuse the selected ones, or ask once more before they are erased."""
    return _decide(place_of(request))


@require_POST
@project_page()
def decide_in_project(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The same from the list of a project."""
    return _decide(place_of(request, frame))


@require_POST
@signed_in
@recent_sign_in
def erase(request: HttpRequest) -> HttpResponse:
    """Erase the selected ones for good, as the page before has said."""
    caller = caller_of(request)
    result = decide_selected(caller, request.POST.getlist("request"), decision=Decision.ERASE)
    _say(request, Decision.ERASE, result, left_word(caller))
    back = request.POST.get("back", "")
    return redirect(back if is_own(back, request) else reverse("deletions"))


def _decide(place: Place) -> HttpResponse:
    request = place.request
    sent = dict.fromkeys(request.POST.getlist("request"))
    selected = chosen_ids(list(sent))
    rows: list[ShownRequest] = []
    form = SeveralForm(request.POST, auto_id="%s")
    action = request.POST.get("do")
    valid = form.is_valid()
    if not selected:
        form.said(_("Select at least one request."))
    elif action not in (ERASE, REFUSE):
        form.said(_("Press a button: erase what the selected requests are about, or refuse them."))
    elif valid and action == REFUSE and not form.cleaned_data["reason"]:
        form.said(_("Refusing needs a reason: whoever asked reads it."), field="reason")
    elif valid and action == ERASE:
        rows = waiting_among(place.caller, selected)
        if not rows:
            form.said(_("None of the selected requests waits for your decision."))
    if form.errors:
        return show_list(place, form=form, selected=selected, status=400)
    if action == ERASE:
        return place.render("erase_several", {"rows": rows, "left_out": len(sent) - len(rows)})
    reason = form.cleaned_data["reason"]
    result = decide_selected(place.caller, selected, decision=Decision.REFUSE, reason=reason)
    access = place.frame.access if place.frame is not None else None
    _say(request, Decision.REFUSE, result, left_word(place.caller, access))
    return redirect(place.path)


def _say(request: HttpRequest, decision: Decision, result: Result, left: str) -> None:
    """Say what was done now, and have the next page list what was refused."""
    messages.success(request, f"{done_word(decision, result.done)} {left}")
    request.session[FAILED] = [asdict(each) for each in result.failed]
