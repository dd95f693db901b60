"""The curve of a project's score: at most one point a day, on days that something changed.

A point is written after the change has been committed, anew at most once a minute. What
changes within that minute is made good by whoever judges the project next (`settle_point`).
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from conderis.common.prepared import Prepared
from items.hygiene.assessing import Assessment
from items.hygiene.lately import assess_lately
from items.kept import forget
from items.models import HygienePoint
from projects.access import ProjectAccess
from projects.models import Project

SHOWN_DAYS = 365
PAUSE = 60.0  # seconds in which a process writes a project's point once

_log = logging.getLogger(__name__)
_written: dict[int, tuple[date, float]] = {}


@dataclass(frozen=True, slots=True)
class Point:
    """The score of a day, and how many items were found."""

    day: date
    score: int
    found: int


def note_change(project_id: int) -> None:
    """Have the project's point of today written once this transaction is committed.

    It is not where this process has written it in the last minute: `settle_point` does it.
    A change is never undone or refused for it.
    """
    forget(project_id)  # for who reads on in this transaction; another one goes by the time
    transaction.on_commit(lambda: _write_if_due(project_id), robust=True)


def write_point(project: Project) -> Point:
    """Judge the project and write its point of today, instead of an earlier one of today."""
    today = timezone.now().astimezone(UTC).date()
    point = _point(assess_lately(project), today)
    HygienePoint.objects.update_or_create(
        project=project, day=point.day, defaults={"score": point.score, "found": point.found}
    )
    return point


def settle_point(project: Project, assessed: Assessment) -> None:
    """Bring the project's point of today, where there is one, to what was just judged.

    Nothing is raised where it cannot be written; the next one does it.
    """
    today = timezone.now().astimezone(UTC).date()
    last = _LAST.rows(project=project.pk)
    if not last or last[0] == (today, assessed.score, assessed.count) or last[0][0] != today:
        return
    # One that was written meanwhile is of a later state than this judgement.
    _, score, found = last[0]
    same = HygienePoint.objects.filter(project=project, day=today, score=score, found=found)
    try:
        with transaction.atomic():
            same.update(score=assessed.score, found=assessed.count)
    except DatabaseError:  # another writer holds the database
        _log.info("The hygiene of project %s was not written.", project.public_id)


def _last(project: int) -> QuerySet[HygienePoint, tuple[Any, ...]]:
    rows = HygienePoint.objects.filter(project=project).order_by("-day")
    return rows.values_list("day", "score", "found")[:1]


_LAST: Final = Prepared[tuple[Any, ...]](_last, project=int)


def hygiene_curve(access: ProjectAccess, assessed: Assessment) -> Sequence[Point]:
    """The points of the last year, oldest first; today's is what was just assessed."""
    settle_point(access.project, assessed)
    today = timezone.now().astimezone(UTC).date()
    since = today - timedelta(days=SHOWN_DAYS)
    rows = HygienePoint.objects.filter(project=access.project, day__gte=since, day__lt=today)
    points = [Point(*row) for row in rows.order_by("day").values_list("day", "score", "found")]
    return [*points, _point(assessed, today)]


def _point(assessed: Assessment, day: date) -> Point:
    return Point(day, assessed.score, assessed.count)


def _write_if_due(project_id: int) -> None:
    now, today = time.monotonic(), timezone.now().astimezone(UTC).date()
    day, at = _written.get(project_id, (None, -PAUSE))
    if day == today and now - at < PAUSE:
        return
    _written[project_id] = today, now
    project = Project.objects.filter(pk=project_id).first()
    if project is None:
        return
    try:
        write_point(project)
    except DatabaseError:  # another writer holds the database; the next change writes it
        _log.info("The hygiene of project %s was not written.", project.public_id)
        _written.pop(project_id, None)
