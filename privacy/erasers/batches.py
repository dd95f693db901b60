"""Batches: the items of a proposed one, and the digests of what was sent."""

from django.db.models import QuerySet

from privacy.erasers.base import Eraser, Scope
from proposals.batching.results import results_holding
from proposals.models import BatchResult, Proposal, ProposedItem


def _erase(scope: Scope) -> dict[str, int]:
    entries = holding(scope)
    proposals = {entry.proposal_id for entry in entries}
    for entry in entries:
        entry.fields = {}
        entry.erased_at = scope.now
    ProposedItem.objects.bulk_update(entries, ["fields", "erased_at"])
    if scope.proposal is None:
        # What the whole batch says, and why it was decided so, may name what was in it.
        Proposal.objects.filter(pk__in=proposals).update(
            title="", reason="", decision_reason="", digest=""
        )
    results = results_of(scope)
    for row in results:
        row.digest = ""
    BatchResult.objects.bulk_update(results, ["digest"])
    return {"batch_items": len(entries), "batch_results": len(results)}


def holding(scope: Scope) -> list[ProposedItem]:
    """The proposed items that go with what is erased, as proposals do."""
    standing = _standing(scope)
    if scope.version is None or scope.proposal is not None:
        return list(standing)
    return [
        each
        for each in standing
        if scope.version == 1
        or scope.traces.are_in(
            each.fields, each.proposal.title, each.proposal.reason, each.proposal.decision_reason
        )
    ]


def results_of(scope: Scope) -> list[BatchResult]:
    """The results whose digest is of a text that holds what is erased.

    Of a version only where it is the first: what was sent then.
    """
    if scope.proposal is not None:
        return list(BatchResult.objects.filter(proposal=scope.proposal).exclude(digest=""))
    if scope.item is None or scope.version not in (None, 1):
        return []
    return [row for row in results_holding(scope.item) if row.digest]


def _standing(scope: Scope) -> QuerySet[ProposedItem]:
    rows = ProposedItem.objects.filter(erased_at__isnull=True).select_related("proposal")
    if scope.proposal is not None:
        return rows.filter(proposal=scope.proposal)
    return rows.filter(item=scope.item) if scope.item is not None else rows.none()


def _left(scope: Scope) -> int:
    if scope.version not in (None, 1):
        return 0
    rows = ProposedItem.objects.exclude(fields={})
    if scope.proposal is not None:
        return rows.filter(proposal=scope.proposal).count()
    kept = rows.filter(item=scope.item).count() if scope.item is not None else 0
    return kept + len(results_of(scope))


ERASER = Eraser(fields=("proposals.ProposedItem.fields",), erase=_erase, left=_left)
