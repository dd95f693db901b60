"""The list of deletion requests, and how many wait for a caller."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db.models import Q, QuerySet

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.paging import (
    MAX_TOTAL,
    Binding,
    Keyset,
    Page,
    SortKey,
    page_of,
    page_with,
    read_limit,
)
from items.kinds.base import Review
from items.kinds.registry import all_kinds
from privacy.access import (
    RequestAccess,
    decided_by,
    is_private,
    subject_of_request,
    visible_requests,
)
from privacy.models import DeletionRequest
from projects.access import ProjectAccess, access_project, require_scope
from projects.mine import RowsOfCaller

State = DeletionRequest.State
DECIDED = (State.WITHDRAWN, State.REFUSED, State.ERASING, State.ERASED)
STATES = ("pending", "decided", "all")
_ORDER = Keyset(SortKey("created", descending=True), SortKey("public_id", unique=True))


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request as lists show it; nothing of the content.

    `project` is the `owner/name`, `organization` the handle of whose instructions it is of;
    of a personal memory there is neither. `reason` is empty once the content is erased.
    """

    ref: str
    subject: str
    kind: str
    version: int | None
    project: str | None
    organization: str | None
    private: bool
    requester: str
    agent: str | None
    created: datetime
    reason: str
    state: str
    is_own: bool
    may_decide: bool
    may_withdraw: bool
    decided_at: datetime | None
    decided_by: str | None
    decision_reason: str


@dataclass(frozen=True, slots=True)
class RequestPage:
    """Some requests, newest first; `total` is exact to 1,000."""

    items: list[RequestRow]
    total: int
    next_cursor: str | None


def list_requests(
    caller: Caller,
    *,
    project_id: str | None = None,
    state: str = "pending",
    mine: bool | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> RequestPage:
    """The requests that the caller has made or may decide, of one project or of all places.

    `mine` True: those that the caller has made; False: those of others.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: the state, the limit or the cursor is none of this list.
    """
    if state not in STATES:
        raise Invalid(f"state must be one of {', '.join(STATES)}.", field="state", allowed=STATES)
    require_scope(caller, Scope.READ)
    place = access_project(caller, project_id).project if project_id is not None else None
    binding = Binding(
        caller,
        "deletion",
        {
            "projectId": place.public_id if place is not None else None,
            "state": state,
            "mine": mine,
        },
    )
    listed = _Listed(place is not None, state, mine, _owners_kinds())
    where = {"project": place.pk} if place is not None else {}
    if cursor is None:
        page = _first_page(caller, listed, where, binding, limit)
    else:
        rows = listed.rows(caller, **where)
        page = page_of(rows, keyset=_ORDER, binding=binding, limit=limit, cursor=cursor)
    items = [row_of(RequestAccess(request, caller)) for request in page.items]
    return RequestPage(items, page.total, page.next_cursor)


@dataclass(frozen=True, slots=True)
class _Listed:
    """What is listed, without its values: what prepared statements are kept by.

    The kinds that owners review are among it, since the door asks the registry for them.
    """

    in_project: bool
    state: str
    mine: bool | None
    owners_kinds: tuple[str, ...]

    @property
    def parameters(self) -> dict[str, type]:
        return {"limit": int, "project": int} if self.in_project else {"limit": int}

    def rows(self, caller: Caller, project: int | None = None) -> QuerySet[DeletionRequest]:
        rows = visible_requests(caller)
        if project is not None:
            rows = rows.filter(project=project)
        if self.state != "all":
            rows = rows.filter(state__in=[State.PENDING] if self.state == "pending" else DECIDED)
        if self.mine is None:
            return rows
        own = Q(requester=caller.person_id)
        return rows.filter(own if self.mine else ~own)


def _first_page(
    caller: Caller, listed: _Listed, where: dict[str, int], binding: Binding, limit: int | None
) -> Page[DeletionRequest]:
    size = read_limit(limit)
    return page_with(
        _beginning(listed).rows(caller, **where, limit=size + 1),
        keyset=_ORDER,
        binding=binding,
        size=size,
        count=lambda: _counted(listed).count(caller, **where, limit=MAX_TOTAL + 1),
        is_first=True,
    )


@cache
def _beginning(listed: _Listed) -> RowsOfCaller[DeletionRequest]:
    def build(caller: Caller, limit: int, **where: int) -> QuerySet[DeletionRequest]:
        return _ORDER.ordered(listed.rows(caller, **where))[:limit]

    return RowsOfCaller(build, **listed.parameters)


@cache
def _counted(listed: _Listed) -> RowsOfCaller[tuple[int]]:
    def build(caller: Caller, limit: int, **where: int) -> QuerySet[DeletionRequest, tuple[int]]:
        return listed.rows(caller, **where).order_by().values_list("pk")[:limit]

    return RowsOfCaller(build, **listed.parameters)


def count_waiting(caller: Caller, place_access: ProjectAccess | None) -> int:
    """How many pending ones the caller may decide, in a project or (None) everywhere.

    The rows alone: whether it is a person in the browser is not asked.
    """
    require_scope(caller, Scope.READ)
    owners = _owners_kinds()
    if place_access is None:
        return _waiting(owners).count(caller)
    return _waiting_in_project(owners).count(caller, project=place_access.project.pk)


def _owners_kinds() -> tuple[str, ...]:
    """The kinds that owners review: the door asks the registry for them."""
    return tuple(kind.name for kind in all_kinds() if kind.review is Review.OWNERS)


@cache
def _waiting(_owners: tuple[str, ...]) -> RowsOfCaller[DeletionRequest]:
    return RowsOfCaller(_to_decide)


@cache
def _waiting_in_project(_owners: tuple[str, ...]) -> RowsOfCaller[DeletionRequest]:
    def build(caller: Caller, project: int) -> QuerySet[DeletionRequest]:
        return _to_decide(caller).filter(project=project)

    return RowsOfCaller(build, project=int)


def _to_decide(caller: Caller) -> QuerySet[DeletionRequest]:
    return DeletionRequest.objects.filter(decided_by(caller), state=State.PENDING).only("pk")


def row_of(access: RequestAccess) -> RequestRow:
    """The row of a request that the door has given out."""
    request = access.request
    item, proposal = request.item, request.proposal
    kind = item.kind if item is not None else (proposal.kind if proposal is not None else "")
    organization = item.organization if item is not None else None
    return RequestRow(
        ref=request.ref,
        subject=subject_of_request(request),
        kind=kind,
        version=request.version,
        project=request.project.full_name if request.project is not None else None,
        organization=organization.handle if organization is not None else None,
        private=is_private(item),
        requester=request.requester.display_name,
        agent=request.requester_agent.name if request.requester_agent is not None else None,
        created=request.created,
        reason=request.reason,
        state=str(request.state),
        is_own=access.is_own,
        may_decide=access.may_decide,
        may_withdraw=access.may_withdraw,
        decided_at=request.decided_at,
        decided_by=request.decided_by.display_name if request.decided_by is not None else None,
        decision_reason=request.decision_reason,
    )
