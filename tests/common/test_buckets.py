"""The rate of a holder: a minute's worth at once, then evenly."""

import pytest

from conderis.common.buckets import MOST_HOLDERS, Buckets

pytestmark = pytest.mark.no_database


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_worth_passes_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    buckets = Buckets(clock)

    assert [buckets.take("a", a_minute=60) for _ in range(61)] == [0] * 60 + [1]
    clock.now = 1.0
    assert [buckets.take("a", a_minute=60) for _ in range(2)] == [0, 1]


def test_waiting_as_long_as_was_said_is_enough() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    buckets.take("a", a_minute=1)

    wait = buckets.take("a", a_minute=1)
    clock.now += wait

    assert wait == 60
    assert buckets.take("a", a_minute=1) == 0


def test_one_holder_takes_nothing_from_another() -> None:
    buckets = Buckets(Clock())
    buckets.take("a", a_minute=1)

    assert buckets.take("a", a_minute=1) > 0
    assert buckets.take("b", a_minute=1) == 0


def test_it_never_holds_more_than_a_minutes_worth() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    buckets.take("a", a_minute=2)
    clock.now = 10_000.0

    assert [buckets.take("a", a_minute=2) for _ in range(3)][:2] == [0, 0]
    assert buckets.take("a", a_minute=2) > 0


def test_memory_stays_flat_however_many_ask() -> None:
    buckets = Buckets(Clock())

    for number in range(MOST_HOLDERS + 10):
        buckets.take(str(number), a_minute=1)

    assert len(buckets._held) <= MOST_HOLDERS
