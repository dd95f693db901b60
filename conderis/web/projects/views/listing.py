"""The list of projects, a new one, and bringing one back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.projects.forms import NewProjectForm
from conderis.web.projects.refusing import SHOWN, form_status
from projects.ending import deleted_projects, restore_project
from projects.organizations import list_organizations
from projects.selectors import list_projects
from projects.services import create_project


@require_safe
@signed_in
def projects(request: HttpRequest) -> HttpResponse:
    """The projects that the person may read, searched and page by page, and the deleted ones."""
    caller = caller_of(request)
    query, cursor = request.GET.get("q", "").strip(), request.GET.get("cursor")
    found = list_projects(caller, query=query or None, cursor=cursor or None)
    deleted = deleted_projects(caller) if not (query or cursor) else []
    context = {"found": found, "q": query, "deleted": deleted, "paged": bool(cursor)}
    return render(request, "web/projects/list.html", context | {"place": "projects"})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """A form for a new project of the person or of an organization that they own."""
    caller = caller_of(request)
    own = person_of(request)
    owners = [(own.handle, f"{own.display_name} ({own.handle})")] if own is not None else []
    owners += [
        (each.organization.handle, f"{each.organization.name} ({each.organization.handle})")
        for each in list_organizations(caller)
        if each.owns
    ]
    initial = {"owner": request.GET.get("owner", "")}
    form = NewProjectForm(request.POST or None, owners=owners, initial=initial)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = create_project(caller, fields=form.cleaned_data)
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                said = _("Project %(project)s created. It is private.") % {
                    "project": made.full_name
                }
                messages.success(request, said)
                return redirect("project", made.owner_handle, made.name)
    context = {"form": form, "place": "projects"}
    return render(request, "web/projects/new.html", context, status=status)


@require_POST
@signed_in
def restore(request: HttpRequest) -> HttpResponse:
    """Bring a deleted project back."""
    back = restore_project(caller_of(request), project_id=request.POST.get("project", ""))
    messages.success(request, _("%(project)s is back as it was.") % {"project": back.full_name})
    return redirect("project", back.owner_handle, back.name)
