"""What one agent did in a span of time, and undoing all of it: for moderators."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from conderis.common.errors import DomainError
from conderis.web.items.resending import keeps_typed
from conderis.web.moderation.forms import RunForm, UndoForm
from conderis.web.moderation.runs import agents_here, shown_run
from conderis.web.moderation.subviews import show_moderation
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from projects.capabilities import Use
from proposals.undoing import agent_run, undo_run


@require_safe
@project_page(use=Use.PUBLISH)
def runs(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """A form for agent and time; with them, what that agent did and what undoing does."""
    agents = agents_here(frame)
    if "since" not in request.GET:
        initial = {"agent": request.GET.get("agent", "")}
        form = RunForm(initial=initial, agents=agents, auto_id="%s")
        return _show(request, frame, {"form": form, "agents": agents})
    form = RunForm(request.GET, agents=agents, auto_id="%s")
    context: dict[str, Any] = {"form": form, "agents": agents}
    if not form.is_valid():
        return _show(request, frame, context, status=400)
    asked = form.cleaned_data
    try:
        run = agent_run(
            frame.caller,
            frame.project_id,
            agent_ref=asked["agent"],
            since=asked["since"],
            until=asked["until"] or timezone.now(),
        )
    except SHOWN as refusal:
        form.refuse(refusal)
        return _show(request, frame, context, status=form_status(refusal))
    seen = {
        "agent": run.agent["ref"],
        "since": run.since.isoformat(),
        "until": run.until.isoformat(),
        "seen": run.digest,
    }
    undo = UndoForm(initial=seen, auto_id="undo_%s")
    return _show(request, frame, context | shown_run(frame, run) | {"undo": undo})


@require_POST
@keeps_typed
@project_page(use=Use.PUBLISH)
def undo(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Undo all that was listed, if the list still is what was seen; else it is shown anew."""
    form = UndoForm(request.POST, auto_id="undo_%s")
    agents = agents_here(frame)
    if not form.is_valid():
        again = RunForm(
            initial={"agent": request.POST.get("agent", "")}, agents=agents, auto_id="%s"
        )
        return _show(request, frame, {"form": again, "agents": agents, "undo": form}, status=400)
    asked = form.cleaned_data
    try:
        answer = undo_run(
            frame.caller,
            frame.project_id,
            agent_ref=asked["agent"],
            since=asked["since"],
            until=asked["until"],
            seen=asked["seen"],
            reason=asked["reason"] or None,
        )
    except SHOWN as refusal:
        return _again(request, frame, form, agents, refusal)
    messages.success(request, _said(answer))
    query = {
        "agent": asked["agent"],
        "since": _local(asked["since"]),
        "until": _local(asked["until"]),
    }
    return redirect(f"{frame.path('moderation-runs')}?{urlencode(query)}")


def _again(
    request: HttpRequest,
    frame: ProjectFrame,
    form: UndoForm,
    agents: list[tuple[str, str]],
    refusal: DomainError,
) -> HttpResponse:
    """The list as it now is, with what was typed, and why it is asked again."""
    asked = form.cleaned_data
    run = agent_run(
        frame.caller,
        frame.project_id,
        agent_ref=asked["agent"],
        since=asked["since"],
        until=asked["until"],
    )
    initial = {
        "agent": asked["agent"],
        "since": asked["since"].isoformat(),
        "until": asked["until"].isoformat(),
        "seen": run.digest,
        "reason": asked["reason"],
    }
    shown = RunForm(
        initial={"agent": asked["agent"], "since": asked["since"], "until": asked["until"]},
        agents=agents,
        auto_id="%s",
    )
    context = {"form": shown, "agents": agents, "refusal": refusal}
    context |= shown_run(frame, run) | {"undo": UndoForm(initial=initial, auto_id="undo_%s")}
    return _show(request, frame, context, status=form_status(refusal))


def _said(answer: Any) -> str:
    if answer["outcome"] == "unchanged":
        return _("Nothing was changed.")
    count, left = len(answer["undone"]), len(answer["left"])
    said = ngettext("Undone: %(count)d item.", "Undone: %(count)d items.", count)
    words = [said % {"count": count}]
    if taken := len(answer["proposals"]):
        said = ngettext("%(count)d proposal taken back.", "%(count)d proposals taken back.", taken)
        words.append(said % {"count": taken})
    if left:
        said = ngettext("%(count)d stays as it is.", "%(count)d stay as they are.", left)
        words.append(said % {"count": left})
    return " ".join(words)


def _local(moment: Any) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M:%S")


def _show(
    request: HttpRequest, frame: ProjectFrame, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    template = "web/moderation/runs.html"
    return show_moderation(request, frame, template, context, view="moderation-runs", status=status)
