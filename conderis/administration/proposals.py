"""Proposals: who proposed what kind of change when, and how far it has come."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.administration.items import is_shared, items_named
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from items.models import Item
from projects.models import Project
from proposals.models import Proposal


@admin.register(Proposal, site=site)
class ProposalAdmin(ReadOnlyAdmin):
    """Proposals without what they propose, their titles and their reasons."""

    list_display = fields = (
        "public_id", "project_path", "item_name", "kind", "action", "state", "proposer",
        "proposer_agent", "created", "decided_by", "decided_at", "erased_at",
    )  # fmt: skip
    list_filter = ("state", "action", "created")
    search_fields = ("public_id",)
    search_help_text = gettext_lazy(
        "owner/name#12, owner/name, a proposal's id, or a handle from its beginning."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without what they propose."""
        rows = super().get_queryset(request).filter(Q(item__isnull=True) | is_shared("item__"))
        related = ("project", "item", "proposer", "proposer_agent", "decided_by")
        return rows.select_related(*related).only(
            "public_id", "kind", "action", "state", "created", "decided_at", "erased_at",
            "project__path", "item__kind", "item__number", "item__public_id",
            "proposer__display_name", "proposer_agent__name", "decided_by__display_name",
        )  # fmt: skip

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By item, project, id or proposer."""
        if "#" in term:
            return rows.filter(item__in=Item.objects.filter(items_named(term)).values("pk"))
        projects = Project.objects.filter(path=term.lower()).values("pk")
        people = people_named(term)
        return rows.filter(Q(public_id=term) | Q(project__in=projects) | Q(proposer__in=people))

    @admin.display(description=gettext_lazy("project"))
    def project_path(self, row: Proposal) -> str:
        """The project's `owner/name`."""
        return row.project.path

    @admin.display(description=gettext_lazy("item"))
    def item_name(self, row: Proposal) -> str:
        """The item's number, or kind and id; empty for what is to be made."""
        return str(row.item) if row.item is not None else ""
