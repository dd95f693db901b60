"""The first page of an organization."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conderis.web.organizations.frame import organization_page
from conderis.web.organizations.membership import show_organization
from projects.organizations import OrganizationAccess


@require_safe
@organization_page
def overview(request: HttpRequest, access: OrganizationAccess) -> HttpResponse:
    """The projects that the person may read, and the members."""
    return show_organization(request, access)
