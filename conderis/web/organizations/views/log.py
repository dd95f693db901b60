"""What has changed the rights in an organization and its projects."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.organizations.frame import owners_page, show
from conderis.web.projects.events import before_asked, shown_events
from projects.events import organization_events
from projects.organizations import OrganizationAccess


@require_safe
@owners_page
def log(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """The audit log of the organization, newest first."""
    handle = access.organization.handle
    found = organization_events(access.caller, handle, before=before_asked(request))
    context = {"events": shown_events(found), "before": found.before}
    return show(request, access, "web/organizations/log.html", context, section="organization-log")
