"""How much a project holds, and which agents hold work there, for those who may read it.

To count a project's items the database goes through all of them. What there is of shared
ones is therefore kept while it stands (`items.kept`); the caller's own private ones, which
are few, are counted each time.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from conderis.common.prepared import Prepared
from items.expiry import Aging, ages, aging_types, expired_since, oldest_of
from items.kept import Kept, State
from items.kinds.registry import active_statuses, all_kinds
from items.models import Item
from items.recall.keys import keys_of, read_keys
from projects.access import ProjectAccess

_PRIVATE: Final = "private"
Work = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many items stand by kind and status, and the keys of the agents that hold work.

    Archived, expired and locked ones are not counted. From `since` on, up to `until`, time
    changes nothing of it (None: ever).
    """

    since: datetime
    until: datetime | None = None
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    holders: frozenset[int] = frozenset()

    def stands(self, now: datetime) -> bool:
        """Whether it is the same at this moment, if nothing has been written."""
        return self.since <= now and (self.until is None or now < self.until)

    def with_those(self, other: "Holdings") -> "Holdings":
        """These and others together, counted at one moment."""
        return Holdings(
            since=self.since,
            counts=Counter(self.counts) + Counter(other.counts),
            holders=self.holders | other.holders,
        )


_shared: Kept[Holdings] = Kept()


def holdings(access: ProjectAccess, state: State) -> Holdings:
    """What the project holds of what the caller may read; `state` is the project's."""
    project, now = access.project, timezone.now()
    moments = {"now": now, "oldest": oldest_of(now, project.session_days)}
    lasting = timedelta(days=project.session_days)

    def count_shared() -> Holdings:
        return _of(_prepared().rows(project=project.pk, **moments), now, lasting)

    shared = _shared.get(project, state, count_shared, lambda kept: kept.stands(now))
    person = access.caller.person_id
    own = _prepared_own().rows(project=project.pk, person=person, **moments)
    return shared.with_those(_of(own, now, lasting)) if own else shared


def _of(rows: list[tuple[Any, ...]], now: datetime, lasting: timedelta) -> Holdings:
    ends: list[datetime] = []
    counts: dict[tuple[str, str], int] = {}
    holders: set[int] = set()
    for kind, status, many, expires, changed, agents in rows:
        counts[kind, status] = many
        holders.update(read_keys(agents))
        ends += [expires] if expires else []
        ends += [changed + lasting] if changed else []
    return Holdings(now, min(ends, default=None), counts, frozenset(holders))


def _prepared() -> Prepared[tuple[Any, ...]]:
    return _shared_ones(_work(), aging_types())


def _prepared_own() -> Prepared[tuple[Any, ...]]:
    return _own_ones(_work(), aging_types())


def _work() -> Work:
    """The kinds and the statuses of work to do."""
    return tuple(kind.name for kind in all_kinds() if kind.statuses), active_statuses()


@cache
def _shared_ones(work: Work, aging: Aging) -> Prepared[tuple[Any, ...]]:
    def build(project: int, **moments: datetime) -> QuerySet[Item, tuple[Any, ...]]:
        rows = Item.objects.filter(~Q(visibility=_PRIVATE), project=project)
        return _counted(rows, work, aging, **moments)

    return Prepared(build, project=int, now=datetime, oldest=datetime)


@cache
def _own_ones(work: Work, aging: Aging) -> Prepared[tuple[Any, ...]]:
    def build(project: int, person: int, **moments: datetime) -> QuerySet[Item, tuple[Any, ...]]:
        # No organization is said only so that the index of the few private ones is taken.
        whose = Q(project=project, author=person, organization__isnull=True)
        own = Item.objects.filter(whose, visibility=_PRIVATE)
        # Apart from the grouping, whose order would be taken from an index of all items.
        rows = Item.objects.filter(pk__in=own.values("pk"))
        return _counted(rows, work, aging, **moments)

    return Prepared(build, project=int, person=int, now=datetime, oldest=datetime)


def _counted(
    rows: QuerySet[Item], work: Work, aging: Aging, *, now: datetime, oldest: datetime
) -> QuerySet[Item, tuple[Any, ...]]:
    """How many there are, until when that stands, and beside it all who hold work."""
    kinds, statuses = work
    stands = Q(archived_at__isnull=True, locked_at__isnull=True)
    live = stands & ~expired_since(now, oldest, aging)
    held = rows.filter(kind__in=kinds, status__in=statuses, assignee_agent__isnull=False)
    return (
        rows.order_by()
        .values_list("kind", "status")
        .annotate(
            many=Count("pk", filter=live),
            expires=Min("expires_at", filter=live),
            ages=Min("changed", filter=live & ages(aging)),
            agents=keys_of(held, "assignee_agent"),
        )
    )
