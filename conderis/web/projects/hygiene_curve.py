"""The curve of the score as a drawing: all positions worked out here, as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from items.hygiene.points import Point

LEFT, RIGHT, TOP, BOTTOM = 54, 790, 24, 174
GRID: Final = (100, 75, 50, 25, 0)


@dataclass(frozen=True, slots=True)
class Grid:
    """A level of the scale. `is_minor` ones have no word on a phone."""

    score: int
    y: str
    word_y: str
    is_minor: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """The line through the points, the last of them as a dot, and their extremes."""

    line: str
    x: str
    y: str
    first: Point
    last: Point
    lowest: Point
    grid: Sequence[Grid]
    points: Sequence[Point]

    @property
    def days(self) -> int:
        """How many days the curve covers."""
        return (self.last.day - self.first.day).days

    @property
    def gained(self) -> int:
        """Points since the first day; less than 0 where they were lost."""
        return self.last.score - self.first.score

    @property
    def lost(self) -> int:
        """Points lost since the first day."""
        return -self.gained


def curve_of(points: Sequence[Point]) -> Curve | None:
    """The curve; None while there is a single day. A score stands until the next point."""
    if len(points) < 2:
        return None
    first, last = points[0], points[-1]
    xs = [_x(each.day, first.day, last.day) for each in points]
    ys = [_y(each.score) for each in points]
    steps = [f"M{_text(xs[0])} {_text(ys[0])}"]
    for x, y in zip(xs[1:], ys[1:], strict=True):
        steps.append(f"H{_text(x)}V{_text(y)}")
    return Curve(
        line="".join(steps),
        x=_text(xs[-1]),
        y=_text(ys[-1]),
        first=first,
        last=last,
        lowest=min(points, key=lambda each: (each.score, each.day)),
        grid=[
            Grid(score, _text(_y(score)), _text(_y(score) + 4), score in (75, 25)) for score in GRID
        ],
        points=points,
    )


def _x(day: date, first: date, last: date) -> float:
    return LEFT + (RIGHT - LEFT) * (day - first).days / (last - first).days


def _y(score: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * score / 100


def _text(place: float) -> str:
    return f"{place:.1f}"
