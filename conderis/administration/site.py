"""The admin: one site, behind the sign-in of all pages."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _

# Pages of Django that our own settings and lists have in another way: they change passwords
# without our rules, or name rows that a list leaves out.
LEFT_OUT = ("password_change", "password_change_done", "autocomplete", "view_on_site")


class ConderisAdminSite(AdminSite):
    """Django's admin under our name. Admins write; staff see what their permissions name."""

    site_header = _("Administration")
    site_title = "Conderis"
    index_title = _("Administration")
    empty_value_display = "–"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The addresses, without those that would go around our own."""
        return [url for url in super().get_urls() if getattr(url, "name", None) not in LEFT_OUT]

    def logout(  # type: ignore[override]  # Django promises more than it uses
        self, _request: HttpRequest, _extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The site's own page for signing out: Django asks for an address of this name."""
        return redirect("account_logout")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The first page, which says so where the admin has no second factor."""
        context = {"no_second_factor": not is_mfa_enabled(request.user), **(extra_context or {})}
        return super().index(request, context)


site = ConderisAdminSite()
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]  # allauth's way
