"""Checks of tasks: work that stands still, and active tasks below closed ones."""

from collections.abc import Sequence

from django.db.models import Q

from items.hygiene.base import Found
from items.hygiene.clock import Clock
from items.hygiene.survey import CLOSED, Survey


def has_stalled(clock: Clock) -> Q:
    """In progress, without a new version for two weeks."""
    return Q(status="in_progress", changed__lte=clock.in_progress)


def is_blocked_for_long(clock: Clock) -> Q:
    """Blocked, without a new version for 30 days."""
    return Q(status="blocked", changed__lte=clock.blocked)


def active_under_closed(survey: Survey) -> Sequence[Found]:
    """Active tasks whose parent is done or canceled, with the parent."""
    found = []
    for row in survey.rows:
        parent = survey.by_pk.get(row.parent) if row.parent is not None else None
        if parent is not None and parent.bits & CLOSED and not row.bits & CLOSED:
            found.append(Found(row.number, (parent.number,)))
    return found
