"""The moments that checks compare with: all of them counted from the beginning of a day.

So the same state gives the same score all day long, and nothing is called expired or old
before it is.
"""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

IN_PROGRESS_DAYS = 14  # a task in progress without a new version
BLOCKED_DAYS = 30
OPEN_DAYS = 180  # a task that nobody has begun
UNTOUCHED_DAYS = 365  # a memory or page that was never checked against a source
VERIFIED_DAYS = 180
SESSION_LIVES = 2  # times that session memories last, beyond which one is long-lived


@dataclass(frozen=True, slots=True)
class Clock:
    """The beginning of the day (UTC), and the changes up to which something is old."""

    now: datetime
    aged: datetime
    in_progress: datetime
    blocked: datetime
    open: datetime
    untouched: datetime
    verified: datetime
    session_born: datetime
    session_ends: datetime

    def as_values(self) -> dict[str, datetime]:
        """The moments by name, for a prepared statement."""
        return asdict(self)


def clock_at(now: datetime, session_days: int) -> Clock:
    """The moments of the day that `now` is in, where session memories last so many days."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    long = timedelta(days=SESSION_LIVES * session_days)
    return Clock(
        now=day,
        aged=day - timedelta(days=session_days),
        in_progress=day - timedelta(days=IN_PROGRESS_DAYS),
        blocked=day - timedelta(days=BLOCKED_DAYS),
        open=day - timedelta(days=OPEN_DAYS),
        untouched=day - timedelta(days=UNTOUCHED_DAYS),
        verified=day - timedelta(days=VERIFIED_DAYS),
        session_born=day - long,
        session_ends=day + long,
    )
