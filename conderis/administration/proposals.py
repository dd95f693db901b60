"""Proposals: who proposed what kind of change when, and how far it has come."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.administration.items import is_shared, items_named
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from items.kinds.registry import all_kinds
from items.models import Item
from projects.models import Project
from proposals.models import BatchResult, Proposal, ProposedItem


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


@admin.register(ProposedItem, site=site)
class ProposedItemAdmin(ReadOnlyAdmin):
    """The items of proposed batches, without what they would hold."""

    list_display = fields = ("proposal_name", "position", "item_name", "left_out", "erased_at")
    list_filter = ("left_out",)
    search_help_text = gettext_lazy("A proposal's id.")
    search_fields = ("proposal__public_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without what is proposed."""
        rows = super().get_queryset(request).select_related("proposal", "item")
        return rows.only(
            "position", "left_out", "erased_at", "proposal__public_id", "item__kind",
            "item__number", "item__public_id",
        )  # fmt: skip

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By the proposal's id."""
        return rows.filter(proposal__in=Proposal.objects.filter(public_id=term).values("pk"))

    @admin.display(description=gettext_lazy("proposal"))
    def proposal_name(self, row: ProposedItem) -> str:
        """The proposal's reference."""
        return row.proposal.ref

    @admin.display(description=gettext_lazy("item"))
    def item_name(self, row: ProposedItem) -> str:
        """The number of what came of it; empty for what has not come to be."""
        return str(row.item) if row.item is not None else ""


@admin.register(BatchResult, site=site)
class BatchResultAdmin(ReadOnlyAdmin):
    """What is kept of batches under their keys; of kinds with private items, proposals alone."""

    list_display = fields = ("created", "place", "kind", "person", "agent", "proposal")
    list_filter = ("created",)
    search_help_text = gettext_lazy("owner/name, or a handle from its beginning.")
    search_fields = ("project__path",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows that tell of nothing private."""
        shared = [kind.name for kind in all_kinds() if "visibility" not in kind.by_name]
        rows = (
            super()
            .get_queryset(request)
            .filter(Q(kind__in=shared) | Q(proposal__isnull=False), project__isnull=False)
        )
        related = ("project", "person", "agent", "proposal")
        return rows.select_related(*related).only(
            "created", "kind", "project__path", "person__display_name", "agent__name",
            "proposal__public_id",
        )  # fmt: skip

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By project or person."""
        projects = Project.objects.filter(path=term.lower()).values("pk")
        return rows.filter(Q(project__in=projects) | Q(person__in=people_named(term)))

    @admin.display(description=gettext_lazy("project"))
    def place(self, row: BatchResult) -> str:
        """The project's `owner/name`."""
        return row.project.path if row.project is not None else ""
