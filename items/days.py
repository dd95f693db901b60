"""How much has changed in a project, day by day, as the reader's calendar has the days.

What counts are the events of histories that the caller may read: nothing of what is locked,
erased, or somebody else's private memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, IntegerField, QuerySet, Value, When
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.prepared import Prepared
from conderis.common.times import today_in
from items.access import items_of_project
from items.models import ItemEvent
from projects.access import access_project

DAYS: Final = 84  # twelve weeks


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the reader's calendar, and how many changes fell on it."""

    day: date
    changes: int


def changes_by_day(caller: Caller, *, project_id: str, days: int = DAYS) -> tuple[Day, ...]:
    """The last days up to today, oldest first, those without a change too.

    One query beside that of the door. It reads the changes of these days alone, however
    long the histories are.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
    """
    access = access_project(caller, project_id)
    zone, now = ZoneInfo(caller.zone), timezone.now()
    today = today_in(caller.zone, now)
    shown = [today - timedelta(days=past) for past in reversed(range(days))]
    begins = [datetime.combine(day, time(), tzinfo=zone).astimezone(UTC) for day in shown]
    found = dict(
        _by_day(days).rows(
            project=access.project.pk,
            person=caller.person_id,
            now=now,
            **{_begin(place): moment for place, moment in enumerate(begins)},
        )
    )
    return tuple(Day(day, found.get(place, 0)) for place, day in enumerate(shown))


@cache
def _by_day(days: int) -> Prepared[tuple[Any, ...]]:
    """By the place of each day that had any, how many there were."""

    def build(
        project: int, person: int, now: datetime, **begin: datetime
    ) -> QuerySet[ItemEvent, tuple[Any, ...]]:
        begins = list(begin.values())
        readable = items_of_project(project, person).filter(locked_at__isnull=True)
        items = readable.order_by().values("pk")
        emptied = ItemEvent.objects.filter(
            item__in=items, version__isnull=False, state__isnull=True
        )
        # Two conditions rather than one: both are answered by indexes, past the states.
        events = ItemEvent.objects.filter(
            item__in=items, locked_by="", at__gte=begins[0], at__lte=now
        ).exclude(pk__in=emptied.values("pk"))
        return events.order_by().values_list(_among(begins)).annotate(many=Count("pk"))

    moments = dict.fromkeys([_begin(place) for place in range(days)], datetime)
    return Prepared(build, project=int, person=int, now=datetime, **moments)


def _begin(place: int) -> str:
    return f"begin_{place}"


def _among(begins: Sequence[datetime], first: int = 0) -> Case | Value:
    """The place of the day that a moment falls on, found by halves."""
    if len(begins) == 1:
        return Value(first)
    middle = len(begins) // 2
    return Case(
        When(at__lt=begins[middle], then=_among(begins[:middle], first)),
        default=_among(begins[middle:], first + middle),
        output_field=IntegerField(),
    )
