"""The tasks in work: what is being done, what is stuck, what can be started."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Protocol

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When, Window

from conderis.common.caller import Caller
from conderis.common.prepared import Prepared
from conderis.common.text import cut_at_word
from items.access import items_of_project
from items.filters import ready_for
from items.kept import Kept, state_of
from items.kinds.registry import active_statuses
from items.kinds.task import PRIORITIES, TASK
from items.models import Item
from items.overdue import is_overdue
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough, fetched
from items.recall.listing import Listing
from items.recall.relevance import by_rank, matched_first
from items.recall.slots import TASKS, Section
from items.relations import waits_for

MAX_REASON = 300  # characters of the reason of a block
MAX_BLOCKERS = 5  # numbers of the tasks that one waits for

# What the tasks are ordered by.
_STARTED, _STUCK, _READY, _LATER = range(4)
_ORDER = (
    F("stage").asc(),
    F("priority").asc(nulls_last=True),
    F("due").asc(nulls_last=True),
    F("number").asc(),
)
_COLUMNS = (
    "pk",
    "number",
    "version",
    "title",
    "status",
    "priority",
    "due",
    "blocked_reason",
    "parent__number",
    "parent__locked_at",
    "held_since",
    "assignee_person_id",
    "assignee_person__display_name",
    "assignee_agent_id",
    "assignee_agent__name",
    "stage",
    "total",
)


@dataclass(frozen=True, slots=True)
class Row:
    """What is loaded of a task; `total` says how many there are."""

    pk: int
    number: int
    version: int
    title: str
    status: str
    priority: int | None
    due: date | None
    reason: str
    parent: int | None
    parent_locked_at: datetime | None
    held_since: datetime | None
    person: int | None
    person_name: str | None
    agent: int | None
    agent_name: str | None
    stage: int
    total: int

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(one_line(self.title))


def read_tasks(asking: Asking) -> list[Section]:
    """The section of tasks, even when it is empty."""
    if asking.project is None:
        return []
    caller = asking.caller
    statuses, active = TASK.active_statuses, active_statuses()
    values: dict[str, Any] = {"project": asking.project.pk, "person": caller.person_id}
    if caller.agent_id is not None:
        values["agent"] = caller.agent_id

    if asking.ranks:
        values["fitting"] = list(asking.ranks)

    def fetch(limit: int, *, part: bool = False) -> list[Row]:
        prepared = _prepared(
            statuses, active, for_agent="agent" in values, focused="fitting" in values, part=part
        )
        return [Row(*row) for row in prepared.rows(**values, limit=limit)]

    first, total = _first(asking, fetch)
    rows = enough(by_rank(first, asking.ranks), asking.max_chars)
    waiting = waits_for([row.pk for row in rows]) if rows else {}
    entries = [_entry(asking, row, waiting.get(row.pk, [])) for row in rows]
    return [Section(TASKS, Listing("Tasks", entries, total, asking.call("item_list kind=task")))]


class Fetch(Protocol):
    """Loads the first tasks of the order; a `part`: only those that come first in any case."""

    def __call__(self, limit: int, *, part: bool = False) -> list[Row]:
        """So many rows."""


_totals: Kept[int] = Kept()


def _first(asking: Asking, fetch: Fetch) -> tuple[Sequence[Row], int]:
    """The rows that certainly fill the recall, and how many tasks are active.

    Where those are many and there is no focus, what is in work is asked for alone at first:
    often it fills the recall, and the others need not be put in order.
    """
    assert asking.project is not None  # noqa: S101 - a section of a project
    state = asking.state or state_of(asking.project)
    total = _totals.find(asking.project, state)
    few = asking.max_chars // USUAL_LINE
    if not asking.ranks and total is not None and total > 2 * few:
        part = fetch(few, part=True)
        if sum(row.length for row in part) > asking.max_chars:
            return part, total
    rows = fetched(asking, fetch)
    total = rows[0].total if rows else 0
    _totals.keep(asking.project, state, total)
    return rows, total


@cache
def _prepared(
    statuses: tuple[str, ...],
    active: tuple[str, ...],
    *,
    for_agent: bool,
    focused: bool,
    part: bool,
) -> Prepared[tuple[Any, ...]]:
    def build(
        limit: int,
        project: int,
        person: int,
        agent: int | None = None,
        fitting: Sequence[int] = (),
    ) -> QuerySet[Item, tuple[Any, ...]]:
        items = (
            items_of_project(project, person)
            .filter(kind=TASK.name, status__in=statuses)
            .filter(locked_at__isnull=True, archived_at__isnull=True)
            .annotate(stage=_stage(ready_for(person, agent, active)), total=Window(Count("pk")))
        )
        if part:
            items = items.filter(status__in=("in_progress", "blocked"))
        return matched_first(items, fitting, *_ORDER).values_list(*_COLUMNS)[:limit]

    agent = {"agent": int} if for_agent else {}
    fitting = {"fitting": list} if focused else {}
    return Prepared(build, project=int, person=int, **agent, **fitting, limit=int)


def _stage(ready: Q) -> Case:
    """In progress, blocked, ready as the filter of lists has it, or open and not ready."""
    return Case(
        When(status="in_progress", then=Value(_STARTED)),
        When(status="blocked", then=Value(_STUCK)),
        When(ready, then=Value(_READY)),
        default=Value(_LATER),
        output_field=IntegerField(),
    )


def _entry(asking: Asking, row: Row, waiting: Sequence[int]) -> Entry:
    return Entry(
        head=f"- #{row.number} v{row.version}",
        title=one_line(row.title),
        marks=tuple(mark for mark in _marks(asking, row, waiting) if mark),
        detail=cut_at_word(row.reason, MAX_REASON) if row.status == "blocked" else "",
    )


def _marks(asking: Asking, row: Row, waiting: Sequence[int]) -> list[str]:
    return [
        "ready" if row.stage == _READY else row.status,
        _priority(row),
        _holder(asking.caller, row),
        _due(asking, row),
        _parent(row),
        _waits(waiting),
    ]


def _priority(row: Row) -> str:
    word = PRIORITIES[row.priority] if row.priority is not None else ""
    return "" if word == TASK.by_name["priority"].default else word


def _holder(caller: Caller, row: Row) -> str:
    """Who has it, and since when it is in work: one agent may run in several places."""
    name = row.agent_name or row.person_name
    if name is None:
        return ""
    is_caller = (
        row.agent == caller.agent_id
        if row.agent is not None
        else not caller.is_agent and row.person == caller.person_id
    )
    started = row.stage == _STARTED and row.held_since is not None
    since = f" since {row.held_since:%Y-%m-%d}" if started else ""
    return f"{one_line(name)}{' (you)' if is_caller else ''}{since}"


def _due(asking: Asking, row: Row) -> str:
    if row.due is None:
        return ""
    over = is_overdue(asking.caller, due=row.due, status=row.status, now=asking.now)
    return f"{'overdue' if over else 'due'} {row.due.isoformat()}"


def _parent(row: Row) -> str:
    if row.parent is None:
        return ""
    return f"part of #{row.parent}{' (locked)' if row.parent_locked_at else ''}"


def _waits(waiting: Sequence[int]) -> str:
    if not waiting:
        return ""
    named = ", ".join(f"#{number}" for number in waiting[:MAX_BLOCKERS])
    more = len(waiting) - MAX_BLOCKERS
    return f"waits for {named}{f' +{more}' if more > 0 else ''}"
