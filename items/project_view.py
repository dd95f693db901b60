"""A project as its reader sees it: what it is, who works in it, how much it holds."""

from collections.abc import Callable

from django.db.models import Count
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.access import visible_items
from items.expiry import expired_q
from items.hygiene.lately import assess_lately
from items.hygiene.points import settle_point
from items.kept import state_of
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.recall.counting import count_memories, recall_mode
from items.recall.populations import population
from projects.access import ProjectAccess, access_project
from projects.selectors import latest_projects, project_summary

Counter = Callable[[ProjectAccess], int]


def project_get(caller: Caller, project_id: str | None) -> JsonObject:
    """The project; without an id the 50 that the caller may read with the latest change.

    What is counted is what the caller may read; the hygiene is that of the shared items,
    the same for every reader.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: the id is none, or a remote that several projects name.
        Denied: the key has not the scope to read.
    """
    if project_id is None:
        return latest_projects(caller)
    access = access_project(caller, project_id)
    answer = project_summary(access, holding=_holders(access))
    assessed = assess_lately(access.project)
    settle_point(access.project, assessed)
    return answer | {
        "recallMode": _mode(access),
        "counts": _counts(access),
        "hygiene": assessed.as_answer(),
    }


def add_count(name: str, counter: Counter) -> None:
    """Have project_get count this too; one of the same name is replaced."""
    _COUNTERS[name] = counter


def _holders(access: ProjectAccess) -> list[int]:
    """The agents that hold active items of the project."""
    held = visible_items(access.caller, access.project).filter(
        status__in=[status for kind in all_kinds() for status in kind.active_statuses],
        assignee_agent__isnull=False,
    )
    return list(held.order_by().values_list("assignee_agent", flat=True).distinct())


def _mode(access: ProjectAccess) -> str:
    """How recall shows the memories to this caller now."""
    if access.project.recall_mode:
        return access.project.recall_mode
    found = population(access.caller, access.project, timezone.now())
    return recall_mode(access.project, count_memories(found, state_of(access.project)))


def _counts(access: ProjectAccess) -> JsonObject:
    """How many items of each kind there are (of those with statuses the active ones).

    Archived, expired and locked ones do not count.
    """
    expired = expired_q(timezone.now(), access.project.session_days)
    rows = (
        visible_items(access.caller, access.project)
        .filter(~expired, archived_at__isnull=True, locked_at__isnull=True)
        .order_by()
        .values_list("kind", "status")
        .annotate(items=Count("pk"))
    )
    found = {(kind, status): items for kind, status, items in rows}
    counts: JsonObject = {}
    for kind in all_kinds():
        if kind.listed:
            statuses = kind.active_statuses or ("",)
            counts[_counted(kind)] = sum(found.get((kind.name, each), 0) for each in statuses)
    return counts | {name: counter(access) for name, counter in _COUNTERS.items()}


def _counted(kind: Kind) -> str:
    """`memories`; of a kind with statuses `activeTasks`."""
    return f"active{kind.plural.capitalize()}" if kind.statuses else kind.plural


def _none(_: ProjectAccess) -> int:
    return 0


# What apps above count; the names are there also where no app has said how.
_COUNTERS: dict[str, Counter] = {"pendingProposals": _none}
