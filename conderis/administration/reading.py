"""What every page of the admin is: read only, bounded, and silent on what it does not name."""

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _

from conderis.accounts.models import Person
from conderis.administration.paginating import BoundedPaginator

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin

MOST_PEOPLE = 100  # whose rows one search finds
FILTER_LOOKUPS = frozenset({"exact", "gte", "lt", "isnull"})


class ReadOnlyAdmin(_ModelAdmin):
    """A list and a page of each row, of the columns that `fields` and `list_display` name.

    `search_fields` are whole lookups on indexed columns (`handle__startswith`);
    `search_people` are columns of people, searched by the beginning of a handle. Rows that
    `get_queryset` leaves out are answered like rows that never were.
    """

    actions = None
    ordering = ("-pk",)
    sortable_by = ()
    list_per_page = 50
    list_max_show_all = 0
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    view_on_site = False
    search_people: ClassVar[tuple[str, ...]] = ()
    search_help_text = _("Handle of a person, from its beginning.")

    def has_add_permission(self, *_asked: Any, **_of: Any) -> bool:
        """Never: rows are made by services."""
        return False

    def has_change_permission(self, *_asked: Any, **_of: Any) -> bool:
        """Never: rows are changed by services."""
        return False

    def has_delete_permission(self, *_asked: Any, **_of: Any) -> bool:
        """Never: what ends, ends by services."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """The list and the page of a row; nothing to add, delete, or read old actions of."""
        kept = ("_changelist", "_change")
        return [url for url in super().get_urls() if str(url.name).endswith(kept)]

    def lookup_allowed(self, lookup: str, _value: str, request: HttpRequest) -> bool:
        """Only what the filters offer: any other column could be guessed letter by letter."""
        column, _sep, rest = lookup.partition("__")
        for entry in self.get_list_filter(request):
            if getattr(entry, "parameter_name", None) == lookup:
                return True
            if entry == column and rest in FILTER_LOOKUPS:
                return True
        return False

    def get_search_fields(self, *_asked: Any) -> tuple[str, ...]:
        """What is searched; a list without any has no field to search."""
        return (*self.search_fields, *self.search_people)

    def get_search_results(
        self, _request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows found, none of them twice."""
        term = search_term.strip()
        return (self.found(queryset, term) if term else queryset), False

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rows that this term finds."""
        wanted = Q(pk__in=[])
        for lookup in self.search_fields:
            wanted |= Q((lookup, term))
        if self.search_people:
            people = people_named(term)
            for column in self.search_people:
                wanted |= Q((f"{column}__in", people))
        return rows.filter(wanted)

    def name_of(self, row: Any) -> str:
        """What heads the page of a row; a model whose name for it tells too much has its own."""
        return str(row)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page of a row, headed by `name_of`."""
        row = context["original"]
        context["subtitle"] = context["row_name"] = self.name_of(row)
        return super().render_change_form(request, context, *args, **kwargs)

    def log_addition(self, *_args: Any) -> None:  # type: ignore[override]  # three of one shape
        """Nothing: Django's log keeps names of rows; ours is `AuditEvent`."""

    log_change = log_deletions = log_addition  # type: ignore[assignment]  # same

    def _get_obj_does_not_exist_redirect(self, *_args: Any) -> NoReturn:
        raise Http404


def people_named(term: str) -> list[int]:
    """The keys of people whose handle begins so, at most 100, or who have this reference."""
    named = Q(handle__startswith=term.lower()) | Q(public_id=term.removeprefix("person:"))
    return list(
        Person.objects.filter(named).order_by("handle").values_list("pk", flat=True)[:MOST_PEOPLE]
    )
