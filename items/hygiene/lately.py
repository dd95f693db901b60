"""A judgement that still stands: nothing shared has changed since, and the day is the same."""

from datetime import UTC, date

from django.utils import timezone

from items.hygiene.assessing import Assessment, assess
from items.kept import Kept, State, state_of
from projects.models import Project

_kept: Kept[tuple[date, Assessment]] = Kept()


def assess_lately(project: Project, state: State | None = None) -> Assessment:
    """What `assess` says of the project as this row of it was read, judged once for a state.

    What is kept are numbers of items, by check. `state` spares asking for it once more.
    """
    day = timezone.now().astimezone(UTC).date()
    if state is None:
        state = state_of(project)
    _, assessed = _kept.get(
        project, state, lambda: (day, assess(project)), lambda kept: kept[0] == day
    )
    return assessed
