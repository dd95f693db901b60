"""Which memories a recall is made of: what is read, what counts, what stands on top."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any

from django.db.models import Count, Q, QuerySet

from conderis.common.caller import Caller
from conderis.common.prepared import Prepared, Value
from items.access import items_of_project
from items.expiry import SESSION_DAYS, Aging, aging_types, expired_since, oldest_of
from items.filters import items_of_person
from items.kinds.memory import MEMORY
from items.models import Item
from items.recall.keys import Keys, read_keys
from items.recall.linking import Link, related
from projects.models import Project

GROUPED_ABOVE = 40  # memories at the top level, where the project does not say
GROUPED = "grouped"
FLAT = "flat"
CRITICAL = "critical"
LOW = "low"
_STANDING = (Q(archived_at__isnull=True), Q(locked_at__isnull=True))


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are: critical ones, others at the top level, aged ones that went.

    And the keys of the few that come before others: `pinned` are the critical ones, `bags`
    hold others; `links` bear on active tasks of the project.
    """

    critical: int = 0
    others: int = 0
    went: int = 0
    pinned: Sequence[int] = ()
    bags: frozenset[int] = frozenset()
    links: Mapping[int, Link] = field(default_factory=dict)


class Memories:
    """Memories as querysets: those that are read, what recall may show, what is on top.

    `shown` are those that recall may show, neither expired nor of low weight; `top`
    those of them with a line of their own: in no bag, or in one that is not shown
    (`at_top`).
    """

    def __init__(self, readable: QuerySet[Item], expired: Q) -> None:
        self.shown = readable.filter(*_STANDING, ~expired, ~Q(weight=LOW))
        self._readable = readable.filter(*_STANDING)
        self._expired = expired
        # A bag is seen by whoever sees what is in it, so only its state is asked for.
        hidden = ~Q(*_STANDING) | expired | Q(weight=LOW)
        self.at_top = Q(parent__isnull=True) | _of_parent(hidden)
        self.top = self.shown.filter(self.at_top)

    def counts(self, project: int | None) -> QuerySet[Item, tuple[Any, ...]]:
        """What `Counts` holds, as one row behind their kind; none where there are none."""
        live = ~self._expired
        shown = live & ~Q(weight=LOW)
        links = {}
        if project is not None:
            for link in (Link.IN_WORK, Link.ACTIVE):
                for place, keys in enumerate(related(project, link=link)):
                    links[f"{link.name.lower()}_{place}"] = keys
        return (
            self._readable.order_by()
            .values_list("kind")
            .annotate(
                critical=Count("pk", filter=live & Q(weight=CRITICAL)),
                others=Count("pk", filter=shown & ~Q(weight=CRITICAL) & self.at_top),
                went=Count("pk", filter=self._expired & Q(category__in=MEMORY.aging)),
                pinned=Keys("pk", filter=live & Q(weight=CRITICAL)),
                bags=Keys("parent", filter=shown & Q(parent__isnull=False)),
                **links,
            )
        )


@dataclass(frozen=True, slots=True)
class Habitat:
    """Where memories are, without any values: what prepared statements are kept by.

    Those of a project (`shared`: without private ones), or the caller's own.
    """

    in_project: bool
    shared: bool
    aging: Aging

    @property
    def parameters(self) -> dict[str, type]:
        """The types of the values that `memories` takes."""
        types: dict[str, type] = {"person": int, "now": datetime}
        if self.in_project:
            types["project"] = int
        if self.aging:
            types["oldest"] = datetime
        return types

    def memories(
        self,
        *,
        person: int,
        now: datetime,
        project: int | None = None,
        oldest: datetime | None = None,
    ) -> Memories:
        """The memories there that a person may read, at a time."""
        rows = items_of_project(project, person) if project is not None else items_of_person(person)
        rows = rows.filter(kind=MEMORY.name)
        if self.shared:
            rows = rows.exclude(visibility="private")
        return Memories(rows, expired_since(now, oldest or now, self.aging))


@dataclass(frozen=True, slots=True)
class Population:
    """The memories of a project, or (None) the personal ones, as a caller reads them."""

    project: Project | None
    habitat: Habitat
    values: dict[str, Value]

    def counts(self) -> Counts:
        """How many there are, in one query."""
        for _, critical, others, went, pinned, bags, *related_keys in _counting(self.habitat).rows(
            **self.values
        ):
            keys = [read_keys(found) for found in related_keys]
            links = dict.fromkeys(chain(*keys[2:]), Link.ACTIVE)
            links |= dict.fromkeys(chain(*keys[:2]), Link.IN_WORK)
            return Counts(
                critical, others, went, read_keys(pinned), frozenset(read_keys(bags)), links
            )
        return Counts()


@cache
def _counting(habitat: Habitat) -> Prepared[tuple[Any, ...]]:
    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        return habitat.memories(**values).counts(values.get("project"))

    return Prepared(build, **habitat.parameters)


def population(
    caller: Caller, project: Project | None, now: datetime, *, shared: bool = False
) -> Population:
    """The memories here that the caller may read."""
    habitat = Habitat(project is not None, shared, aging_types())
    values: dict[str, Value] = {"person": caller.person_id, "now": now}
    if project is not None:
        values["project"] = project.pk
    if habitat.aging:
        days = project.session_days if project is not None else SESSION_DAYS
        values["oldest"] = oldest_of(now, days)
    return Population(project, habitat, values)


def shared_population(caller: Caller, project: Project, now: datetime) -> Population:
    """The shared ones alone, as a fork's recall shows those of its upstream."""
    return population(caller, project, now, shared=True)


def _of_parent(condition: Q) -> Q:
    """The same condition on the parent."""
    asked: list[Q | tuple[str, Any]] = []
    for each in condition.children:
        if isinstance(each, Q):
            asked.append(_of_parent(each))
        elif isinstance(each, tuple):
            asked.append((f"parent__{each[0]}", each[1]))
    return Q(*asked, _connector=condition.connector, _negated=condition.negated)


def recall_mode(project: Project, counts: Counts) -> str:
    """`flat` or `grouped`: as the project says, else by how many there are."""
    if project.recall_mode:
        return project.recall_mode
    return GROUPED if counts.critical + counts.others > GROUPED_ABOVE else FLAT
