"""Items, their histories, tags and relations: that they are there, never what they say.

Private and personal memories are not here at all, whoever's they are. Of the others the
title is shown, while no deletion request locks the item; no other column that holds what
people wrote is even read.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.administration.filters import set_filter, words_filter
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from items.kinds.registry import all_kinds
from items.models import HygienePoint, Item, ItemEvent, ItemTag, Relation
from projects.models import Project

SEARCHED = gettext_lazy("owner/name#12, owner/name, an item's id, or a handle from its beginning.")
READ_COLUMNS = (
    "public_id", "kind", "number", "version", "status", "priority", "created", "changed",
    "archived_at", "locked_at", "erased_at", "expires_at", "title", "visibility", "project__path",
    "organization__handle", "author__display_name", "author_agent__name",
)  # fmt: skip


def is_shared(path: str = "") -> Q:
    """Items that are nobody's alone: in a project or an organization, and not private."""
    placed = Q((f"{path}project__isnull", False)) | Q((f"{path}organization__isnull", False))
    return placed & ~Q((f"{path}visibility", "private"))


def items_named(term: str) -> Q:
    """Which items a search finds."""
    path, sign, number = term.rpartition("#")
    projects = Project.objects.filter(path=(path if sign else term).lower()).values("pk")
    if sign:
        numbered = number.isascii() and number.isdigit() and len(number) < 10
        return Q(project__in=projects, number=number) if numbered else Q(pk__in=[])
    return Q(public_id=term) | Q(project__in=projects) | Q(author__in=people_named(term))


@admin.register(Item, site=site)
class ItemAdmin(ReadOnlyAdmin):
    """Items that are shared, by their titles."""

    list_display = (
        "reference", "kind", "shown_title", "project", "author", "status", "version", "changed",
        "is_locked",
    )  # fmt: skip
    list_filter = (
        words_filter("kind", [kind.name for kind in all_kinds()], title=gettext_lazy("kind")),
        set_filter("locked_at", title=gettext_lazy("locked")),
        set_filter("erased_at", title=gettext_lazy("erased")),
        set_filter("archived_at", title=gettext_lazy("archived")),
    )
    fields = (
        "public_id", "reference", "kind", "shown_title", "project", "organization", "author",
        "author_agent", "version", "status", "priority", "created", "changed", "archived_at",
        "expires_at", "is_locked", "erased_at",
    )  # fmt: skip
    search_fields = ("public_id",)
    search_help_text = SEARCHED

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The shared ones, without their texts."""
        rows = super().get_queryset(request).filter(is_shared())
        related = ("project", "organization", "author", "author_agent")
        return rows.select_related(*related).only(*READ_COLUMNS)

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By address, project, id or author."""
        return rows.filter(items_named(term))

    @admin.display(description=gettext_lazy("item"))
    def reference(self, item: Item) -> str:
        """The number, or kind and id."""
        return str(item)

    @admin.display(description=gettext_lazy("title"))
    def shown_title(self, item: Item) -> str:
        """The title, while nobody has asked to delete it."""
        return item.title if item.locked_at is None else ""

    @admin.display(description=gettext_lazy("locked"), boolean=True)
    def is_locked(self, item: Item) -> bool:
        """Whether a deletion request has locked the item."""
        return item.locked_at is not None


class OfItems(ReadOnlyAdmin):
    """Rows about shared items, with who and when alone."""

    item_column = "item"
    search_fields = ("item",)
    search_help_text = SEARCHED

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of shared items."""
        return super().get_queryset(request).filter(is_shared(f"{self.item_column}__"))

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By the item."""
        items = Item.objects.filter(is_shared(), items_named(term))
        return rows.filter(Q((f"{self.item_column}__in", items.values("pk"))))

    @admin.display(description=gettext_lazy("project"))
    def place(self, row: Any) -> str:
        """The project of the item."""
        project = getattr(row, self.item_column).project
        return project.path if project is not None else ""


@admin.register(ItemEvent, site=site)
class ItemEventAdmin(OfItems):
    """Histories: who, what and when, without texts, fields' values and reasons."""

    list_display = fields = (
        "id", "item_name", "place", "event", "version", "author", "author_agent", "approver", "at",
    )  # fmt: skip
    list_filter = ("at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The events of shared items, without their states and reasons."""
        rows = super().get_queryset(request)
        return rows.select_related("item__project", "author", "author_agent", "approver").only(
            "event", "version", "at", "item__kind", "item__number", "item__public_id",
            "item__project__path", "author__display_name", "author_agent__name",
            "approver__display_name",
        )  # fmt: skip

    @admin.display(description=gettext_lazy("item"))
    def item_name(self, row: ItemEvent) -> str:
        """The item's number, or kind and id."""
        return str(row.item)


@admin.register(ItemTag, site=site)
class ItemTagAdmin(OfItems):
    """Tags of items that are not locked: that there are some, without their words."""

    list_display = fields = ("id", "item_name", "place")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, without the tags."""
        rows = super().get_queryset(request).filter(item__locked_at__isnull=True)
        return rows.select_related("item__project").only(
            "item__kind", "item__number", "item__public_id", "item__project__path"
        )

    def name_of(self, row: ItemTag) -> str:
        """The row's number: the tag is a word that somebody wrote."""
        return str(row.pk)

    @admin.display(description=gettext_lazy("item"))
    def item_name(self, row: ItemTag) -> str:
        """The item's number, or kind and id."""
        return str(row.item)


@admin.register(Relation, site=site)
class RelationAdmin(OfItems):
    """Relations between items that are both shared."""

    item_column = "source"
    list_display = fields = ("id", "source_name", "relation", "target_name", "place", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, with the numbers of both ends alone."""
        rows = super().get_queryset(request).filter(is_shared("target__"))
        return rows.select_related("source__project", "target").only(
            "relation", "created", "source__kind", "source__number", "source__public_id",
            "source__project__path", "target__kind", "target__number", "target__public_id",
        )  # fmt: skip

    @admin.display(description=gettext_lazy("source"))
    def source_name(self, row: Relation) -> str:
        """The number of the one end."""
        return str(row.source)

    @admin.display(description=gettext_lazy("target"))
    def target_name(self, row: Relation) -> str:
        """The number of the other end."""
        return str(row.target)


@admin.register(HygienePoint, site=site)
class HygienePointAdmin(ReadOnlyAdmin):
    """How tidy projects were on a day."""

    list_display = fields = ("id", "place", "day", "score", "found")
    list_filter = ("day",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The points with their projects' names."""
        rows = super().get_queryset(request).select_related("project")
        return rows.only("day", "score", "found", "project__path")

    @admin.display(description=gettext_lazy("project"))
    def place(self, row: HygienePoint) -> str:
        """The project."""
        return row.project.path
