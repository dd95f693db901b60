"""How much has changed by day, as bars: every position worked out here, as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from items.days import Day

LEFT, RIGHT, TOP, BOTTOM = 40, 1212, 14, 150
_STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """A day's bar; without a change there is none."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A level of the scale."""

    many: int
    y: str
    word_y: str


@dataclass(frozen=True, slots=True)
class Month:
    """Where a month begins."""

    day: Day
    x: str


@dataclass(frozen=True, slots=True)
class Bars:
    """The chart, and what it says in numbers."""

    bars: Sequence[Bar]
    grid: Sequence[Grid]
    months: Sequence[Month]
    days: Sequence[Day]
    total: int
    busiest: Day

    @property
    def first(self) -> Day:
        """The first of the days."""
        return self.days[0]

    @property
    def last(self) -> Day:
        """Today."""
        return self.days[-1]


def bars_of(days: Sequence[Day]) -> Bars:
    """The chart of these days, one at least."""
    busiest = max(days, key=lambda each: each.changes)
    top = scale_of(busiest.changes)
    pitch = (RIGHT - LEFT) / len(days)
    return Bars(
        bars=[_bar(place, day, pitch, top) for place, day in enumerate(days) if day.changes],
        grid=[Grid(many, _text(_y(many, top)), _text(_y(many, top) + 4)) for many in (top, 0)],
        months=[
            Month(day, _text(LEFT + place * pitch))
            for place, day in enumerate(days)
            if day.day.day == 1
        ],
        days=days,
        total=sum(day.changes for day in days),
        busiest=busiest,
    )


def scale_of(most: int) -> int:
    """The end of the scale: the least 1, 2 or 5 of a power of ten that holds the most."""
    power = 1
    while True:
        for step in _STEPS:
            if step * power >= most:
                return step * power
        power *= 10


def _bar(place: int, day: Day, pitch: float, top: int) -> Bar:
    y = min(_y(day.changes, top), BOTTOM - 2)  # a single change among thousands is seen, too
    return Bar(_text(LEFT + place * pitch), _text(y), _text(pitch - 2), _text(BOTTOM - y))


def _y(many: int, top: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * many / top


def _text(place: float) -> str:
    return f"{place:.1f}"
