"""Deletion requests and erasures: who asked when, how far it has come. Decided elsewhere."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.administration.items import OfItems, is_shared
from conderis.administration.reading import ReadOnlyAdmin
from conderis.administration.site import site
from items.models import Item
from privacy.models import DeletionRequest, Erasure

What = Erasure.What


@admin.register(DeletionRequest, site=site)
class DeletionRequestAdmin(OfItems):
    """Requests about shared items and proposals, without reasons and what they are about."""

    list_display = fields = (
        "public_id", "thing", "place", "version", "requester", "requester_agent", "created",
        "state", "decided_by", "decided_at",
    )  # fmt: skip
    list_filter = ("state", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The requests about what is nobody's alone, without their reasons."""
        told = Q(proposal__isnull=False) | (Q(item__isnull=False) & is_shared("item__"))
        related = ("item", "proposal", "project", "requester", "requester_agent", "decided_by")
        rows = super(OfItems, self).get_queryset(request).filter(told)
        return rows.select_related(*related).only(
            "public_id", "version", "created", "state", "decided_at", "project__path",
            "item__kind", "item__number", "item__public_id", "proposal__public_id",
            "requester__display_name", "requester_agent__name", "decided_by__display_name",
        )  # fmt: skip

    @admin.display(description=gettext_lazy("of"))
    def thing(self, row: DeletionRequest) -> str:
        """The item's number, or kind and id; of a proposal its reference."""
        return row.proposal.ref if row.proposal is not None else str(row.item)

    @admin.display(description=gettext_lazy("project"))
    def place(self, row: DeletionRequest) -> str:
        """The project of what it is of."""
        return row.project.path if row.project is not None else ""


@admin.register(Erasure, site=site)
class ErasureAdmin(ReadOnlyAdmin):
    """What has been erased, by ids alone; of what was somebody's alone nothing."""

    list_display = fields = ("id", "what", "target", "version", "at", "cause", "by")
    list_filter = ("what", "at")
    search_fields = ("target", "cause")
    search_help_text = gettext_lazy("The id of what was erased, or of its deletion request.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those of items only while a shared item stands as the empty entry that is left."""
        shared = Item.objects.filter(is_shared()).values("public_id")
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.filter(~Q(what__in=(What.ITEM, What.VERSION)) | Q(target__in=shared))
