"""The queue of proposals, and deciding several of them at once."""

from dataclasses import asdict
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from conderis.web.callers import signed_in
from conderis.web.items.resending import keeps_typed
from conderis.web.moderation.deciding import (
    APPROVE,
    REJECT,
    decide_several,
    done_word,
    left_word,
)
from conderis.web.moderation.forms import SeveralForm
from conderis.web.moderation.queue import authors_of, kinds_here, read_queue
from conderis.web.moderation.subviews import show_moderation
from conderis.web.moderation.wanting import Wanted, kept_by, wanted_by
from conderis.web.moderation.words import STATE_ICONS, STATES
from conderis.web.projects.frame import ProjectFrame, project_page
from projects.capabilities import Use

FAILED: Final = "moderation_failed"  # in the session, until it is shown


@require_safe
@signed_in
@project_page()
def queue(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The proposals that the caller may see: of moderators all, of others their own."""
    return _show(request, frame, wanted_by(request, frame), cursor=request.GET.get("cursor"))


@require_POST
@keeps_typed
@project_page()
def decide(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Approve or reject the selected ones; those that are refused are listed by name."""
    wanted = kept_by(request, frame)
    selected = request.POST.getlist("proposal")
    form = SeveralForm(request.POST, auto_id="%s")
    action = request.POST.get("do")
    valid = form.is_valid()
    if not selected:
        form.said(_("Select at least one proposal."))
    elif action not in (APPROVE, REJECT):
        form.said(_("Press a button: approve or reject the selected proposals."))
    elif valid and action == REJECT and not form.cleaned_data["reason"]:
        form.said(_("Rejecting needs a reason: the proposer reads it."), field="reason")
    if form.errors:
        # htmx shows no answer that is an error.
        status = 200 if request.htmx else 400  # type: ignore[attr-defined]
        return _show(request, frame, wanted, form=form, selected=selected, status=status)
    action = APPROVE if action == APPROVE else REJECT
    result = decide_several(frame, action, selected, reason=form.cleaned_data["reason"])
    messages.success(request, f"{done_word(action, result.done)} {left_word(frame)}")
    request.session[FAILED] = [asdict(each) for each in result.failed]
    if request.htmx:  # type: ignore[attr-defined]
        return _show(request, frame, wanted, decided=True)
    return redirect(frame.path("moderation"))


def _show(
    request: HttpRequest,
    frame: ProjectFrame,
    wanted: Wanted,
    *,
    cursor: str | None = None,
    form: SeveralForm | None = None,
    selected: list[str] | None = None,
    decided: bool = False,
    status: int = 200,
) -> HttpResponse:
    found = read_queue(frame, wanted, cursor or None)
    before = _count(request.GET.get("from")) if cursor else 0
    context: dict[str, Any] = {
        "queue": found,
        "wanted": wanted,
        "states": [
            {
                "name": state,
                "word": word,
                "icon": STATE_ICONS[state],
                "query": wanted.with_state(state).query,
            }
            for state, word in STATES.items()
        ],
        "kinds": kinds_here(),
        "authors": authors_of(frame),
        "form": form or SeveralForm(auto_id="%s"),
        "selected": selected or [],
        "failed": request.session.pop(FAILED, None) if FAILED in request.session else None,
        "first": before + 1,
        "last": before + len(found.rows),
        "paged": bool(cursor),
        "moderates": frame.access.may(Use.REVIEW),
        "publishes": frame.access.may(Use.PUBLISH),
        "proposes": frame.access.may(Use.PROPOSE),
        "decided": decided,
    }
    template = "web/moderation/queue.html"
    return show_moderation(request, frame, template, context, view="moderation", status=status)


def _count(word: str | None) -> int:
    return int(word) if word and word.isascii() and word.isdigit() and len(word) < 9 else 0
