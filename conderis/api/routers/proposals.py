"""Proposals, and how far requests for deletion have come."""

from django.http import HttpRequest, HttpResponse
from ninja import Body, Query, Router

from conderis.api.answering import CREATED, OK, answered
from conderis.api.authenticating import caller_of
from conderis.api.bodies import Decision, DeletionWish
from conderis.api.describing import described
from conderis.api.queries import (
    Parts,
    ProposalList,
    filtered_by,
    filters_sent,
    proposal_filters,
)
from items.requests import ActRequest, Address, DeletionCall, ListRequest, ReadRequest
from privacy.reading import read_at
from privacy.requesting import request_deletion
from proposals.queue import list_proposals
from proposals.writing import act

router = Router(tags=["Proposals"])

PROPOSAL = "/proposals/{proposal}"
KIND = "proposal"


@router.get("/projects/{place:project}/proposals", **described("ProposalPage", reading=True))
@filtered_by(proposal_filters)
def proposals_list(request: HttpRequest, project: str, query: Query[ProposalList]) -> HttpResponse:
    """List or search the proposals of a project that you may see: pending ones, if not asked."""
    return _list(request, project, query)


@router.get("/proposals", **described("ProposalPage", reading=True))
@filtered_by(proposal_filters)
def proposals_across(request: HttpRequest, query: Query[ProposalList]) -> HttpResponse:
    """List or search the proposals of all projects that you may see."""
    return _list(request, None, query)


@router.get(PROPOSAL, **described("Proposal", reading=True))
def proposal_read(request: HttpRequest, proposal: str, query: Query[Parts]) -> HttpResponse:
    """Read a proposal with all that it would change."""
    wanted = ReadRequest(
        address=_address(proposal), section=query.section, offset=query.offset, take=query.take
    )
    return answered(read_at(caller_of(request), wanted))


@router.post(f"{PROPOSAL}/actions", **described("Acted"))
def proposal_act(request: HttpRequest, proposal: str, sent: Body[Decision]) -> HttpResponse:
    """Approve, reject or withdraw a proposal."""
    wanted = ActRequest(
        address=_address(proposal), action=sent.action, version=sent.version, reason=sent.reason
    )
    return answered(act(caller_of(request), wanted))


@router.post(f"{PROPOSAL}/deletion-requests", **described("DeletionRequested", statuses=(200, 201)))
def proposal_delete(request: HttpRequest, proposal: str, sent: Body[DeletionWish]) -> HttpResponse:
    """Ask a person to erase a proposal of yours for good. It is locked at once."""
    wanted = DeletionCall(address=_address(proposal), version=sent.version, reason=sent.reason)
    answer = request_deletion(caller_of(request), wanted)
    return answered(answer, status=CREATED if answer["outcome"] == "locked" else OK)


@router.get("/deletion-requests/{deletion}", **described("DeletionRequest", reading=True))
def deletion_read(request: HttpRequest, deletion: str) -> HttpResponse:
    """Read how far a request for deletion has come: for who asked, and for who decides."""
    return answered(read_at(caller_of(request), ReadRequest(_named(deletion, "deletion"))))


def _list(request: HttpRequest, project: str | None, query: ProposalList) -> HttpResponse:
    wanted = ListRequest(
        kind=KIND,
        project_id=project,
        query=query.query,
        filters=filters_sent(request, proposal_filters()),
        sort=query.sort,
        limit=query.limit,
        cursor=query.cursor,
    )
    return answered(list_proposals(caller_of(request), wanted))


def _address(proposal: str) -> Address:
    return _named(proposal, KIND)


def _named(sent: str, word: str) -> Address:
    """The address of an id, also where it is sent with its word."""
    return Address(ref=f"{word}:{sent.removeprefix(f'{word}:')}")
