"""Many items at once. A batch of one with a key is how to create one item exactly once."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Body, Query, Router

from conderis.api.answering import answered
from conderis.api.authenticating import caller_of
from conderis.api.describing import described
from conderis.api.queries import OfKind
from items.requests import BatchRequest
from proposals.writing import batch

router = Router(tags=["Batches"])


@router.post("/projects/{place:project}/batches", **described("BatchStored", body="Batch"))
def batch_store(
    request: HttpRequest, project: str, query: Query[OfKind], sent: Body[dict[str, Any]]
) -> HttpResponse:
    """Store up to 100 new items of a project; each kind as a whole or not at all.

    With an `idempotencyKey` the same again stores nothing twice. Read `outcome`: failed
    kinds are no error of the request.
    """
    wanted = BatchRequest(project_id=project, kind=query.kind, batch=sent)
    return answered(batch(caller_of(request), wanted))


@router.post("/batches", **described("BatchStored", body="Batch"))
def batch_own(
    request: HttpRequest, query: Query[OfKind], sent: Body[dict[str, Any]]
) -> HttpResponse:
    """Store up to 100 personal memories."""
    wanted = BatchRequest(project_id=None, kind=query.kind, batch=sent)
    return answered(batch(caller_of(request), wanted))
