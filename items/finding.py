"""Searching everything that a caller may read: all kinds, all projects, what is personal.

Lists search one kind in one place (`items.listing`); this is the search of a person who does
not know where something stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid, NotFound, TooLarge
from conderis.common.json import JsonObject
from conderis.common.paging import Binding
from items import search
from items.access import access_item, has_personal, items_across, visible_items
from items.entries import in_order
from items.expiry import SESSION_DAYS, aging_types, is_expired
from items.kinds.base import Kind
from items.kinds.registry import active_statuses, all_kinds
from items.models import Item
from items.requests import Address
from items.search.excerpts import FIRST, excerpts_of
from items.search.marked import Part, marked_parts
from items.search.words import query_terms
from projects.access import access_project, require_scope, visible_projects
from projects.mine import RowsOfCaller, own_projects
from projects.models import Project

MAX_NUMBERED = 20


@dataclass(frozen=True, slots=True)
class FindRequest:
    """What is looked for. `project_id` None is everywhere, `kind` None any of them.

    `everything` takes in what is closed, archived or expired.
    """

    query: str
    kind: str | None = None
    project_id: str | None = None
    everything: bool = False
    limit: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """An item that was found. `project` is `owner/name`, None of a personal one.

    `match` is the place that was found, in a long text with its `section`.
    """

    project: str | None
    number: int | None
    public_id: str
    kind: str
    title: tuple[Part, ...]
    match: tuple[Part, ...]
    section: str
    status: str
    private: bool
    archived: bool
    expired: bool


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Some of what was found, best first; `total` is exact to 1,000, with `more` beyond."""

    items: list[Found]
    total: int
    more: bool
    next_cursor: str | None


