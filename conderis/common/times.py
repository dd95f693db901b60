"""Times as Conderis shows them: ISO 8601, UTC, to the second; ages in days."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

RECENT = timedelta(days=7)


def iso(moment: datetime) -> str:
    """The moment as ISO 8601 in UTC, to the second (`2026-11-30T09:36:12Z`)."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def age(changed: datetime, now: datetime, *, ongoing: bool = False) -> str | None:
    """`today` or `3d` for changes within seven days, `7d+` for older ongoing work."""
    days = (now - changed).days
    if now - changed < RECENT:
        return "today" if days == 0 else f"{days}d"
    return "7d+" if ongoing else None


def today_in(zone: str, now: datetime) -> date:
    """The date that the reader's calendar shows in the named IANA zone."""
    return now.astimezone(ZoneInfo(zone)).date()
