"""Which memories bear on the work: those related to tasks that are active."""

from enum import IntEnum

from django.db.models import Q
from django.db.models.functions import Coalesce

from items.kinds.task import TASK
from items.models import Relation
from items.recall.keys import Apart, keys_of

_URGENT = 0  # the priority
_IN_WORK = ("in_progress", "blocked")


class Link(IntEnum):
    """How a memory bears on the active tasks: on one in work, on another one, on none."""

    IN_WORK = 0
    ACTIVE = 1
    NONE = 2


def related(project: int, *, link: Link) -> list[Apart]:
    """What is so related to the tasks of a project, the keys for each direction.

    Of what is inside something else, the key is that of what holds it.
    """
    return [
        keys_of(
            Relation.objects.filter(_active(task, project, link)),
            Coalesce(f"{other}__parent", other),
        )
        for task, other in (("target", "source"), ("source", "target"))
    ]


def _active(side: str, project: int, link: Link) -> Q:
    """The task at this side is active, and in work or urgent where that is asked."""
    task = Q(
        (f"{side}__project", project),
        (f"{side}__kind", TASK.name),
        (f"{side}__status__in", TASK.active_statuses),
        (f"{side}__archived_at__isnull", True),
        (f"{side}__locked_at__isnull", True),
    )
    if link is Link.IN_WORK:
        task &= Q((f"{side}__status__in", _IN_WORK)) | Q((f"{side}__priority", _URGENT))
    return task
