"""Checks of what time does to items: expired, kept too long, never looked at again."""

from collections.abc import Sequence

from django.db.models import Q

from items.hygiene.base import Found
from items.hygiene.clock import Clock
from items.hygiene.survey import Survey
from items.kinds.memory import MEMORY
from items.kinds.page import PAGE
from items.kinds.registry import all_kinds


def expired_items(survey: Survey) -> Sequence[Found]:
    """What has expired and was not archived."""
    return [Found(row.number) for row in survey.expired]


def is_long_lived_session(clock: Clock) -> Q:
    """Session memories kept alive for twice their time, or set to last that long."""
    aging = Q()
    for kind in all_kinds():
        if kind.aging:
            aging |= Q(kind=kind.name, category__in=kind.aging)
    return aging & (Q(created__lte=clock.session_born) | Q(expires_at__gte=clock.session_ends))


def is_untouched(clock: Clock) -> Q:
    """Memories and pages of a year ago without a source, and tasks that nobody has begun."""
    known = Q(kind__in=(MEMORY.name, PAGE.name), changed__lte=clock.untouched)
    waiting = Q(status="open", changed__lte=clock.open)
    return (known & Q(verified_against__isnull=True)) | waiting


def was_verified_long_ago(clock: Clock) -> Q:
    """What was checked against a source state, and has had no version for half a year."""
    return Q(verified_against__isnull=False, changed__lte=clock.verified)
