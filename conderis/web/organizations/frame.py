"""The frame of every page of an organization: the door, its side navigation, its handle."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.web.callers import caller_of, signed_in
from projects.organizations import OrganizationAccess, access_organization

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Section:
    """A page of an organization; `route` is its name in `urls`."""

    route: str
    label: Promise
    icon: str
    for_owners: bool = False


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A page of an organization as the navigation shows it."""

    label: Promise
    icon: str
    href: str
    current: bool


SECTIONS: Final = (
    Section("organization", _("Projects and members"), "people"),
    Section("organization-instructions", _("Instructions"), "instructions"),
    Section("organization-settings", _("Settings"), "settings", for_owners=True),
    Section("organization-log", _("Log"), "history", for_owners=True),
)


def organization_page(view: View) -> View:
    """The view of an organization that the person is in, called with its access.

    A page that is asked for under a former handle is redirected to the present one.
    """

    def opened(request: HttpRequest, /, *, handle: str, **more: str | int) -> HttpResponseBase:
        access = access_organization(caller_of(request), handle)
        if request.method in ("GET", "HEAD") and handle != access.organization.handle:
            return _to_present_handle(request, access, more)
        return view(request, access, **more)

    return wraps(view)(signed_in(opened))


def owners_page(view: View) -> View:
    """The same for its owners; members are told what they lack."""

    @wraps(view)
    def opened(
        request: HttpRequest, access: OrganizationAccess, **more: str | int
    ) -> HttpResponseBase:
        access.require_owner()
        return view(request, access, **more)

    return organization_page(opened)


def path(access: OrganizationAccess, route: str = "organization", **more: str | int) -> str:
    """The address of one of the organization's pages."""
    return reverse(route, kwargs={"handle": access.organization.handle, **more})


def show(
    request: HttpRequest,
    access: OrganizationAccess,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    section: str,
    status: int = 200,
) -> HttpResponse:
    """A page of the organization; `section` is the route that is the current one."""
    framed = {
        "access": access,
        "organization": access.organization,
        "sections": [
            ShownSection(each.label, each.icon, path(access, each.route), each.route == section)
            for each in SECTIONS
            if access.owns or not each.for_owners
        ],
        "place": "organizations",
    }
    return render(request, template, framed | (context or {}), status=status)


def _to_present_handle(
    request: HttpRequest, access: OrganizationAccess, more: dict[str, str | int]
) -> HttpResponse:
    match = request.resolver_match
    there = path(access, match.view_name if match is not None else "organization", **more)
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{there}?{query}" if query else there)
