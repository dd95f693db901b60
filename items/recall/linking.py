"""Which memories bear on the work: those related to tasks that are active."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from conderis.common.prepared import Prepared
from items.kinds.task import TASK
from items.models import Relation
from items.recall.keys import Apart, keys_of, read_keys

_URGENT = 0  # the priority
IN_WORK = ("in_progress", "blocked")


class Link(IntEnum):
    """How a memory bears on the active tasks: on one in work, on another one, on none."""

    IN_WORK = 0
    ACTIVE = 1
    NONE = 2


def related(project: int) -> list[Apart]:
    """What shared items are related to the active tasks of a project, by direction.

    Keys to be read by `read_related`. Of what is inside something else, the key is that of
    what holds it.
    """
    return [
        keys_of(
            Relation.objects.filter(_active(task, project)).exclude(
                **{f"{other}__visibility": "private"}
            ),
            2 * Coalesce(f"{other}__parent", other) + _urges(task),
            distinct=False,
        )
        for task, other in (("target", "source"), ("source", "target"))
    ]


def read_related(found: Sequence[Any], most: int) -> dict[int, Link]:
    """How each key bears on active tasks; so many of each sort, the newest."""
    doubled = {key for each in found for key in read_keys(each)}
    active = sorted({key // 2 for key in doubled})[-most:]
    in_work = sorted(key // 2 for key in doubled if key % 2)[-most:]
    return dict.fromkeys(active, Link.ACTIVE) | dict.fromkeys(in_work, Link.IN_WORK)


def links_of(keys: Sequence[int]) -> dict[int, Link]:
    """How each of these items bears on active tasks, by the key of what holds it, if any."""
    if not keys:
        return {}
    found: dict[int, Link] = {}
    own = set(keys)
    for source, target, *columns in _BESIDE.rows(keys=list(keys), again=list(keys)):
        for key, at, task in ((source, 0, 1), (target, 1, 0)):
            parent = columns[at]
            kind, status, priority, archived, locked = columns[2 + task :: 2]
            if key not in own or kind != TASK.name or status not in TASK.active_statuses:
                continue
            if archived is not None or locked is not None:
                continue
            link = Link.IN_WORK if status in IN_WORK or priority == _URGENT else Link.ACTIVE
            found[parent or key] = min(link, found.get(parent or key, link))
    return found


def _beside(keys: Sequence[int], again: Sequence[int]) -> QuerySet[Relation, tuple[Any, ...]]:
    columns = ("parent", "kind", "status", "priority", "archived_at", "locked_at")
    names = [f"{side}__{name}" for name in columns for side in ("source", "target")]
    rows = Relation.objects.filter(Q(source__in=keys) | Q(target__in=again)).order_by()
    return rows.values_list("source_id", "target_id", *names)


_BESIDE: Final = Prepared[tuple[Any, ...]](_beside, keys=list, again=list)


def _active(side: str, project: int) -> Q:
    """The task at this side is active."""
    return Q(
        (f"{side}__project", project),
        (f"{side}__kind", TASK.name),
        (f"{side}__status__in", TASK.active_statuses),
        (f"{side}__archived_at__isnull", True),
        (f"{side}__locked_at__isnull", True),
    )


def _urges(side: str) -> Case:
    """1 where the task at this side is in work or urgent, else 0."""
    urges = Q((f"{side}__status__in", IN_WORK)) | Q((f"{side}__priority", _URGENT))
    return Case(When(urges, then=Value(1)), default=Value(0), output_field=IntegerField())
