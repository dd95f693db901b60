"""When a key ends, as people write it."""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from conderis.common.errors import Invalid
from conderis.common.text import expect_text

MOST_DAYS = 3650
_DAYS = re.compile(r"([0-9]{1,4})d")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def parse_expiry(text: str, *, zone: str, now: datetime) -> datetime:
    """The moment that `2027-01-31`, `90d` or `2027-01-31T12:00:00Z` means.

    A date counts to its end in the named IANA zone; a time without offset is UTC.

    Raises:
        Invalid: it is none of these.
    """
    value = expect_text(text, field="expires").strip()
    try:
        moment = _moment(value, zone, now)
        moment = moment.astimezone(UTC) if moment is not None else None
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        raise Invalid(
            "expires must be a date such as 2027-01-31, days such as 90d "
            f"(1 to {MOST_DAYS}), or a time such as 2027-01-31T12:00:00Z.",
            field="expires",
            allowed=["2027-01-31", "90d", "2027-01-31T12:00:00Z"],
        )
    return moment


def _moment(value: str, zone: str, now: datetime) -> datetime | None:
    if days := _DAYS.fullmatch(value):
        count = int(days.group(1))
        return now + timedelta(days=count) if 1 <= count <= MOST_DAYS else None
    if not _DATE.match(value):  # Python reads week dates and the like too
        return None
    moment = datetime.fromisoformat(value)
    if _DATE.fullmatch(value):
        return datetime.combine(moment.date() + timedelta(days=1), time(), ZoneInfo(zone))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
