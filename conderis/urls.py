"""Web addresses. A handle can be none of their first words (see `handle_rules`)."""

from django.urls import include, path

from conderis.administration.site import site
from conderis.web import converters, health, pages, robots

converters.register()

handler400 = "django.views.defaults.bad_request"
handler403 = "django.views.defaults.permission_denied"
handler404 = "conderis.web.faults.not_found"
handler500 = "conderis.web.faults.server_fault"

urlpatterns = [
    path("", pages.start, name="start"),
    path("healthz", health.health, name="health"),
    path("readyz", health.ready, name="ready"),
    path("robots.txt", robots.robots, name="robots"),
    path("theme", pages.theme, name="theme"),
    path("shortcuts/", pages.shortcuts, name="shortcuts"),
    path("", include("conderis.web.signing_in.urls")),
    path("settings/", include("conderis.web.settings.urls")),
    path("organizations/", include("conderis.web.organizations.urls")),
    path("deletions/", include("conderis.web.deletions.urls")),
    path("connect/", include("conderis.web.connecting.urls")),
    path("search/", include("conderis.web.searching.urls")),
    path("memories/", include("conderis.web.personal.urls")),
    path("", include("conderis.web.guide.urls")),
    path("", include("conderis.web.published.urls")),
    path("admin/", site.urls),
    path("api/", include("conderis.api.urls")),
    path("", include("conderis.web.moderation.urls")),
    path("", include("conderis.web.items.urls")),
    path("", include("conderis.web.picture.urls")),
    path("", include("conderis.web.exchange.urls")),
    # Last, since it takes any two words.
    path("", include("conderis.web.projects.urls")),
]
