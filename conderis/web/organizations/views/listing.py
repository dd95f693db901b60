"""The organizations that a person is in, and a new one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.organizations.forms import NewOrganizationForm
from conderis.web.projects.refusing import SHOWN, form_status
from projects.organizations import create_organization, list_organizations


@require_safe
@signed_in
def organizations(request: HttpRequest) -> HttpResponse:
    """The organizations, each with the person's role."""
    found = list_organizations(caller_of(request))
    context = {"organizations": found, "place": "organizations"}
    return render(request, "web/organizations/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """A form for a new organization, whose first owner is the person."""
    form = NewOrganizationForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        person = person_of(request)
        if form.is_valid() and person is not None:
            try:
                made = create_organization(
                    caller_of(request), owner=person.handle, **form.cleaned_data
                )
            except SHOWN as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                messages.success(request, _("Organization %(name)s created.") % {"name": made.name})
                return redirect("organization", made.handle)
    context = {"form": form, "place": "organizations"}
    return render(request, "web/organizations/new.html", context, status=status)
