import dataclasses
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.common.caller import Caller, Surface
from conderis.common.cursors import (
    MAX_CURSOR,
    Binding,
    CursorTooLongError,
    Mark,
    Value,
    read_cursor,
    write_cursor,
)
from conderis.common.errors import Invalid

pytestmark = pytest.mark.no_database

ALICE = Caller(1, "person:alice", "Alice", Surface.WEB)
MALLORY = Caller(2, "person:mallory", "Mallory", Surface.WEB)
LIST = Binding(ALICE, "task", {"projectId": "p", "filter": {"tags": ["a"]}})
VALUES: list[Value | Mark] = [3, "a title", None]

values = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.datetimes(timezones=st.just(UTC)),
    st.dates(),
    st.builds(Mark, st.from_regex(r"[0-9]{1,6}v[0-9]{1,4}", fullmatch=True)),
)


@given(value=values)
def test_a_cursor_gives_back_exactly_what_was_written(value: Value | Mark) -> None:
    cursor = write_cursor(LIST, [value, 7])

    assert read_cursor(LIST, cursor) == [value, 7]
    assert type(read_cursor(LIST, cursor)[0]) is type(value)


def test_a_moment_keeps_its_microseconds_in_whatever_zone_it_was_written() -> None:
    moment = datetime(2026, 11, 30, 9, 36, 12, 999_999, tzinfo=timezone(timedelta(hours=5)))

    [read] = read_cursor(LIST, write_cursor(LIST, [moment]))

    assert isinstance(read, datetime)
    assert read == moment
    assert read.microsecond == 999_999


def test_a_date_is_not_taken_for_a_moment() -> None:
    day = date(2026, 11, 30)

    assert read_cursor(LIST, write_cursor(LIST, [day])) == [day]


@pytest.mark.parametrize(
    "other",
    [
        dataclasses.replace(LIST, caller=MALLORY),
        dataclasses.replace(LIST, caller=dataclasses.replace(ALICE, agent_ref="agent:robo")),
        dataclasses.replace(LIST, name="memory"),
        dataclasses.replace(LIST, parameters={"projectId": "q", "filter": {"tags": ["a"]}}),
        dataclasses.replace(LIST, parameters={"projectId": "p", "filter": {"tags": ["b"]}}),
        dataclasses.replace(LIST, parameters={"projectId": "p"}),
    ],
    ids=["caller", "agent", "list", "project", "filter", "less"],
)
def test_a_cursor_of_anything_else_is_refused(other: Binding) -> None:
    cursor = write_cursor(LIST, VALUES)

    assert read_cursor(LIST, cursor) == VALUES
    with pytest.raises(Invalid) as refused:
        read_cursor(other, cursor)

    assert refused.value.details["field"] == "cursor"
    assert "leave cursor out" in refused.value.message


def test_the_order_of_parameters_and_nulls_among_them_do_not_matter() -> None:
    same = Binding(ALICE, "task", {"filter": {"tags": ["a"]}, "query": None, "projectId": "p"})

    assert read_cursor(same, write_cursor(LIST, VALUES)) == VALUES


def test_a_cursor_of_another_order_is_refused() -> None:
    cursor = write_cursor(LIST, VALUES, order=["priority", "number"])

    with pytest.raises(Invalid):
        read_cursor(LIST, cursor, order=["-priority", "number"])


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "====", "ä", "\x00", "a" * 199, "A" * 5000, "null", 12, ["x"], {"a": 1}, True],
)
def test_what_is_no_cursor_is_refused_with_what_to_do(cursor: object) -> None:
    with pytest.raises(Invalid) as refused:
        read_cursor(LIST, cursor)

    assert "nextCursor" in refused.value.message


@given(place=st.integers(0, 10**6), letter=st.sampled_from("AQgw_-09"))
def test_a_cursor_with_one_letter_changed_is_refused_or_the_same(place: int, letter: str) -> None:
    cursor = write_cursor(LIST, VALUES)
    place %= len(cursor) - 1  # the last letter has bits that mean nothing
    forged = cursor[:place] + letter + cursor[place + 1 :]

    if forged == cursor:
        return
    with pytest.raises(Invalid):
        read_cursor(LIST, forged)


def test_values_that_do_not_fit_are_never_written_in_part() -> None:
    assert len(write_cursor(LIST, ["x" * 105, 2**63 - 1])) <= MAX_CURSOR
    with pytest.raises(CursorTooLongError):
        write_cursor(LIST, ["x" * 140, 1])
