"""The words of the deletion requests themselves, which may quote what they are about."""

from django.db.models import Q, QuerySet

from privacy.erasers.base import Eraser, Scope
from privacy.models import DeletionRequest


def _of(scope: Scope) -> QuerySet[DeletionRequest]:
    """The requests, decided ones too, of what is erased."""
    if scope.proposal is not None:
        return DeletionRequest.objects.filter(proposal=scope.proposal)
    if scope.version is not None:
        return DeletionRequest.objects.filter(item=scope.item, version=scope.version)
    return DeletionRequest.objects.filter(Q(item=scope.item) | Q(proposal__item=scope.item))


def _erase(scope: Scope) -> dict[str, int]:
    rows = _of(scope)
    rows.filter(state=DeletionRequest.State.PENDING).update(
        state=DeletionRequest.State.ERASING,
        decided_at=scope.now,
        decided_by=scope.by.person_id,
    )
    rows.update(reason="", decision_reason="")
    if scope.traces.words or scope.traces.triples:
        _empty_quoting(scope)
    return {}


def _empty_quoting(scope: Scope) -> None:
    """Empty the words of the item's other requests that quote the erased version."""
    of_item = Q(item=scope.item) | Q(proposal__item=scope.item)
    for each in DeletionRequest.objects.filter(of_item).exclude(reason="", decision_reason=""):
        if scope.traces.are_in(each.reason, each.decision_reason):
            each.reason = each.decision_reason = ""
            each.save(update_fields=["reason", "decision_reason"])


def _left(scope: Scope) -> int:
    rows = _of(scope).filter(created__lte=scope.now)  # newer ones are of a text that is new
    return rows.exclude(reason="", decision_reason="").count()


ERASER = Eraser(
    fields=("privacy.DeletionRequest.reason", "privacy.DeletionRequest.decision_reason"),
    erase=_erase,
    left=_left,
)
