"""Numbers of items: one sequence a project, without gaps, never given twice."""

from collections.abc import Sequence
from datetime import datetime

from items.hygiene.points import note_change
from items.models import Item
from projects.models import Project


def give_numbers(items: Sequence[Item], now: datetime) -> None:
    """Give items of one project its next numbers, in order; this transaction holds its row.

    An undone transaction gives its numbers back, since the counter is undone with it.
    """
    project = items[0].project
    if project is None:
        return
    for item in items:
        project.last_number += 1
        item.number = project.last_number
    changed = {"changed": now} if any(item.visibility != "private" for item in items) else {}
    Project.objects.filter(pk=project.pk).update(last_number=project.last_number, **changed)
    if changed:
        note_change(project.pk)


def touch_project(item: Item, now: datetime) -> None:
    """Note that something in the item's project has changed; lists of projects show it.

    What nobody but its author can see leaves no trace there.
    """
    if item.project_id is not None and item.visibility != "private":
        Project.objects.filter(pk=item.project_id).update(changed=now)
        note_change(item.project_id)
