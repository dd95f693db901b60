"""Proposals: of the item, or those that repeat what only the erased version had."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from conderis.accounts import audit
from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from items.access import subject_of
from privacy.erasers.base import Eraser, Scope
from privacy.erasures import note_erasure
from privacy.models import Erasure
from proposals.models import Proposal


def _erase(scope: Scope) -> dict[str, int]:
    counts = {"proposals": 0}
    for proposal in holding(scope):
        _empty(proposal, scope)
        counts["proposals"] += 1
    return counts


def holding(scope: Scope) -> Iterable[Proposal]:
    """The proposals that go with what is erased.

    With a version: what came of it or was worked out from it and repeats it, and whatever
    else repeats what tells.
    """
    if scope.proposal is not None:
        return [scope.proposal]
    rows = _standing(scope)
    if scope.version is None:
        return rows
    return [each for each in rows.iterator(50) if _repeats(each, scope)]


def _repeats(proposal: Proposal, scope: Scope) -> bool:
    if proposal.result_version == scope.version:
        return True
    said = (proposal.title, proposal.reason, proposal.decision_reason, proposal.fields)
    if proposal.base_version == scope.version:
        return scope.traces.are_in_what_came_of_it(*said)
    return scope.traces.are_in(*said)


def _standing(scope: Scope) -> QuerySet[Proposal]:
    if scope.item is None:
        return Proposal.objects.none()
    return Proposal.objects.filter(item=scope.item, erased_at__isnull=True).order_by("pk")


def _empty(proposal: Proposal, scope: Scope) -> None:
    waited = proposal.state == Proposal.State.PENDING
    proposal.title = proposal.reason = proposal.decision_reason = proposal.digest = ""
    proposal.fields = {}
    proposal.erased_at = proposal.changed = scope.now
    if waited:
        proposal.state = Proposal.State.REJECTED
        proposal.decided_at = scope.now
        proposal.decided_by_id = scope.by.person_id
    proposal.save()
    if proposal.item is not None and proposal.result_version is not None:
        # The version that came of it says why it was proposed.
        proposal.item.events.filter(version=proposal.result_version).update(reason="")
    note_erasure(
        what=Erasure.What.PROPOSAL,
        target=proposal.public_id,
        by=_ref_of(scope.by.person_id),
        cause=scope.cause,
    )
    if waited:
        item = proposal.item
        audit.record(
            Operator(person_id=scope.by.person_id),
            action="proposal.rejected",
            subject=proposal.ref,
            project_id=proposal.project_id,
            item=subject_of(item) if item is not None else None,
            erased=True,
        )


def _ref_of(person_id: int) -> str:
    return Person.objects.get(pk=person_id).ref


def _left(scope: Scope) -> int:
    if scope.version is not None and scope.item is not None:
        rows = Proposal.objects.filter(item=scope.item, result_version=scope.version)
    elif scope.proposal is not None:
        rows = Proposal.objects.filter(pk=scope.proposal.pk)
    else:
        # Instructions that were erased may have new ones.
        rows = Proposal.objects.filter(item=scope.item, created__lte=scope.now)
    empty = Q(title="", reason="", decision_reason="", digest="", fields={})
    return rows.exclude(empty).count()


ERASER = Eraser(
    fields=(
        "proposals.Proposal.title",
        "proposals.Proposal.reason",
        "proposals.Proposal.decision_reason",
        "proposals.Proposal.fields",
    ),
    erase=_erase,
    left=_left,
)
