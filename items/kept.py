"""What was worked out of a project's shared items, kept while nothing of them changes.

Whoever changes something shared notes the time at the project (`items.numbers`), in the same
transaction; what deletion requests lock and release notes none, and is counted. As long as
both are the same, working it out again would give the same, but for what time alone changes:
that is for who keeps it to say. The memory is that of one process, and holds no text. Nothing
may be worked out here within a transaction that has written: it could be undone.
"""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, TypeVar

from django.db.models import Count, Max, QuerySet

from conderis.common.prepared import Prepared
from conderis.common.replicas import is_reading
from items.models import Item
from projects.models import Project

MOST_KEPT: Final = 200  # projects

T = TypeVar("T")

_all: list["Kept[Any]"] = []


class State(NamedTuple):
    """What there is of a project, as far as who reads it can tell."""

    public_id: str  # a key may be given anew where a project was erased
    changed: datetime
    last_number: int
    session_days: int
    locked: int
    locked_last: datetime | None


def state_of(project: Project) -> State:
    """The state of the project as this row of it was read."""
    counted = _LOCKED.rows(project=project.pk)
    _, locked, last = counted[0] if counted else (None, 0, None)
    return State(
        project.public_id,
        project.changed,
        project.last_number,
        project.session_days,
        locked,
        last,
    )


def _locked(project: int) -> QuerySet[Item, tuple[Any, ...]]:
    rows = Item.objects.filter(project=project, locked_at__isnull=False).order_by()
    return rows.values_list("project").annotate(many=Count("pk"), last=Max("locked_at"))


_LOCKED: Final = Prepared[tuple[Any, ...]](_locked, project=int)


class Kept(Generic[T]):
    """One thing for each project; the projects asked for longest ago are dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[State, T]] = OrderedDict()
        self._lock = Lock()
        _all.append(self)

    def get(
        self, project: Project, state: State, make: Callable[[], T], stands: Callable[[T], bool]
    ) -> T:
        """What was kept for the project in this state, else what is made now, to be kept.

        `stands` says whether what was kept still holds, as far as time goes.
        """
        found = self.find(project, state)
        if found is not None and stands(found):
            return found
        made = make()
        self.keep(project, state, made)
        return made

    def find(self, project: Project, state: State) -> T | None:
        """What was kept for the project in this state."""
        with self._lock:
            found = self._kept.get(project.pk)
            if found is None or found[0] != state:
                return None
            self._kept.move_to_end(project.pk)
            return found[1]

    def keep(self, project: Project, state: State, made: T) -> None:
        """Keep it for the project as long as the state is this one.

        Not what was read of a replica beside a state of the database.
        """
        if is_reading():
            return
        with self._lock:
            self._kept[project.pk] = state, made
            self._kept.move_to_end(project.pk)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def drop(self, project_id: int) -> None:
        """Keep nothing for the project of this key."""
        with self._lock:
            self._kept.pop(project_id, None)


class Lately(Generic[T]):
    """What was found of each project the last time, whatever has changed since.

    Only to choose between ways that come to the same.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def find(self, project: Project) -> T | None:
        """What was found of it the last time, if that is still known."""
        return self._kept.get(project.public_id)

    def keep(self, project: Project, found: T) -> None:
        """Know it the next time."""
        with self._lock:
            self._kept[project.public_id] = found
            self._kept.move_to_end(project.public_id)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def forget(project_id: int) -> None:
    """Have everything be worked out anew for the project of this key.

    For who reads on in the transaction that changes it; others go by the time of the change.
    """
    for each in _all:
        each.drop(project_id)
