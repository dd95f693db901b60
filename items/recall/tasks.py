"""The tasks in work: what is being done, what is stuck, what can be started."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import Case, CharField, Count, F, Q, QuerySet, Value, When

from conderis.common.caller import Caller
from conderis.common.prepared import Prepared
from conderis.common.text import cut_at_word
from items.access import items_of_project
from items.filters import ready_for
from items.kept import Kept, Lately
from items.kinds.registry import active_statuses
from items.kinds.task import PRIORITIES, TASK
from items.models import Item
from items.overdue import is_overdue
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough, fetched
from items.recall.keys import Apart, keys_of, read_keys
from items.recall.lines import Lines, least_of
from items.recall.linking import IN_WORK
from items.recall.listing import Listing
from items.recall.relevance import by_rank, matched_first
from items.recall.slots import TASKS, Section
from items.relations import blockers
from projects.models import Project

MAX_REASON = 300  # characters of the reason of a block
SPARE = 20  # tasks that are loaded beyond what filled the recall the last time
MAX_BLOCKERS = 5  # numbers of the tasks that one waits for

# What the tasks are ordered by.
_STARTED, _STUCK, _READY, _LATER = "0123"  # text, which Django hands on as it is
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
    "before",
)


class Row(NamedTuple):
    """What is loaded of a task, its title on one line.

    `total` says how many there are, where that is counted, `before` the numbers of the
    unfinished ones that it waits for (see `keys`).
    """

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
    stage: str
    total: int
    before: str | Sequence[int] | None

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(self.title)

    @property
    def least(self) -> int:
        """Characters below which it has no line: it tells its status in any case."""
        return least_of(self.title) + len(f" ({self.state})")

    @property
    def state(self) -> str:
        """Its status, or that it can be started."""
        return "ready" if self.stage == _READY else self.status


def _read(pk: int, number: int, version: int, title: str, *others: Any) -> Row:
    return Row(pk, number, version, one_line(title), *others)


def read_tasks(asking: Asking) -> list[Section]:
    """The section of tasks, even when it is empty."""
    project = asking.project
    if project is None:
        return []
    total = _total.find(project, asking.state) if asking.state is not None else None
    asked = _Asked(asking, project, is_counted=total is not None)
    busy = _busy(asked) if not asking.ranks else []
    found: Sequence[Row] = busy or _all(asked)
    if total is None:
        total = found[0].total if found else 0
        if asking.state is not None:
            _total.keep(project, asking.state, total)
    rows = enough(by_rank(found, asking.ranks), asking.max_chars)
    lines = Lines(rows, lambda row: _entry(asking, row), asking.max_chars)
    return [Section(TASKS, Listing("Tasks", lines, total, asking.call("item_list kind=task")))]


# How many there are: everybody who may read a project may read all of its tasks.
_total: Kept[int] = Kept()


class _Asked(NamedTuple):
    """What is asked of the tasks; where they `is_counted`, they are not counted again."""

    asking: Asking
    project: Project
    is_counted: bool

    @property
    def values(self) -> dict[str, Any]:
        return {"project": self.project.pk, "person": self.asking.caller.person_id}


class _InWork(NamedTuple):
    """How many tasks in work filled a recall, or were all, and their characters.

    `started`: none of them was a blocked one.
    """

    lines: int = 0
    length: int = 0
    started: bool = False


_in_work: Lately[_InWork] = Lately()


def _busy(asked: _Asked) -> list[Row]:
    """The first tasks, where those in work alone fill the recall, else none.

    Then the others need not be put in order. It is tried where it was so the last time.
    """
    asking, project, is_counted = asked
    last = _in_work.find(project) or _InWork()
    if last.length <= asking.max_chars:
        return []
    few = asking.max_chars * last.lines // last.length + SPARE
    statuses = IN_WORK[:1] if last.started else IN_WORK
    prepared = _prepared_busy(
        statuses, TASK.active_statuses, active_statuses(), is_counted=is_counted
    )
    loaded = prepared.rows(**asked.values, limit=min(few, asking.max_chars // USUAL_LINE))
    rows = [_read(*row) for row in loaded]
    return rows if _fill(asking, project, rows) else []


def _all(asked: _Asked) -> Sequence[Row]:
    """The first tasks of all that are active, those that fit the focus before the others."""
    asking, project, is_counted = asked
    values = asked.values
    if asking.caller.agent_id is not None:
        values["agent"] = asking.caller.agent_id
    if asking.ranks:
        values["fitting"] = list(asking.ranks)
    prepared = _prepared(
        TASK.active_statuses,
        active_statuses(),
        for_agent="agent" in values,
        focused="fitting" in values,
        is_counted=is_counted,
    )

    def fetch(limit: int) -> list[Row]:
        return [_read(*row) for row in prepared.rows(**values, limit=limit)]

    rows = fetched(asking, fetch)
    _fill(asking, project, [row for row in rows if row.stage < _READY])
    return rows


def _fill(asking: Asking, project: Project, busy: Sequence[Row]) -> bool:
    """Whether these, which are in work, fill the recall; and so for the next time."""
    first = enough(busy, asking.max_chars)
    length = sum(row.length for row in first)
    started = all(row.stage == _STARTED for row in first)
    _in_work.keep(project, _InWork(len(first), length, started))
    return length > asking.max_chars


@cache
def _prepared(
    statuses: tuple[str, ...],
    active: tuple[str, ...],
    *,
    for_agent: bool,
    focused: bool,
    is_counted: bool,
) -> Prepared[tuple[Any, ...]]:
    def build(
        limit: int,
        project: int,
        person: int,
        agent: int | None = None,
        fitting: Sequence[int] = (),
    ) -> QuerySet[Item, tuple[Any, ...]]:
        items = _active(project, person, statuses)
        stage = _stage(ready_for(person, agent, active))
        first = matched_first(items.annotate(stage=stage), fitting, *_ORDER)[:limit]
        rows = _loaded(items, first, stage, active, is_counted=is_counted)
        return matched_first(rows, fitting, *_ORDER).values_list(*_COLUMNS)

    agent = {"agent": int} if for_agent else {}
    fitting = {"fitting": list} if focused else {}
    return Prepared(build, project=int, person=int, **agent, **fitting, limit=int)


@cache
def _prepared_busy(
    busy: tuple[str, ...], statuses: tuple[str, ...], active: tuple[str, ...], *, is_counted: bool
) -> Prepared[tuple[Any, ...]]:
    def build(limit: int, project: int, person: int) -> QuerySet[Item, tuple[Any, ...]]:
        items = _active(project, person, statuses)
        first = items.filter(status__in=busy).annotate(stage=_STAGE_BUSY).order_by(*_ORDER)[:limit]
        rows = _loaded(items, first, _STAGE_BUSY, active, is_counted=is_counted)
        return rows.order_by(*_ORDER).values_list(*_COLUMNS)

    return Prepared(build, project=int, person=int, limit=int)


def _active(project: int, person: int, statuses: Sequence[str]) -> QuerySet[Item]:
    return items_of_project(project, person).filter(
        kind=TASK.name, status__in=statuses, locked_at__isnull=True, archived_at__isnull=True
    )


def _loaded(
    items: QuerySet[Item],
    first: QuerySet[Item],
    stage: Case,
    active: Sequence[str],
    *,
    is_counted: bool,
) -> QuerySet[Item]:
    """The first of the items: put in order without reading the whole of all the others."""
    return Item.objects.filter(pk__in=first.values("pk")).annotate(
        stage=stage,
        total=Value(0) if is_counted else _counted(items),
        before=keys_of(blockers(active), "source__number", distinct=False),
    )


def _counted(items: QuerySet[Item]) -> Apart:
    whole = items.order_by().annotate(whole=Value(1)).values("whole")
    return Apart(whole.annotate(many=Count("pk")).values("many"))


def _stage(ready: Q) -> Case:
    """In progress, blocked, ready as the filter of lists has it, or open and not ready."""
    return Case(
        When(status="in_progress", then=Value(_STARTED)),
        When(status="blocked", then=Value(_STUCK)),
        When(ready, then=Value(_READY)),
        default=Value(_LATER),
        output_field=CharField(),
    )


# As `_stage`, of what is in work.
_STAGE_BUSY: Final = Case(
    When(status="in_progress", then=Value(_STARTED)),
    default=Value(_STUCK),
    output_field=CharField(),
)


def _entry(asking: Asking, row: Row) -> Entry:
    return Entry(
        head=f"- #{row.number} v{row.version}",
        title=row.title,
        marks=tuple(mark for mark in _marks(asking, row) if mark),
        detail=cut_at_word(row.reason, MAX_REASON) if row.status == "blocked" else "",
    )


def _marks(asking: Asking, row: Row) -> list[str]:
    return [
        row.state,
        _priority(row),
        _holder(asking.caller, row),
        _due(asking, row),
        _parent(row),
        _waits(read_keys(row.before)),
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
