"""When a key ends, as people write it."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.accounts.expiry import parse_expiry
from conderis.common.errors import Invalid

pytestmark = pytest.mark.no_database

NOW = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)


def parsed(text: str, zone: str = "UTC") -> datetime:
    return parse_expiry(text, zone=zone, now=NOW)


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("2027-01-31", "UTC", datetime(2027, 2, 1, tzinfo=UTC)),
        ("2027-01-31", "America/New_York", datetime(2027, 2, 1, 5, tzinfo=UTC)),
        ("2027-01-31", "Pacific/Auckland", datetime(2027, 1, 31, 11, tzinfo=UTC)),
        ("90d", "UTC", datetime(2027, 2, 28, 12, 30, tzinfo=UTC)),
        (" 1d ", "UTC", datetime(2026, 12, 1, 12, 30, tzinfo=UTC)),
        ("2027-01-31T12:00:00Z", "America/New_York", datetime(2027, 1, 31, 12, tzinfo=UTC)),
        ("2027-01-31T12:00", "UTC", datetime(2027, 1, 31, 12, tzinfo=UTC)),
        ("2027-01-31T12:00:00+02:00", "UTC", datetime(2027, 1, 31, 10, tzinfo=UTC)),
    ],
)
def test_a_date_days_and_a_time_are_understood(text: str, zone: str, moment: datetime) -> None:
    assert parsed(text, zone) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "90", "0d", "3651d", "-1d", "2027-02-30", "31.01.2027", "20270131"),
        *("2027-W05-1", "9999-12-31", "2027-01-31T25:00", "0001-01-01T00:00+23:59", "٩d", "\x00"),
    ],
)
def test_anything_else_is_refused_and_the_refusal_shows_how(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        parsed(text)

    assert refused.value.details["field"] == "expires"
    assert "2027-01-31" in refused.value.message or "U+0000" in refused.value.message


@given(st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    with suppress(Invalid):
        assert parsed(text).tzinfo is not None
