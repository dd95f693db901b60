"""Which memories a recall is made of: what is read, what is shown, what stands on top."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, Expression, Min, Q, QuerySet

from conderis.common.caller import Caller
from conderis.common.prepared import Value
from items.access import items_of_project, named_items
from items.expiry import SESSION_DAYS, Aging, ages, aging_types, expired_since, oldest_of
from items.filters import items_of_person
from items.kinds.memory import MEMORY
from items.models import Item
from items.recall.keys import Keys
from projects.models import Project

CRITICAL = "critical"
LOW = "low"
# So that an index gives them by their visibility.
_WITHOUT_STATUS: dict[str, Any] = {} if MEMORY.statuses else {"status": ""}
_STANDING = (Q(archived_at__isnull=True), Q(locked_at__isnull=True))


class Memories:
    """Memories as querysets: those that are read, what recall may show, what is on top.

    `shown` are those that recall may show, neither expired nor of low weight; `top`
    those of them with a line of their own: in no bag, or in one that is not shown
    (`at_top`).
    """

    def __init__(self, readable: QuerySet[Item], expired: Q, aging: Aging) -> None:
        self.shown = readable.filter(*_STANDING, ~expired, ~Q(weight=LOW))
        self._readable = readable.filter(*_STANDING)
        self._expired = expired
        self._ages = ages(aging)
        # A bag is seen by whoever sees what is in it, so only its state is asked for.
        hidden = ~Q(*_STANDING) | expired | Q(weight=LOW)
        self.at_top = Q(parent__isnull=True) | _of_parent(hidden)
        self.top = self.shown.filter(self.at_top)

    def counts(self, **more: Expression) -> QuerySet[Item, tuple[Any, ...]]:
        """What `Counts` holds, a row for each visibility that there is, and more beside it.

        Each row is asked all of these: so what few are comes first in every condition.
        """
        live = ~self._expired
        critical, inside = Q(weight=CRITICAL), Q(parent__isnull=False)
        return (
            self._readable.filter(**_WITHOUT_STATUS)
            .order_by()
            .values_list("visibility")
            .annotate(
                critical=Count("pk", filter=critical & live),
                others=Count("pk", filter=~critical & ~Q(weight=LOW) & self.at_top & live),
                went=Count("pk", filter=Q(category__in=MEMORY.aging) & self._expired),
                pinned=Keys("pk", distinct=False, filter=critical & live),
                bags=Keys("parent", filter=inside & ~Q(weight=LOW) & live),
                expires=Min("expires_at", filter=Q(expires_at__isnull=False) & live),
                ages=Min("changed", filter=self._ages & live),
                private=Keys(
                    "pk", distinct=False, filter=Q(visibility="private") & ~Q(weight=LOW) & live
                ),
                **more,
            )
        )


class Whose(StrEnum):
    """Which memories of a place: those that a person may read, or a part of them."""

    READABLE = "readable"
    SHARED = "shared"
    PRIVATE = "private"  # the person's own


@dataclass(frozen=True, slots=True)
class Habitat:
    """Where memories are, without any values: what prepared statements are kept by.

    Those of a project, or the caller's own.
    """

    in_project: bool
    whose: Whose
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
        named: bool = False,
    ) -> Memories:
        """The memories there that a person may read, at a time.

        Those that are `named` are to be looked up by their keys (see `named_items`).
        """
        if project is None:
            rows = items_of_person(person)
        elif named:
            rows = named_items(project, person)
        else:
            rows = items_of_project(project, person)
        rows = rows.filter(kind=MEMORY.name)
        if self.whose is Whose.SHARED:
            rows = rows.exclude(visibility="private")
        elif self.whose is Whose.PRIVATE:
            rows = rows.filter(visibility="private", author=person)
        return Memories(rows, expired_since(now, oldest or now, self.aging), self.aging)


@dataclass(frozen=True, slots=True)
class Population:
    """The memories of a project, or (None) the personal ones, as a caller reads them now.

    Those of aging types expire when they have not changed for so long (`lasting`).
    """

    project: Project | None
    habitat: Habitat
    now: datetime
    lasting: timedelta
    values: dict[str, Value]

    def part(self, whose: Whose) -> "Population":
        """Those of them that are the person's own private ones, or shared."""
        return replace(self, habitat=replace(self.habitat, whose=whose))


def population(
    caller: Caller,
    project: Project | None,
    now: datetime,
    *,
    whose: Whose = Whose.READABLE,
) -> Population:
    """The memories here that the caller may read."""
    habitat = Habitat(project is not None, whose, aging_types())
    values: dict[str, Value] = {"person": caller.person_id, "now": now}
    days = project.session_days if project is not None else SESSION_DAYS
    if project is not None:
        values["project"] = project.pk
    if habitat.aging:
        values["oldest"] = oldest_of(now, days)
    return Population(project, habitat, now, timedelta(days=days), values)


def shared_population(caller: Caller, project: Project, now: datetime) -> Population:
    """The shared ones alone, as a fork's recall shows those of its upstream."""
    return population(caller, project, now, whose=Whose.SHARED)


def _of_parent(condition: Q) -> Q:
    """The same condition on the parent."""
    asked: list[Q | tuple[str, Any]] = []
    for each in condition.children:
        if isinstance(each, Q):
            asked.append(_of_parent(each))
        elif isinstance(each, tuple):
            asked.append((f"parent__{each[0]}", each[1]))
    return Q(*asked, _connector=condition.connector, _negated=condition.negated)
