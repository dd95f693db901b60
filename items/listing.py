"""Lists of items of one kind: filtered, searched, sorted, page after page.

What a list is made of without a project is told by the kind's row of the registry:
personal ones, or work across all projects, or nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Lower
from django.utils import timezone

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.common.paging import (
    MAX_TOTAL,
    Binding,
    Kept,
    Keyset,
    Page,
    SortKey,
    page_of,
    page_with,
    read_limit,
)
from conderis.common.prepared import Prepared
from items import search
from items.access import items_across, personal_place, place_of, visible_items
from items.entries import Columns, entries_of, in_order
from items.expiry import oldest_of
from items.filters import INCLUDING, Listed, Standing, read_filters, selected
from items.kinds.base import Kind
from items.kinds.registry import all_kinds, kind_named
from items.models import Item, ItemEvent
from items.requests import ListRequest
from items.search.words import query_terms
from projects.access import require_scope, visible_projects
from projects.capabilities import Use

RELEVANCE = "relevance"
# What a page is sorted and continued by; the rest of its rows is loaded by their ids.
_COLUMNS = ("number", "version", "changed", "created", "rank", "priority", "due")


def _title_mark(row: Item) -> str:
    return f"{row.pk}v{row.version}"


def _title_then(mark: str) -> str | None:
    """The title that the item had in that version, as titles are sorted by."""
    item_id, _, version = mark.partition("v")
    events = ItemEvent.objects.filter(item=int(item_id), version=int(version))
    title: str | None = events.values_list(Lower(KT("state__title")), flat=True).first()
    return title


_DUE = SortKey("due", nullable=True)
_SORTS: dict[str, tuple[SortKey, ...]] = {
    "priority": (SortKey("priority", nullable=True), _DUE),
    "due": (_DUE,),
    "updated": (SortKey("changed", descending=True),),
    "created": (SortKey("created", descending=True),),
    "title": (SortKey("title_key", kept=Kept(_title_mark, _title_then)),),
    "position": (SortKey("rank"),),
}
_NUMBER = SortKey("number")
_NUMBER_ALONE = SortKey("number", unique=True)
_ID = SortKey("id", unique=True)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a list comes from: which rows the caller may read, and where they are."""

    listed: Listed

    @property
    def readable(self) -> QuerySet[Item]:
        """The rows that the caller may read."""
        listed = self.listed
        if listed.across:
            return items_across(listed.caller)
        return visible_items(listed.caller, listed.project)

    def scopes(self, standing: Standing) -> list[str] | None:
        """Where a search looks; None: everywhere, since there are too many places."""
        caller, kinds, everything = self.listed.caller, [self.listed.kind], standing.with_gone
        if self.listed.project is not None:
            projects = [self.listed.project.pk]
            return search.project_scopes(caller, projects, kinds, everything=everything)
        if not self.listed.across:
            return search.personal_scopes(caller, kinds, everything=everything)
        projects = [*visible_projects(caller).values_list("pk", flat=True)[: search.MAX_SCOPES + 1]]
        if len(projects) > search.MAX_SCOPES:
            return None
        return search.project_scopes(caller, projects, kinds, everything=everything)

    def keyset(self, sort: str) -> Keyset:
        """The order of this name, ended by number, or by id where numbers do not tell."""
        if self.listed.project is not None and self.listed.kind.numbered:
            return _keyset(sort, (_NUMBER_ALONE,))
        return _keyset(sort, (_NUMBER, _ID) if self.listed.across else (_ID,))


