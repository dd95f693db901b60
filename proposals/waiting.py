"""The proposals of all projects that wait for the caller: those that it may decide now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Count, Q, QuerySet

from conderis.common.caller import Caller, Scope
from items.kinds.base import Review
from items.kinds.registry import all_kinds
from projects.access import projects_with, require_scope
from projects.assignees import MANAGERS, MODERATORS
from projects.capabilities import Capability
from projects.mine import RowsOfCaller, others_with
from proposals.access import whole, with_locks
from proposals.models import Proposal


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """A proposal that the caller may decide. `number` None is one of new items.

    `count` is how many items a batch has; None for what is of one item.
    """

    public_id: str
    project: str
    number: int | None
    title: str
    action: str
    kind: str
    count: int | None
    person: str
    agent: str
    created: datetime
    is_own: bool


@dataclass(frozen=True, slots=True)
class WaitingProposals:
    """The oldest of them, and how many there are by the id of their project."""

    items: list[WaitingProposal]
    by_project: Mapping[int, int]

    @property
    def total(self) -> int:
        """How many in all."""
        return sum(self.by_project.values())


def waiting_proposals(caller: Caller, *, limit: int) -> WaitingProposals:
    """The pending proposals that a person may approve or reject, the oldest first.

    Their own are among them only where nobody else could decide. What a deletion request
    locks waits for that first, and is left out.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    require_scope(caller, Scope.READ)
    owners = tuple(kind.name for kind in all_kinds() if kind.review is Review.OWNERS)
    by_project = dict(_counts(owners).rows(caller))
    if not by_project:
        return WaitingProposals([], {})
    oldest = _oldest(owners).rows(caller, limit=limit)
    return WaitingProposals([_row(caller, row) for row in oldest], by_project)


def _decidable(caller: Caller, owners: tuple[str, ...]) -> QuerySet[Proposal]:
    managed = projects_with(caller, Capability.MANAGE).values("pk")
    moderated = projects_with(caller, Capability.MODERATE).values("pk")
    of_owners = Q(kind__in=owners)
    others_decide = (of_owners & others_with(caller.person_id, MANAGERS)) | (
        ~of_owners & others_with(caller.person_id, MODERATORS)
    )
    return Proposal.objects.filter(
        Q(project__in=managed) | (Q(project__in=moderated) & ~of_owners),
        ~Q(proposer=caller.person_id) | ~others_decide,
        state=Proposal.State.PENDING,
    )


@cache
def _counts(owners: tuple[str, ...]) -> RowsOfCaller[tuple[Any, ...]]:
    def build(caller: Caller) -> QuerySet[Proposal, tuple[Any, ...]]:
        rows = with_locks(_decidable(caller, owners)).filter(Q(("content_locked", False)))
        return rows.order_by().values_list("project").annotate(many=Count("pk"))

    return RowsOfCaller(build)


@cache
def _oldest(owners: tuple[str, ...]) -> RowsOfCaller[Proposal]:
    def build(caller: Caller, limit: int) -> QuerySet[Proposal]:
        rows = whole(_decidable(caller, owners)).filter(Q(("content_locked", False)))
        return rows.order_by("created", "public_id")[:limit]

    return RowsOfCaller(build, limit=int)


def _row(caller: Caller, proposal: Proposal) -> WaitingProposal:
    agent = proposal.proposer_agent
    return WaitingProposal(
        public_id=proposal.public_id,
        project=proposal.project.full_name,
        number=proposal.item.number if proposal.item is not None else None,
        title=proposal.title,
        action=proposal.action,
        kind=proposal.kind,
        count=proposal.count,
        person=proposal.proposer.display_name,
        agent=agent.name if agent is not None else "",
        created=proposal.created,
        is_own=proposal.proposer_id == caller.person_id,
    )
