"""How the characters of a recall are shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from items.recall import slots
from items.recall.budget import WHOLE, Ask, allot
from items.recall.slots import Slot

pytestmark = pytest.mark.no_database

ROOMS = st.integers(1_000, 12_000)


@st.composite
def some_asks(draw: st.DrawFn) -> list[Ask]:
    """Asks whose floors fit into the smallest recall."""
    floors = st.integers(0, 90)
    needs = st.integers(0, 9_000)
    shares = st.sampled_from([0, 30, 70, 200, 300, 700])
    asks = [
        Ask(floor := draw(floors), floor + draw(needs), draw(shares), draw(st.integers(50, WHOLE)))
        for _ in range(draw(st.integers(1, 8)))
    ]
    if draw(st.booleans()):
        floor = draw(floors)
        asks.insert(0, Ask(floor, floor + draw(needs), 0, 500, first=True))
    return asks


@given(ROOMS, some_asks())
def test_no_more_is_given_than_there_is_and_nobody_gets_more_than_asked_for(
    total: int, asks: list[Ask]
) -> None:
    given_rooms = allot(total, total, asks)

    assert sum(given_rooms) <= total
    for ask, room in zip(asks, given_rooms, strict=True):
        assert ask.floor <= room <= max(ask.floor, min(ask.need, total * ask.most // WHOLE))


@given(ROOMS, st.integers(1, 3_000), some_asks())
def test_a_larger_total_gives_nobody_less(total: int, more: int, asks: list[Ask]) -> None:
    smaller = allot(total, total - 10, asks)
    larger = allot(total + more, total + more - 10, asks)

    assert all(after >= before for before, after in zip(smaller, larger, strict=True))


@given(ROOMS, some_asks())
def test_nothing_is_left_while_somebody_wants_it(total: int, asks: list[Ask]) -> None:
    given_rooms = allot(total, total, asks)

    wanting = [
        ask
        for ask, room in zip(asks, given_rooms, strict=True)
        if room < min(ask.need, total * ask.most // WHOLE)
    ]
    assert not wanting or total - sum(given_rooms) < len(asks)


def test_what_one_does_not_use_goes_to_the_next_in_turn() -> None:
    asks = [Ask(10, 100, 500), Ask(10, 5_000, 300), Ask(10, 5_000, 200)]

    rooms = allot(1_030, 1_030, asks)

    assert rooms == [100, 10 + 300 + 410, 10 + 200]


def test_those_served_first_take_up_to_their_part_of_the_whole() -> None:
    asks = [Ask(0, 5_000, 0, 500, first=True), Ask(0, 5_000, 600), Ask(0, 5_000, 400)]

    assert allot(1_000, 900, asks) == [500, 240, 160]


def test_the_shares_of_a_recall_make_at_most_a_whole() -> None:
    every = [each for each in vars(slots).values() if isinstance(each, Slot)]
    beside_project = [each for each in every if each is not slots.PROJECTS]

    assert sum(each.share for each in beside_project) <= WHOLE
    assert len({each.place for each in every}) == len(every)
    assert slots.INSTRUCTIONS.most == 300
    assert slots.CRITICAL.most == 500
    assert slots.PERSONAL.share == 100