@cache
def _keyset(sort: str, end: tuple[SortKey, ...]) -> Keyset:
    return Keyset(*_SORTS[sort], *end)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a list, read: `query` None where nothing is searched."""

    query: str | None
    sort: str
    limit: int | None
    cursor: str | None
    binding: Binding


def list_items(caller: Caller, request: ListRequest) -> JsonObject:
    """A page of a list of items (spec, section 9: `items`, `total`, `hasMore`, …).

    Raises:
        Invalid: the kind, a filter, the order, the limit or the cursor is none of this
            list, or the kind is listed by project alone.
        TooLarge: the query is longer than 5,000 characters.
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
    """
    kind = _listed_kind(request.kind)
    source = _source(caller, kind, request.project_id)
    listed = source.listed
    values = read_filters(kind, request.filters)
    query = search.read_query(request.query)
    sort = _read_sort(kind, request.sort, searching=query is not None)
    parameters = {
        "projectId": listed.project.public_id if listed.project is not None else None,
        "query": query,
        "filter": values,
        "sort": sort,
    }
    binding = Binding(caller, kind.name, parameters)
    asked = Asked(query, sort, request.limit, request.cursor, binding)
    page = _page(source, values, asked)
    terms = query_terms(query) if query is not None else []
    return page.as_answer(entries_of(listed, page.items, terms=terms))


def _listed_kind(name: str) -> Kind:
    kind = kind_named(name)
    if not kind.listed:
        names = [each.name for each in all_kinds() if each.listed]
        raise Invalid(
            f"There is no list of {kind.plural}. Kinds: {', '.join(names)}.",
            field="kind",
            allowed=names,
        )
    return kind


def _source(caller: Caller, kind: Kind, project_id: str | None) -> Source:
    now = timezone.now()
    if project_id is not None:
        place = place_of(caller, project_id, use=Use.READ)
        return Source(Listed(caller, kind, place.project, now))
    if kind.personal:
        place = personal_place(caller)
        place.require(Use.READ)
        return Source(Listed(caller, kind, None, now))
    if kind.statuses:
        require_scope(caller, Scope.READ)
        return Source(Listed(caller, kind, None, now, across=True))
    raise Invalid(
        f"Send projectId: {kind.plural} are listed by project. project_get lists the projects.",
        field="projectId",
        allowed=["owner/name", "git remote"],
    )


def _read_sort(kind: Kind, sort: str | None, *, searching: bool) -> str:
    allowed = [RELEVANCE, *kind.sorts] if searching else list(kind.sorts)
    if sort is None:
        return allowed[0]
    if sort not in allowed:
        raise Invalid(
            f"sort of {kind.plural} must be one of {', '.join(allowed)}"
            f"{'' if searching else f' ({RELEVANCE} needs a query)'}.",
            field="sort",
            allowed=allowed,
        )
    return sort


def _page(source: Source, filters: Mapping[str, Any], asked: Asked) -> Page[Item]:
    """A page with the rows of its entries."""
    listed = source.listed
    standing = Standing.of(listed, filters)
    columns = Columns.of(listed, searched=asked.query is not None)
    # Many ask for no more than what stands: that is prepared.
    is_plain = not listed.across and filters.keys() <= INCLUDING
    if is_plain and asked.query is None and asked.cursor is None:
        return _first_page(source, standing, columns, asked)
    if is_plain and asked.query is not None and asked.sort == RELEVANCE:
        sql, parameters = _findable(standing).statement(**standing.values(listed))
        visible = search.Visible(sql, parameters, whole=standing.whole)
        page = _by_relevance(visible, asked, asked.query, source.scopes(standing))
        return _loaded_plain(page, standing, columns, listed)
    rows = source.readable.filter(
        standing.kept(listed.now, oldest_of(listed.now, listed.session_days)),
        selected(listed, filters),
    )
    page = _ids(source, rows, asked, standing)
    if is_plain or not page.items:
        return _loaded_plain(page, standing, columns, listed)
    return _loaded(page, columns.loading(rows.filter(pk__in=page.items)).order_by())


def _loaded_plain(
    page: Page[int], standing: Standing, columns: Columns, listed: Listed
) -> Page[Item]:
    if not page.items:
        return _loaded(page, [])
    values = standing.values(listed)
    return _loaded(page, _by_ids(standing, columns).rows(**values, ids=page.items))


def _loaded(page: Page[int], rows: Iterable[Item]) -> Page[Item]:
    return Page(in_order(rows, page.items), page.total, page.more, page.next_cursor)


def _first_page(source: Source, standing: Standing, columns: Columns, asked: Asked) -> Page[Item]:
    size = read_limit(asked.limit)
    values = standing.values(source.listed)
    keyset = source.keyset(asked.sort)
    items = _beginning(standing, columns, asked.sort, keyset).rows(**values, limit=size + 1)
    return page_with(
        items,
        keyset=keyset,
        binding=asked.binding,
        size=size,
        count=lambda: _counted(standing).count(**values),
        is_first=True,
    )


@cache
def _beginning(standing: Standing, columns: Columns, sort: str, keyset: Keyset) -> Prepared[Item]:
    """The first rows; found by what they are sorted by alone, and then loaded."""

    def build(limit: int, **values: Any) -> QuerySet[Item]:
        first = keyset.ordered(_sortable(standing.rows(**values), sort)).values("pk")[:limit]
        rows = _sortable(Item.objects.filter(pk__in=first), sort)
        return keyset.ordered(columns.loading(rows, sorting=True))

    return Prepared(build, **standing.parameters, limit=int)


@cache
def _counted(standing: Standing) -> Prepared[tuple[Any, ...]]:
    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        return standing.rows(**values).order_by().values_list("pk")[: MAX_TOTAL + 1]

    return Prepared(build, **standing.parameters)


@cache
def _findable(standing: Standing) -> Prepared[tuple[Any, ...]]:
    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        rows = standing.rows(named=standing.whole, **values).order_by()
        return rows.values_list(*(search.WHOLE if standing.whole else ("id", "changed")))

    return Prepared(build, **standing.parameters)


@cache
def _by_ids(standing: Standing, columns: Columns) -> Prepared[Item]:
    def build(ids: list[int], **values: Any) -> QuerySet[Item]:
        return columns.loading(standing.rows(named=True, **values).filter(pk__in=ids)).order_by()

    return Prepared(build, **standing.parameters, ids=list)


def _sortable(rows: QuerySet[Item], sort: str) -> QuerySet[Item]:
    return rows.annotate(title_key=Lower("title")) if sort == "title" else rows


def _ids(source: Source, rows: QuerySet[Item], asked: Asked, standing: Standing) -> Page[int]:
    """The ids of a page."""
    if asked.query is not None:
        scopes = source.scopes(standing)
        if asked.sort == RELEVANCE:
            return _by_relevance(rows, asked, asked.query, scopes)
        rows = search.matching(rows, asked.query, scopes)
    page = page_of(
        _sortable(rows, asked.sort).only("pk", *_COLUMNS),
        keyset=source.keyset(asked.sort),
        binding=asked.binding,
        limit=asked.limit,
        cursor=asked.cursor,
    )
    return Page([row.pk for row in page.items], page.total, page.more, page.next_cursor)


def _by_relevance(
    rows: search.Rows, asked: Asked, query: str, scopes: list[str] | None
) -> Page[int]:
    return search.page_by_relevance(
        rows,
        query,
        scopes,
        binding=asked.binding,
        limit=asked.limit,
        cursor=asked.cursor,
    )
