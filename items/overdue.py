"""Overdue: work whose day has ended where its reader is. The one place that says so."""

from datetime import date, datetime

from django.db.models import Q
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.times import today_in
from items.kinds.registry import active_statuses


def is_overdue(
    caller: Caller, *, due: date | None, status: str, now: datetime | None = None
) -> bool:
    """Whether work of this day and status is overdue for the caller, now or at a moment.

    A day has ended once the caller's time zone has the next one. What is closed is not late.
    """
    if due is None or status not in active_statuses():
        return False
    return due < today_in(caller.zone, now or timezone.now())


def overdue_q(caller: Caller, *, now: datetime | None = None) -> Q:
    """The rows that are overdue for the caller, as `is_overdue` has it."""
    return day_ended_q(caller, now=now) & Q(status__in=active_statuses())


def day_ended_q(caller: Caller, *, now: datetime | None = None) -> Q:
    """The rows whose day has ended for the caller, closed ones too."""
    return Q(due__lt=today_in(caller.zone, now or timezone.now()))
