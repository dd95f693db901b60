"""What projects say of themselves, and the lists of those that a caller may read."""

from collections.abc import Collection

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Lower
from django.utils import timezone

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject, without_nulls
from conderis.common.paging import Binding, Keyset, SortKey, page_of
from conderis.common.text import cut_at_word, expect_text
from conderis.common.times import age
from projects.access import ProjectAccess, access_of, require_scope, visible_projects
from projects.assignees import project_assignees
from projects.capabilities import Use
from projects.models import Project

LATEST = 50
SHOWN_DESCRIPTION = 160  # characters, in lists
MAX_QUERY = 1000  # characters: more than a project has to be found by
MAX_WORDS = 30

_ID = SortKey("public_id", unique=True)
_UPDATED = SortKey("changed", descending=True)
_ORDERS = {
    "relevance": Keyset(SortKey("relevance"), _UPDATED, _ID),
    "updated": Keyset(_UPDATED, _ID),
    "created": Keyset(SortKey("created", descending=True), _ID),
    "title": Keyset(SortKey("lower_name"), _ID),
}


def project_summary(access: ProjectAccess, *, holding: Collection[int] = ()) -> JsonObject:
    """The project as its reader may know it, with what the reader may do there.

    `holding` are the keys of agents that hold tasks in it, who can be assigned some
    even when their keys have ended.
    """
    project = access.project
    return without_nulls(
        {
            "projectId": project.public_id,
            "name": project.full_name,
            "description": project.description or None,
            "remote": project.remote or None,
            "remoteVerified": project.remote_verified or None,
            "visibility": _visibility(project),
            "upstream": _upstream(access),
            "recallMode": project.recall_mode or None,
            "permissions": {
                "write": access.may(Use.WORK),
                "moderate": access.may(Use.PUBLISH),
                "manage": access.may(Use.MANAGE),
                "alwaysReviewed": access.always_reviewed,
            },
            "assignees": project_assignees(access, holding=holding),
        }
    )


def list_projects(
    caller: Caller,
    *,
    query: str | None = None,
    sort: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> JsonObject:
    """The projects that the caller may read, as `items` of the paging contract.

    A project is found when each word of the query stands in its name, description or
    remote. Sorts: relevance (the default with a query), updated (without), created, title.

    Raises:
        Denied: the key lacks the scope `read`.
        Invalid: the sort, the limit or the cursor is not allowed here.
    """
    require_scope(caller, Scope.READ)
    words = _words(query)
    order = _clean_sort(sort, searching=bool(words))
    page = page_of(
        _matching(visible_projects(caller), words).annotate(lower_name=Lower("name")),
        keyset=_ORDERS[order],
        binding=Binding(caller, "project", {"query": words, "sort": order}),
        limit=limit,
        cursor=cursor,
    )
    return page.as_answer([_entry(access_of(caller, project)) for project in page.items])


def latest_projects(caller: Caller) -> JsonObject:
    """The 50 projects with the latest change, and how many there are.

    It is the first page of `list_projects`, whose further ones its cursor leads to.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    return list_projects(caller, limit=LATEST)


def _entry(access: ProjectAccess) -> JsonObject:
    project = access.project
    return without_nulls(
        {
            "projectId": project.public_id,
            "name": project.full_name,
            "description": cut_at_word(project.description, SHOWN_DESCRIPTION) or None,
            "visibility": _visibility(project),
            "role": access.role,
            "age": age(project.changed, timezone.now()),
        }
    )


def _visibility(project: Project) -> str:
    return "public" if project.is_public else "private"


def _upstream(access: ProjectAccess) -> str | None:
    """The upstream's name; where the caller may not read it, nothing says there is one."""
    if access.project.upstream_id is None:
        return None
    found = visible_projects(access.caller).filter(pk=access.project.upstream_id).first()
    return found.full_name if found is not None else None


def _words(query: Json) -> list[str]:
    if query is None:
        return []
    return expect_text(query, field="query").lower().split()


def _clean_sort(sort: str | None, *, searching: bool) -> str:
    allowed = list(_ORDERS) if searching else [name for name in _ORDERS if name != "relevance"]
    if sort is None:
        return allowed[0]
    if sort not in allowed:
        raise Invalid(
            f"sort of projects must be one of {', '.join(allowed)}"
            f"{'' if searching else ' (relevance needs a query)'}.",
            field="sort",
            allowed=allowed,
        )
    return sort


def _matching(projects: QuerySet[Project], words: list[str]) -> QuerySet[Project]:
    """The projects that have every word, with `relevance`: the name itself is best."""
    if not words:
        return projects
    phrase = " ".join(words)
    if len(phrase) > MAX_QUERY:
        return projects.annotate(relevance=Value(0)).none()
    in_path = Q()
    for word in words[:MAX_WORDS]:
        in_path &= Q(path__contains=word)
        projects = projects.filter(
            Q(path__contains=word) | Q(description__icontains=word) | Q(remote__icontains=word)
        )
    return projects.annotate(
        relevance=Case(
            When(Q(path=phrase) | Q(path__endswith=f"/{phrase}"), then=Value(0)),
            When(in_path, then=Value(1)),
            default=Value(2),
            output_field=IntegerField(),
        )
    )
