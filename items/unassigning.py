"""Taking a person, who leaves, off the tasks that are still to do."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Q, QuerySet

from conderis.accounts import audit
from conderis.common.caller import Caller
from items.access import subject_of
from items.events import record_event
from items.filling import WORK_COLUMNS, fill_work
from items.kinds.registry import all_kinds
from items.kinds.task import Work
from items.models import Item, ItemEvent
from items.numbers import touch_project
from items.state import work_of

_RELATED = ("project", "parent", "assignee_person", "assignee_agent__person")


def assigned_work(person: int) -> QuerySet[Item]:
    """The active items that the person or one of the person's agents is assigned to."""
    active = Q()
    for kind in all_kinds():
        if kind.statuses:
            active |= Q(kind=kind.name, status__in=kind.active_statuses)
    mine = Q(assignee_person=person) | Q(assignee_agent__person=person)
    return Item.objects.filter(active & mine) if active else Item.objects.none()


def unassign_work(caller: Caller, now: datetime) -> int:
    """Take the caller's person and agents off their active tasks; how many there were.

    Each becomes a new version of its own, a task in progress an open one; closed tasks keep
    who did them. The caller's transaction holds the projects' rows.
    """
    ids = list(assigned_work(caller.person_id).order_by("pk").values_list("pk", flat=True))
    for pk in ids:
        _unassign(caller, Item.objects.select_related(*_RELATED).get(pk=pk), now)
    return len(ids)


def _unassign(caller: Caller, item: Item, now: datetime) -> None:
    work = work_of(item)
    after = _given_back(work)
    fill_work(item, after)
    changed = ["status", "assignee"] if after.status != work.status else ["assignee"]
    if item.locked_at is not None:  # nothing of it may be copied
        item.save(update_fields=[*WORK_COLUMNS])
        ItemEvent.objects.create(
            item=item, event="changed", at=now, author_id=caller.person_id, changed=changed
        )
    else:
        item.version += 1
        item.changed = now
        item.save(update_fields=[*WORK_COLUMNS, "version", "changed"])
        record_event(caller, item, event="changed", at=now, changed=changed)
    touch_project(item, now)
    audit.record(
        caller,
        action="item.changed",
        subject=subject_of(item),
        project_id=item.project_id,
        fields=changed,
        version=item.version,
    )


def _given_back(work: Work) -> Work:
    def free(status: str) -> str:
        return "open" if status == "in_progress" else status

    return replace(
        work,
        assignee=None,
        held_since=None,
        status=free(work.status),
        status_before=free(work.status_before),
    )
