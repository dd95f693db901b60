"""The deletion requests of all places that wait for the caller's decision."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, Q, QuerySet

from conderis.common.caller import Caller, Scope
from items.kinds.base import Review
from items.kinds.registry import all_kinds
from privacy.access import PENDING, RequestAccess, visible_requests
from privacy.models import DeletionRequest
from privacy.queue import RequestRow, row_of
from projects.access import require_scope
from projects.mine import RowsOfCaller


@dataclass(frozen=True, slots=True)
class WaitingRequests:
    """The oldest of them, and how many there are by the id of their project.

    Those of personal memories and of organizations are under None.
    """

    items: list[RequestRow]
    by_project: Mapping[int | None, int]

    @property
    def total(self) -> int:
        """How many in all."""
        return sum(self.by_project.values())


def waiting_requests(caller: Caller, *, limit: int) -> WaitingRequests:
    """The pending requests that the caller's role lets it decide, the oldest first.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    require_scope(caller, Scope.READ)
    owners = tuple(kind.name for kind in all_kinds() if kind.review is Review.OWNERS)
    by_project = dict(_counts(owners).rows(caller))
    if not by_project:
        return WaitingRequests([], {})
    oldest = _oldest(owners).rows(caller, limit=limit)
    return WaitingRequests([row_of(RequestAccess(row, caller)) for row in oldest], by_project)


def _waiting(caller: Caller) -> QuerySet[DeletionRequest]:
    return visible_requests(caller).filter(Q(("decides", True)), state=PENDING)


# By the kinds that owners review, which the door asks the registry for.
@cache
def _counts(_owners: tuple[str, ...]) -> RowsOfCaller[tuple[Any, ...]]:
    def build(caller: Caller) -> QuerySet[DeletionRequest, tuple[Any, ...]]:
        return _waiting(caller).order_by().values_list("project").annotate(many=Count("pk"))

    return RowsOfCaller(build)


@cache
def _oldest(_owners: tuple[str, ...]) -> RowsOfCaller[DeletionRequest]:
    def build(caller: Caller, limit: int) -> QuerySet[DeletionRequest]:
        return _waiting(caller).order_by("created", "public_id")[:limit]

    return RowsOfCaller(build, limit=int)
