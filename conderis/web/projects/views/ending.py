"""Giving a project to another owner, and deleting it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from conderis.web.projects.forms import TransferForm, TypedNameForm
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.leaving import show_ending, transfer_form
from conderis.web.projects.refusing import SHOWN, form_status
from projects.capabilities import Use
from projects.ending import delete_project
from projects.transfer import transfer_project


@require_safe
@project_page(use=Use.MANAGE)
def ending(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Both forms, each saying what it does."""
    return show_ending(request, frame)


@require_POST
@project_page(use=Use.MANAGE)
def transfer(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Give the project to another owner."""
    form: TransferForm = transfer_form(frame, request.POST)
    status = 400
    if form.is_valid():
        try:
            moved = transfer_project(
                frame.caller, frame.project_id, owner=form.cleaned_data["owner"]
            )
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = _("%(old)s is now %(new)s.")
            messages.success(request, said % {"old": frame.full_name, "new": moved.full_name})
            # Who gave it away may not be able to read it any more.
            return redirect("projects")
    return show_ending(request, frame, transfer=form, status=status)


@require_POST
@project_page(use=Use.MANAGE)
def delete(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """End the project for everybody; the list of projects then says how to bring it back."""
    form = TypedNameForm(request.POST, full_name=frame.full_name, prefix="delete")
    status = 400
    if form.is_valid():
        try:
            gone = delete_project(
                frame.caller, frame.project_id, typed_name=form.cleaned_data["typed_name"]
            )
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = _("%(project)s is deleted. You can bring it back until %(day)s.")
            day = gone.until.date().isoformat()
            messages.success(request, said % {"project": gone.name, "day": day})
            return redirect("projects")
    return show_ending(request, frame, delete=form, status=status)
