"""Imports: who imported what sort of file when, and which shared items came of some source."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.administration.items import OfItems
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from exchange.models import Import, ImportFile, Origin
from projects.models import Project


@admin.register(Import, site=site)
class ImportAdmin(ReadOnlyAdmin):
    """Imports without their files, names and reports, and without how much they held."""

    list_display = fields = (
        "public_id", "place", "importer", "state", "person", "agent", "created", "ended",
    )  # fmt: skip
    list_filter = ("state", "created")
    search_help_text = gettext_lazy("owner/name, an import's id, or a handle from its beginning.")
    search_fields = ("public_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without what was imported."""
        rows = super().get_queryset(request).select_related("project", "person", "agent")
        return rows.only(
            "public_id", "importer", "state", "created", "ended", "project__path",
            "person__display_name", "agent__name",
        )  # fmt: skip

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By project, id or person."""
        projects = Project.objects.filter(path=term.lower()).values("pk")
        named = Q(project__in=projects) | Q(public_id=term) | Q(person__in=people_named(term))
        return rows.filter(named)

    @admin.display(description=gettext_lazy("project"))
    def place(self, row: Import) -> str:
        """The project's `owner/name`."""
        return row.project.path


@admin.register(ImportFile, site=site)
class ImportFileAdmin(ReadOnlyAdmin):
    """Of which imports a file is kept: those that have not ended."""

    list_display = fields = ("of",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without the files."""
        return super().get_queryset(request).select_related("of").only("of__public_id")


@admin.register(Origin, site=site)
class OriginAdmin(OfItems):
    """Which shared items an importer brought."""

    list_display = fields = ("id", "item_name", "place", "importer")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of shared items."""
        rows = super().get_queryset(request).select_related("item__project")
        return rows.only(
            "importer", "item__kind", "item__number", "item__public_id", "item__project__path"
        )

    @admin.display(description=gettext_lazy("item"))
    def item_name(self, row: Origin) -> str:
        """The item's number, or kind and id."""
        return str(row.item)
