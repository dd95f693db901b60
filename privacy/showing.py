"""A deletion request with all that deciding it takes, but the content."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q

from conderis.common.caller import Caller
from items.events import Signature
from items.models import Item, Relation
from privacy.access import access_request
from privacy.erasers.base import Scope
from privacy.erasers.batches import holding as holding_in_batches
from privacy.erasers.batches import results_of
from privacy.erasers.proposals import holding
from privacy.erasers.registry import traces_of
from privacy.models import DeletionRequest
from privacy.queue import RequestRow, row_of
from proposals.models import Proposal

LONG_ENOUGH = 40  # characters of a text that two versions are said to share


@dataclass(frozen=True, slots=True)
class Affected:
    """How many rows of each sort erasing touches.

    `equal_versions` are other versions with one of the same long texts: erasing this one
    alone leaves it in them.
    """

    versions: int = 0
    events: int = 0
    proposals_pending: int = 0
    proposals_decided: int = 0
    relations: int = 0
    children: int = 0
    batch_results: int = 0
    equal_versions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestShown:
    """A request; `removed` counts what erasing it has emptied, by sort."""

    row: RequestRow
    affected: Affected
    may_withdraw: bool
    cannot_decide_because: str | None
    removed: Mapping[str, int] = field(default_factory=dict)


def show_request(caller: Caller, ref: str) -> RequestShown:
    """The request, and what erasing would touch. A constant number of queries.

    Raises:
        NotFound: there is none that the caller may see, or the reference is none.
    """
    access = access_request(caller, ref)
    request = access.request
    waits = request.state == DeletionRequest.State.PENDING
    return RequestShown(
        row=row_of(access),
        affected=_affected(request) if waits else Affected(),
        may_withdraw=access.may_withdraw,
        cannot_decide_because=access.cannot_decide_because,
        removed=request.removed,
    )


def _affected(request: DeletionRequest) -> Affected:
    if request.item_id is None:
        proposal = request.proposal
        waits = proposal is not None and proposal.state == Proposal.State.PENDING
        return Affected(proposals_pending=int(waits), proposals_decided=int(not waits))
    columns = ("pk", "version", "kind", "project", "author", "created")
    item = Item.objects.only(*columns).get(pk=request.item_id)
    events = item.events.filter(version__isnull=False, state__isnull=False)
    if request.version is not None and events.exclude(version=request.version).exists():
        return _affected_by_version(item, request)
    proposals = Proposal.objects.filter(item=item, erased_at__isnull=True)
    pending = proposals.filter(state=Proposal.State.PENDING).count()
    scope = Scope(Signature(request.requester_id), request.created, item=item)
    return Affected(
        versions=events.count(),
        events=item.events.count(),
        proposals_pending=pending,
        proposals_decided=proposals.count() - pending + _batches(scope),
        batch_results=len(results_of(scope)),
        relations=Relation.objects.filter(Q(source=item) | Q(target=item)).count(),
        children=item.children.count(),
    )


def _affected_by_version(item: Item, request: DeletionRequest) -> Affected:
    version = request.version or 0
    scope = Scope(
        Signature(request.requester_id), request.created, item=item, version=version,
        traces=traces_of(item, version),
    )  # fmt: skip
    states = [proposal.state for proposal in holding(scope)]
    pending = states.count(Proposal.State.PENDING)
    return Affected(
        versions=1,
        events=1,
        proposals_pending=pending,
        proposals_decided=len(states) - pending + _batches(scope),
        batch_results=len(results_of(scope)),
        equal_versions=_equal(item, version),
    )


def _batches(scope: Scope) -> int:
    return len({entry.proposal_id for entry in holding_in_batches(scope)})


def _equal(item: Item, version: int) -> tuple[int, ...]:
    """The other versions that hold one of the version's long texts, whole."""
    texts: set[str] = set()
    others: list[tuple[int, set[str]]] = []
    rows = item.events.filter(version__isnull=False, state__isnull=False).order_by("version")
    for event in rows.only("version", "state").iterator(50):
        found = {
            text
            for text in (event.state or {}).values()
            if isinstance(text, str) and len(text) >= LONG_ENOUGH
        }
        if event.version == version:
            texts = found
        else:
            others.append((event.version or 0, {str(hash(text)) for text in found}))
    marks = {str(hash(text)) for text in texts}
    return tuple(number for number, held in others if held & marks)
