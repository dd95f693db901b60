"""An organization's instructions: read, change, history, versions."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from conderis.common.errors import Conflict
from conderis.web.items.linking import linker_of
from conderis.web.items.resending import keeps_typed
from conderis.web.organizations.frame import organization_page, owners_page, path, show
from conderis.web.projects.forms import InstructionsForm
from conderis.web.projects.instructions import Text, history_of, rows_of, text_of
from conderis.web.projects.instructions_forms import form_for, form_over, version_asked
from conderis.web.projects.refusing import SHOWN, form_status
from projects.organizations import OrganizationAccess
from proposals.organization_instructions import (
    organization_instructions_history,
    read_organization_instructions,
    store_organization_instructions,
)

SECTION = "organization-instructions"


@require_safe
@organization_page
def read(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """The instructions as they stand."""
    context = {"text": _text(access)}
    return show(request, access, "web/organizations/instructions.html", context, section=SECTION)


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@owners_page
def edit(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """A form for the whole text; where somebody was faster, both texts."""
    if request.method != "POST":
        text = _text(access)
        return _form_page(
            request, access, {"form": form_for(text, with_reason=False), "text": text}
        )
    form = InstructionsForm(request.POST, with_reason=False)
    status = 400
    if form.is_valid():
        try:
            answer = store_organization_instructions(
                access.caller, handle=access.organization.handle, **form.cleaned_data
            )
        except Conflict:
            stands = _text(access)
            form = form_over(request.POST, stands, with_reason=False)
            again = {"form": form, "text": stands, "conflict": True}
            return _form_page(request, access, again, status=409)
        except SHOWN as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            said = (
                _("Version %(version)s of the instructions is published.") % answer
                if answer["outcome"] == "published"
                else _("Nothing was changed.")
            )
            messages.success(request, said)
            return redirect(path(access, SECTION))
    return _form_page(request, access, {"form": form, "text": _text(access)}, status=status)


@require_safe
@organization_page
def history(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """The events, newest first."""
    found = history_of(
        organization_instructions_history(
            access.caller, handle=access.organization.handle, version=version_asked(request)
        )
    )
    before = found.before
    context = {
        "rows": rows_of(found, lambda version: path(access, f"{SECTION}-version", version=version)),
        "before_url": before and f"{path(access, f'{SECTION}-history')}?version={before}",
    }
    return show(
        request, access, "web/organizations/instructions_history.html", context, section=SECTION
    )


@require_safe
@organization_page
def at_version(request: HttpRequest, access: OrganizationAccess, version: int) -> HttpResponse:
    """The instructions as they were at a version."""
    context = {"text": _text(access, version)}
    return show(request, access, "web/organizations/instructions.html", context, section=SECTION)


def _text(access: OrganizationAccess, version: int | None = None) -> Text:
    caller, handle = access.caller, access.organization.handle
    answer = read_organization_instructions(caller, handle=handle, version=version)
    return text_of(answer, linker_of(caller))


def _form_page(
    request: HttpRequest,
    access: OrganizationAccess,
    context: dict[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    return show(
        request,
        access,
        "web/organizations/instructions_edit.html",
        context,
        section=SECTION,
        status=status,
    )
