"""The queue of proposals: the list of those that the caller may see."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.common.paging import Binding, Keyset, SortKey, page_of
from conderis.common.text import expect_text, refuse_long
from items.kinds.base import ActionRow, Filter
from items.kinds.registry import all_kinds
from items.kinds.values import Assignee, Choice
from items.requests import ListRequest
from items.search import MAX_QUERY
from projects.access import access_project, require_scope
from proposals.access import visible_proposals, whole
from proposals.entries import proposal_entry
from proposals.models import Proposal

STATES = tuple(Proposal.State.values)
SORTS = ("created", "updated")
FILTERS = (
    Filter("state", Choice(STATES)),
    Filter("author", Assignee()),
    Filter("targetKind", Choice(())),
)
ACTIONS = (ActionRow("approve"), ActionRow("reject"), ActionRow("withdraw"))

MAX_WORDS = 30  # of a query that are looked for
_ID = SortKey("public_id", unique=True)
_CREATED = SortKey("created", descending=True)
_ORDERS = {
    "relevance": Keyset(SortKey("relevance"), _CREATED, _ID),
    "created": Keyset(_CREATED, _ID),
    "updated": Keyset(SortKey("changed", descending=True), _ID),
}


def list_proposals(caller: Caller, request: ListRequest) -> JsonObject:
    """The proposals that the caller may see, of one project or of all of them.

    Pending ones unless the filter `state` says otherwise, the newest first. A query finds
    those that have each of its words, whatever its case (on SQLite case is folded for ASCII
    letters alone), in title, summary, content or reason; those with all of them in the title
    come first. Locked ones are listed without a title and found by no query. A person as
    `author` stands for all agents of theirs too; `me` is the agent for an agent.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: a filter, the order, the limit or the cursor is none of this list.
        TooLarge: the query is too long.
    """
    if request.project_id is None:
        require_scope(caller, Scope.READ)
        access = None
    else:
        access = access_project(caller, request.project_id)
    filters = {
        name: _filter_named(name).read(value, name) for name, value in request.filters.items()
    }
    words = _words(request.query)
    order = _read_sort(request.sort, searching=bool(words))
    filters.setdefault("state", Proposal.State.PENDING.value)
    rows = visible_proposals(caller, access).filter(_chosen(caller, filters))
    page = page_of(
        _matching(whole(rows), words),
        keyset=_ORDERS[order],
        binding=Binding(
            caller,
            "proposal",
            {
                "projectId": access.project.public_id if access is not None else None,
                "query": words,
                "filter": filters,
                "sort": order,
            },
        ),
        limit=request.limit,
        cursor=request.cursor,
    )
    now = timezone.now()
    return page.as_answer(
        [proposal_entry(row, now=now, across=access is None) for row in page.items]
    )


def _chosen(caller: Caller, filters: Mapping[str, Any]) -> Q:
    chosen = Q(state=filters["state"])
    if "targetKind" in filters:
        chosen &= Q(kind=filters["targetKind"])
    if "author" in filters:
        chosen &= _author(caller, filters["author"])
    return chosen


def _author(caller: Caller, author: str) -> Q:
    reference = caller.ref if author == "me" else author
    word, _, public_id = reference.partition(":")
    if word == "agent":
        return Q(proposer_agent__public_id=public_id)
    return Q(proposer__public_id=public_id)


def _words(query: str | None) -> list[str]:
    if query is None:
        return []
    text = expect_text(query, field="query")
    refuse_long(text, field="query", limit=MAX_QUERY)
    return text.split()[:MAX_WORDS]  # SQLite folds less than Python: lowered, Ä would find no Ä


def _read_sort(sort: str | None, *, searching: bool) -> str:
    sorts = (("relevance",) if searching else ()) + SORTS
    if sort is None:
        return sorts[0]
    if sort not in sorts:
        raise Invalid(f"sort must be one of {', '.join(sorts)}.", field="sort", allowed=sorts)
    return sort


def _matching(rows: QuerySet[Proposal], words: list[str]) -> QuerySet[Proposal]:
    if not words:
        return rows
    rows = rows.filter(Q(("content_locked", False)))
    in_title = Q()
    for word in words:
        in_title &= Q(title__icontains=word)
        rows = rows.filter(
            Q(title__icontains=word)
            | Q(reason__icontains=word)
            | Q(fields__content__icontains=word)
            | Q(fields__summary__icontains=word)
        )
    return rows.annotate(
        relevance=Case(When(in_title, then=Value(0)), default=Value(1), output_field=IntegerField())
    )


def _filter_named(name: str) -> Choice | Assignee:
    if name == "targetKind":
        # Asked when it is used: kinds are rows of a registry that can grow.
        return Choice(tuple(kind.name for kind in all_kinds()))
    for each in FILTERS:
        if each.name == name and isinstance(each.type, Choice | Assignee):
            return each.type
    names = [each.name for each in FILTERS]
    raise Invalid(
        f"Proposals have no filter {name[:40]!r}. Filters: {', '.join(names)}.",
        field="filter",
        allowed=names,
    )
