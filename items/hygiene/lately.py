"""A judgement that still stands: nothing shared has changed since, and the day is the same.

Whoever changes something shared notes the time at the project (`touch_project`), in the same
transaction; what deletion requests lock and release notes none, and is counted. As long as
both are the same, judging again would give the same. The memory is that of one process, and
holds no text: numbers of items, by check.
"""

from collections import OrderedDict
from datetime import UTC, date, datetime
from threading import Lock
from typing import Final, NamedTuple

from django.db.models import Count, Max
from django.utils import timezone

from items.hygiene.assessing import Assessment, assess
from items.models import Item
from projects.models import Project

MOST_KEPT: Final = 50  # projects


class _State(NamedTuple):
    """What an assessment depends on, beside the rules."""

    day: date
    changed: datetime
    last_number: int
    session_days: int
    locked: int
    locked_last: datetime | None


_kept: OrderedDict[int, tuple[_State, Assessment]] = OrderedDict()
_lock = Lock()


def assess_lately(project: Project) -> Assessment:
    """What `assess` says of the project as this row of it was read, judged once for a state."""
    state = _state_of(project)
    with _lock:
        found = _kept.get(project.pk)
        if found is not None and found[0] == state:
            _kept.move_to_end(project.pk)
            return found[1]
    assessed = assess(project)
    with _lock:
        _kept[project.pk] = state, assessed
        _kept.move_to_end(project.pk)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return assessed


def _state_of(project: Project) -> _State:
    locked = Item.objects.filter(project=project, locked_at__isnull=False)
    counted = locked.aggregate(many=Count("pk"), last=Max("locked_at"))
    return _State(
        day=timezone.now().astimezone(UTC).date(),
        changed=project.changed,
        last_number=project.last_number,
        session_days=project.session_days,
        locked=counted["many"],
        locked_last=counted["last"],
    )


def forget(project_id: int) -> None:
    """Judge the project anew when it is asked for next."""
    with _lock:
        _kept.pop(project_id, None)
