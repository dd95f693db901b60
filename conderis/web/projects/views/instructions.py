"""A project's instructions: read and change."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from conderis.common.errors import Conflict
from conderis.web.items.resending import keeps_typed
from conderis.web.projects.forms import InstructionsForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.instructions import (
    read_instructions,
    store_instructions,
)
from conderis.web.projects.instructions_forms import form_for, form_over
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from projects.capabilities import Use

SECTION = "project-instructions"
# What the write door has made of a change; proposals are its own decision.
OUTCOMES: Final[dict[str, Promise]] = {
    "published": _("Version %(version)s of the instructions is published."),
    "proposed": _("The change is proposed. It counts once an owner approves it."),
    "unchanged": _("Nothing was changed."),
}


@require_safe
@project_page()
def read(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The instructions as they stand."""
    text = read_instructions(frame.caller, frame.project_id)
    return show_settings(
        request, frame, "web/projects/instructions.html", {"text": text}, section=SECTION
    )


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page()
def edit(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """A form for the whole text; where somebody was faster, both texts."""
    caller, project_id = frame.caller, frame.project_id
    frame.access.require(Use.PROPOSE_INSTRUCTIONS)
    if request.method != "POST":
        text = read_instructions(caller, project_id)
        return _form_page(request, frame, {"form": form_for(text), "text": text})
    form = InstructionsForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            answer = store_instructions(caller, project_id, **form.cleaned_data)
        except Conflict:
            stands = read_instructions(caller, project_id)
            again = {"form": form_over(request.POST, stands), "text": stands, "conflict": True}
            return _form_page(request, frame, again, status=409)
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = OUTCOMES[answer["outcome"]] % {"version": answer.get("version")}
            messages.success(request, said)
            return redirect(frame.path(SECTION))
    text = read_instructions(caller, project_id)
    return _form_page(request, frame, {"form": form, "text": text}, status=status)


def _form_page(
    request: HttpRequest, frame: ProjectFrame, context: dict[str, object], *, status: int = 200
) -> HttpResponse:
    return show_settings(
        request,
        frame,
        "web/projects/instructions_edit.html",
        {**context, "proposes": not frame.may_publish_instructions},
        section=SECTION,
        status=status,
    )
