"""Erasing rows for good: what a person or a project leaves behind when it goes."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from conderis.accounts import audit
from conderis.accounts.actors import Actor
from conderis.accounts.models import Person
from items.models import Item, ItemEvent, ItemTag, Relation
from items.search import forget_for_good
from privacy.clearing import start_finishing
from privacy.erasures import note_erasure, note_items
from privacy.models import DeletionRequest, Erasure
from projects.models import Project
from proposals.models import BatchResult, Proposal, ProposedItem

CHUNK = 500  # rows at once


def erase_items(items: QuerySet[Item], *, by: str) -> int:
    """Erase the items with their histories, tags, relations, proposals and deletion requests.

    The index forgets them. No tombstone stays: for items that nobody is left to read.
    Children of theirs that are not among them come to the top. `by` is who has it so
    (`person:<id>`). How many there were. Runs in the caller's transaction.
    """
    note_items(items.order_by("pk").values_list("public_id", flat=True), by=by)
    transaction.on_commit(start_finishing)
    return _erase_all(items)


def _erase_all(items: QuerySet[Item]) -> int:
    ids = list(items.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        _erase(ids[start : start + CHUNK])
    if ids:
        forget_for_good(ids)
    return len(ids)


def _erase(ids: Sequence[int]) -> None:
    DeletionRequest.objects.filter(Q(item__in=ids) | Q(proposal__item__in=ids)).delete()
    Proposal.objects.filter(item__in=ids).delete()
    ProposedItem.objects.filter(item__in=ids).update(item=None, fields={})
    Relation.objects.filter(Q(source__in=ids) | Q(target__in=ids)).delete()
    ItemTag.objects.filter(item__in=ids).delete()
    ItemEvent.objects.filter(item__in=ids).delete()
    Item.objects.filter(archived_with__in=ids).update(archived_with=None)
    Item.objects.filter(parent__in=ids).update(parent=None)
    Item.objects.filter(pk__in=ids).only("pk").delete()  # else they are loaded, texts and all


def erase_project(actor: Actor, project: Project) -> int:
    """Erase a project with everything in it; its `owner/name` and former ones become free.

    Its audit events stay, and one more says who erased how many items. How many there were.
    Runs in the caller's transaction, which holds the project's row.
    """
    erased = _erase_all(Item.objects.filter(project=project))
    DeletionRequest.objects.filter(project=project).delete()
    BatchResult.objects.filter(project=project).delete()
    Proposal.objects.filter(project=project).delete()  # those of items that never came to be
    audit.record(
        actor,
        action="project.erased",
        subject=project.ref,
        project_id=project.pk,
        organization_id=project.owner_organization_id,
        items=erased,
    )
    by = Person.objects.filter(pk=actor.person_id).first() if actor.person_id else None
    note_erasure(
        what=Erasure.What.PROJECT, target=project.public_id, by=by.ref if by is not None else ""
    )
    project.delete()
    transaction.on_commit(start_finishing)
    return erased