def find_items(caller: Caller, request: FindRequest) -> FoundPage:
    """What fits the query best among all that the caller may read; nothing else is counted.

    Ends after the best 200, as every list by relevance.

    Raises:
        Denied: the key lacks the scope `read`.
        NotFound: there is no such project that the caller may read.
        Invalid: there is no such kind to be found, or the limit or cursor is none of this list.
        TooLarge: the query is longer than 5,000 characters.
    """
    require_scope(caller, Scope.READ)
    query = search.read_query(request.query)
    kinds = _kinds(request.kind)
    project = None
    if request.project_id is not None:
        project = access_project(caller, request.project_id).project
    if query is None:
        return FoundPage([], 0, more=False, next_cursor=None)
    now = timezone.now()
    places = _Places.of(caller, project)
    rows = _readable(caller, project).filter(kind__in=[kind.name for kind in kinds])
    rows = rows.filter(_standing(now, places.session_days, everything=request.everything))
    page = search.page_by_relevance(
        rows,
        query,
        places.scopes(caller, kinds, everything=request.everything),
        binding=Binding(
            caller,
            "everything",
            {
                "query": query,
                "kind": request.kind,
                "projectId": project.public_id if project is not None else None,
                "everything": request.everything,
            },
        ),
        limit=request.limit,
        cursor=request.cursor,
    )
    terms = query_terms(query)
    found = in_order(_shown(rows.filter(pk__in=page.items)), page.items) if page.items else []
    return FoundPage(
        items=_found(found, terms, now), total=page.total, more=page.more,
        next_cursor=page.next_cursor,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Located:
    """Where an item is: its project's `owner/name`, None of a personal one."""

    project: str | None
    number: int | None
    public_id: str


def located_item(caller: Caller, reference: str, *, within: str | None = None) -> Located | None:
    """The item that a typed reference names, if the caller may read it.

    `owner/name#12`, `memory:<id>`, or `#12` of the project `within`. None for what is hidden,
    what never was, and what is no reference.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    address = Address(project_id=within, ref=reference.strip())
    try:
        place, item = access_item(caller, address)
    except (Invalid, NotFound, TooLarge):
        return None
    project = place.project
    return Located(project.full_name if project is not None else None, item.number, item.public_id)


def numbered_items(caller: Caller, number: int) -> list[Found]:
    """The items of this number in the caller's own projects, at most 20.

    Those of other public projects are found by `owner/name#12`. What is locked is left out.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    require_scope(caller, Scope.READ)
    rows = items_across(caller).filter(
        project__in=own_projects(caller).values("pk"), number=number, locked_at__isnull=True
    )
    shown = _shown(rows).order_by("-project__changed", "pk")[:MAX_NUMBERED]
    return _found(list(shown), [], timezone.now())


def _places(caller: Caller, limit: int) -> QuerySet[Project, tuple[int, int]]:
    return visible_projects(caller).order_by().values_list("pk", "session_days")[:limit]


def _session_days(caller: Caller) -> QuerySet[Project, tuple[int]]:
    return visible_projects(caller).order_by().values_list("session_days").distinct()


_PLACES: Final = RowsOfCaller(_places, limit=int)
_SESSION_DAYS: Final = RowsOfCaller(_session_days)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where is searched: projects, with how long aging items last there.

    `projects` None are too many to narrow the index to.
    """

    projects: list[int] | None
    personal: bool
    session_days: frozenset[int]

    @classmethod
    def of(cls, caller: Caller, project: Project | None) -> "_Places":
        if project is not None:
            return cls([project.pk], personal=False, session_days=frozenset({project.session_days}))
        found = _PLACES.rows(caller, limit=search.MAX_SCOPES + 1)
        days = frozenset(each for _pk, each in found)
        personal = has_personal(caller)
        if len(found) <= search.MAX_SCOPES:
            return cls([pk for pk, _days in found], personal=personal, session_days=days)
        days = frozenset(each for (each,) in _SESSION_DAYS.rows(caller))
        return cls(None, personal=personal, session_days=days)

    def scopes(
        self, caller: Caller, kinds: Sequence[Kind], *, everything: bool
    ) -> list[str] | None:
        """What the index is narrowed to."""
        if self.projects is None:
            return None
        scopes = search.project_scopes(caller, self.projects, kinds, everything=everything)
        if self.personal:
            personal = [kind for kind in kinds if kind.personal]
            scopes += search.personal_scopes(caller, personal, everything=everything)
        return scopes


def _kinds(name: str | None) -> list[Kind]:
    kinds = [kind for kind in all_kinds() if kind.listed]
    if name is None:
        return kinds
    chosen = [kind for kind in kinds if kind.name == name]
    if not chosen:
        allowed = [kind.name for kind in kinds]
        raise Invalid(f"kind must be one of {', '.join(allowed)}.", field="kind", allowed=allowed)
    return chosen


def _readable(caller: Caller, project: Project | None) -> QuerySet[Item]:
    if project is not None:
        return visible_items(caller, project)
    across = items_across(caller)
    return across | visible_items(caller, None) if has_personal(caller) else across


def _standing(now: datetime, session_days: frozenset[int], *, everything: bool) -> Q:
    """What is found at all: never what a deletion request has locked."""
    kept = Q(locked_at__isnull=True)
    if everything:
        return kept
    expired = Q(expires_at__lte=now)
    for kind, types in aging_types():
        aged = Q(project__isnull=True, changed__lte=now - timedelta(days=SESSION_DAYS))
        for days in sorted(session_days):
            aged |= Q(project__session_days=days, changed__lte=now - timedelta(days=days))
        expired |= Q(aged, kind=kind, category__in=types, expires_at__isnull=True)
    return kept & Q(archived_at__isnull=True, status__in=["", *active_statuses()]) & ~expired


def _shown(rows: QuerySet[Item]) -> QuerySet[Item]:
    """The rows with what is shown of them: of the content how it begins."""
    beginning = rows.annotate(beginning=Substr("content", 1, FIRST))
    return beginning.select_related("project").defer("content", "commits", "verified_against")


def _found(rows: Sequence[Item], terms: Sequence[str], now: datetime) -> list[Found]:
    for row in rows:
        row.content = vars(row)["beginning"]
    around = excerpts_of(rows, terms) if terms else {}
    return [_one(row, around.get(row.pk, {}), terms, now) for row in rows]


def _one(row: Item, around: JsonObject, terms: Sequence[str], now: datetime) -> Found:
    match = str(around.get("match", ""))
    if match == row.title:  # it is shown above
        match = ""
    return Found(
        project=row.project.full_name if row.project is not None else None,
        number=row.number,
        public_id=row.public_id,
        kind=row.kind,
        title=tuple(marked_parts(row.title, terms)),
        match=tuple(marked_parts(match, terms)),
        section=str(around.get("section", "")),
        status=row.status,
        private=row.project is None or row.visibility == "private",
        archived=row.archived_at is not None,
        expired=is_expired(row, now),
    )
