"""A project as its reader sees it: what it is, who works in it, how much it holds."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.common.prepared import Prepared
from items.holdings import Holdings, holdings
from items.hygiene.lately import assess_lately
from items.hygiene.points import settle_point
from items.kept import state_of
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.models import Item
from items.recall.counting import GROUPED_ABOVE, Counts, recall_mode
from items.recall.populations import CRITICAL, Habitat, population
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
    state = state_of(access.project)
    held = holdings(access, state)
    assessed = assess_lately(access.project, state)
    settle_point(access.project, assessed)
    return project_summary(access, holding=sorted(held.holders)) | {
        "recallMode": _mode(access),
        "counts": _counts(access, held),
        "hygiene": assessed.as_answer(),
    }


def add_count(name: str, counter: Counter) -> None:
    """Have project_get count this too; one of the same name is replaced."""
    _COUNTERS[name] = counter


def _mode(access: ProjectAccess) -> str:
    """How recall shows the memories to this caller now; it counts no further than it must."""
    if access.project.recall_mode:
        return access.project.recall_mode
    found = population(access.caller, access.project, timezone.now())
    lines = _with_lines(found.habitat).rows(**found.values)
    return recall_mode(access.project, Counts(found.now, others=len(lines)))


@cache
def _with_lines(habitat: Habitat) -> Prepared[tuple[Any, ...]]:
    """The memories with a line of their own, one more than recall lists without grouping."""

    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        memories = habitat.memories(**values)
        rows = memories.shown.filter(Q(weight=CRITICAL) | memories.at_top)
        return rows.order_by().values_list("pk")[: GROUPED_ABOVE + 1]

    return Prepared(build, **habitat.parameters)


def _counts(access: ProjectAccess, held: Holdings) -> JsonObject:
    """How many items of each kind there are (of those with statuses the active ones).

    Archived, expired and locked ones do not count.
    """
    counts: JsonObject = {}
    for kind in all_kinds():
        if kind.listed:
            statuses = kind.active_statuses or ("",)
            counts[_counted(kind)] = sum(held.counts.get((kind.name, each), 0) for each in statuses)
    return counts | {name: counter(access) for name, counter in _COUNTERS.items()}


def _counted(kind: Kind) -> str:
    """`memories`; of a kind with statuses `activeTasks`."""
    return f"active{kind.plural.capitalize()}" if kind.statuses else kind.plural


def _none(_: ProjectAccess) -> int:
    return 0


# What apps above count; the names are there also where no app has said how.
_COUNTERS: dict[str, Counter] = {"pendingProposals": _none}
