"""Two changes of one text beside their base: where they collide."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from conderis.web.comparing.texts import RowKind, compare
from conderis.web.comparing.wording import Change, Segment

ALL: Final = 10**9
"""Paragraphs near a change that are shown: none is folded."""

Cell = tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class ClashRow:
    """A paragraph of the base with what each side made of it.

    Each cell has entries of segments, one for each paragraph: more than one where a side
    added some behind it. `skipped` is the number of paragraphs that neither side changed
    and that are left out before this one.
    """

    base: Cell
    current: Cell
    proposed: Cell
    clashes: bool
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Clash:
    """The paragraphs that a side changed, in order, and how many of them collide."""

    rows: tuple[ClashRow, ...]
    count: int


@dataclass(slots=True)
class _Side:
    """What one side made of the base: by the number of each paragraph, and behind it."""

    cells: dict[int, tuple[Segment, ...]]
    changed: set[int]
    added: dict[int, list[tuple[Segment, ...]]]

    def touches(self, number: int) -> bool:
        """Whether it changed this paragraph or put some behind it."""
        return number in self.changed or bool(self.added.get(number))


def clash_of(base: str, current: str, proposed: str) -> Clash:
    """Where two changes of a text touch the same paragraphs, beside those that do not."""
    ours, theirs = _side(base, current), _side(base, proposed)
    originals = {
        number: tuple(each for each in segments if each.change is not Change.ADDED)
        for number, segments in {**theirs.cells, **ours.cells}.items()
    }
    rows: list[ClashRow] = []
    skipped = 0
    for number in sorted({0, *originals}):
        moved = [side for side in (ours, theirs) if side.touches(number)]
        if not moved:
            skipped += number in originals
            continue
        rows.append(
            ClashRow(
                base=_plain([originals[number]]) if number in originals else (),
                current=_cell(ours, number),
                proposed=_cell(theirs, number),
                clashes=len(moved) == 2,
                skipped=skipped,
            )
        )
        skipped = 0
    return Clash(tuple(rows), sum(1 for row in rows if row.clashes))


def _side(base: str, text: str) -> _Side:
    side = _Side({}, set(), defaultdict(list))
    last = 0
    for row in compare(base, text, context=ALL, prefix="").rows:
        if row.blank:
            continue
        if row.old_number is None:
            side.added[last].append(row.segments)
            continue
        last = row.old_number
        side.cells[last] = row.segments
        if row.kind is not RowKind.SAME:
            side.changed.add(last)
    return side


def _cell(side: _Side, number: int) -> Cell:
    own = [side.cells[number]] if number in side.cells else []
    return (*own, *side.added.get(number, []))


def _plain(entries: Sequence[tuple[Segment, ...]]) -> Cell:
    return tuple(
        tuple(Segment(Change.SAME, each.pieces) for each in segments) for segments in entries
    )
