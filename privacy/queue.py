"""The list of deletion requests, and how many wait for a caller."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.paging import Binding, Keyset, SortKey, page_of
from privacy.access import (
    RequestAccess,
    decided_by,
    is_private,
    subject_of_request,
    visible_requests,
)
from privacy.models import DeletionRequest
from projects.access import ProjectAccess, access_project, require_scope

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
    rows = visible_requests(caller)
    place = access_project(caller, project_id).project if project_id is not None else None
    if place is not None:
        rows = rows.filter(project=place)
    if state != "all":
        rows = rows.filter(state__in=[State.PENDING] if state == "pending" else DECIDED)
    if mine is not None:
        own = Q(requester=caller.person_id)
        rows = rows.filter(own if mine else ~own)
    page = page_of(
        rows,
        keyset=_ORDER,
        binding=Binding(
            caller,
            "deletion",
            {
                "projectId": place.public_id if place is not None else None,
                "state": state,
                "mine": mine,
            },
        ),
        limit=limit,
        cursor=cursor,
    )
    items = [row_of(RequestAccess(request, caller)) for request in page.items]
    return RequestPage(items, page.total, page.next_cursor)


def count_waiting(caller: Caller, place_access: ProjectAccess | None) -> int:
    """How many pending ones the caller may decide, in a project or (None) everywhere.

    The rows alone: whether it is a person in the browser is not asked.
    """
    require_scope(caller, Scope.READ)
    rows = DeletionRequest.objects.filter(decided_by(caller), state=State.PENDING)
    if place_access is not None:
        rows = rows.filter(project=place_access.project)
    return rows.count()


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
