"""The exact source of a text, line by line, as agents read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from conderis.web.comparing.marking import Marking, Piece
from conderis.web.comparing.units import Unit, lines_of

MOST_LINES: Final = 5_000
"""Lines that get a row each; those after them are in one."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line with its number from 1; `blank` is the number of blank lines in a fold."""

    number: int
    pieces: tuple[Piece, ...]
    text: str
    blank: int = 0


@dataclass(frozen=True, slots=True)
class SourceView:
    """The lines of a text. Their `text` with line ends, joined, is the text."""

    lines: tuple[SourceLine, ...]


def source_view(text: str, *, prefix: str = "source") -> SourceView:
    """The text exactly as agents read it, in numbered lines with marks.

    `prefix` begins the ids of marks; give `findings_of` the same one to link here.
    """
    return SourceView(tuple(_lines(Marking(text, prefix=prefix))))


def _lines(marking: Marking) -> Iterator[SourceLine]:
    units = lines_of(marking.text)
    for unit in units[:MOST_LINES]:
        yield _line(marking, unit, unit)
    if len(units) > MOST_LINES:
        yield _line(marking, units[MOST_LINES], units[-1])


def _line(marking: Marking, first: Unit, last: Unit) -> SourceLine:
    return SourceLine(
        number=first.number,
        pieces=marking.pieces(first.start, last.stop),
        text=marking.text[first.start : last.stop + len(last.end)],
        blank=first.blank if first is last else 0,
    )
