"""How much has changed in a project, day by day, as the reader's calendar has the days.

What counts are the events of histories that the caller may read: nothing of what is locked,
erased, or somebody else's private memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, IntegerField, Value, When
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.times import today_in
from items.access import visible_items
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
    readable = visible_items(caller, access.project).filter(locked_at__isnull=True)
    items = readable.order_by().values("pk")
    emptied = ItemEvent.objects.filter(item__in=items, version__isnull=False, state__isnull=True)
    # Two conditions rather than one: both are answered by indexes, past the states.
    events = ItemEvent.objects.filter(
        item__in=items, locked_by="", at__gte=begins[0], at__lte=now
    ).exclude(pk__in=emptied.values("pk"))
    by_day = events.order_by().values_list(_among(begins)).annotate(many=Count("pk"))
    found = dict(by_day)
    return tuple(Day(day, found.get(place, 0)) for place, day in enumerate(shown))


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
