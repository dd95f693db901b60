"""The page of a proposal, and deciding it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from conderis.common.errors import Conflict, DomainError
from conderis.web.comparing.choosing import view_chosen
from conderis.web.items.resending import keeps_typed
from conderis.web.moderation.deciding import (
    APPROVE,
    REJECT,
    WITHDRAW,
    StaleError,
    decide_one,
    left_word,
)
from conderis.web.moderation.forms import DecisionForm
from conderis.web.moderation.queue import next_to_decide, proposal_here
from conderis.web.moderation.reviewing import look_at, record_word, what_changed
from conderis.web.moderation.wanting import kept_by
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show
from projects.capabilities import Use


@require_safe
@project_page()
def proposal(request: HttpRequest, frame: ProjectFrame, proposal: str) -> HttpResponse:
    """The proposal beside what stands, with everything that deciding it takes."""
    return _show(request, frame, proposal)


@require_POST
@keeps_typed
@project_page()
def approve(request: HttpRequest, frame: ProjectFrame, proposal: str) -> HttpResponse:
    """Approve it over the version that was shown; over another one it is shown anew."""
    return _decide(request, frame, proposal, APPROVE)


@require_POST
@keeps_typed
@project_page()
def reject(request: HttpRequest, frame: ProjectFrame, proposal: str) -> HttpResponse:
    """Turn it down, with a reason."""
    return _decide(request, frame, proposal, REJECT)


@require_POST
@project_page()
def withdraw(request: HttpRequest, frame: ProjectFrame, proposal: str) -> HttpResponse:
    """Take one's own back."""
    return _decide(request, frame, proposal, WITHDRAW)


def _decide(request: HttpRequest, frame: ProjectFrame, proposal: str, action: str) -> HttpResponse:
    row = proposal_here(frame, proposal)
    after = next_to_decide(frame, kept_by(request, frame), row)
    form = DecisionForm(request.POST, auto_id="%s")
    if not form.is_valid() or _lacks_reason(form, action):
        return _show(request, frame, proposal, form=form, status=400)
    said, version = form.cleaned_data["reason"], form.cleaned_data["version"]
    try:
        done = decide_one(
            frame, proposal, action, version=version, reason=said, leave_out=_left_out(request)
        )
    except StaleError:
        return _show(request, frame, proposal, typed=said, stale=True, status=409)
    except Conflict as refusal:
        return _show(request, frame, proposal, typed=said, refusal=refusal, status=409)
    except SHOWN as refusal:
        form.refuse(refusal)
        return _show(request, frame, proposal, form=form, status=form_status(refusal))
    messages.success(request, done if action == WITHDRAW else f"{done} {left_word(frame)}")
    if action != WITHDRAW and form.cleaned_data["next"] and after:
        return redirect(frame.path("moderation-proposal", proposal=after))
    return redirect(frame.path("moderation"))


def _lacks_reason(form: DecisionForm, action: str) -> bool:
    """Whether a reason is needed and was not given; the form says so then."""
    if action != REJECT or form.cleaned_data["reason"]:
        return False
    form.said(_("Rejecting needs a reason: the proposer reads it."), field="reason")
    return True


def _left_out(request: HttpRequest) -> list[int]:
    """The items of a batch that are ticked to be left out."""
    sent = request.POST.getlist("leave")
    return [int(each) for each in sent if each.isascii() and each.isdigit() and len(each) < 4]


def _show(
    request: HttpRequest,
    frame: ProjectFrame,
    proposal: str,
    *,
    form: DecisionForm | None = None,
    typed: str = "",
    refusal: DomainError | None = None,
    stale: bool = False,
    status: int = 200,
) -> HttpResponse:
    view = view_chosen(request)
    left_out = _left_out(request)
    review = look_at(frame, proposal, kept_by(request, frame), view, left_out=left_out)
    initial = {"version": review.preview.current_version, "reason": typed}
    # What was typed stays; the version is always that of what is shown now.
    names = ("reason", "next")
    data = {name: form.data.get(name, "") for name in names} if form is not None else {}
    shown = DecisionForm(initial=initial | data, auto_id="%s")
    preview = review.preview
    context: dict[str, Any] = {
        "review": review,
        "preview": preview,
        "author": preview.proposal["author"],
        "record": record_word(preview.of_person),
        "agent_record": record_word(preview.of_agent) if preview.of_agent is not None else "",
        "form": shown,
        "errors": form.errors if form is not None else {},
        "refusal": refusal,
        "changes": what_changed(refusal) if isinstance(refusal, Conflict) else [],
        "stale": stale,
        "view": view,
        "reviews": frame.access.may(Use.REVIEW),
        "publishes": frame.access.may(Use.PUBLISH),
    }
    template = "web/moderation/review.html"
    return show(request, frame, template, context, tab="moderation", status=status)
