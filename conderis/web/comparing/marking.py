"""A text in pieces: what a reader sees as it is, and what only a mark can show."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, NamedTuple

from conderis.web.comparing.characters import MOST_SPOTS, Mark, Spot, hidden_spots
from conderis.web.comparing.markup import Link, comments_of, links_of
from conderis.web.comparing.naming import label_of
from conderis.web.comparing.scripts import mixed_spots

MOST_ANCHORS: Final = 1_000
"""Marks of one text that can be linked to, of each sort; later ones are shown all the same."""

REPLACED: Final = frozenset({Mark.HIDDEN, Mark.BIDI, Mark.TAGS, Mark.SPACE, Mark.CROWDED})
"""Marks that stand for their characters; the others stand beside them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text as it is to be shown.

    `text` is exactly the source, so that the pieces joined are the text. With `mark`,
    `label` says what it is; where the mark is in `REPLACED` the label is shown instead of
    the text. `role` says that the piece is part of a comment or of a link's target.
    `anchor` is the id of the mark, on the first piece of each.
    """

    text: str
    mark: Mark | None = None
    label: str = ""
    role: Mark | None = None
    anchor: str = ""


class _Atom(NamedTuple):
    start: int
    end: int
    mark: Mark | None
    role: Mark | None
    anchor: str


class Marking:
    """The marks of one text, found once, from which pieces of any stretch are cut.

    `prefix` begins every id, so that two texts can stand on one page; without one, pieces
    have no ids.
    """

    def __init__(self, text: str, *, prefix: str = "") -> None:
        self.text = text
        self.prefix = prefix
        self.hidden: Sequence[Spot] = tuple(hidden_spots(text))
        covered = [spot.start for spot in self.hidden]
        self.mixed: Sequence[tuple[Spot, ...]] = tuple(
            word
            for word in mixed_spots(text)
            if not any(_holds(self.hidden, covered, spot.start) for spot in word)
        )
        self.comments: Sequence[Spot] = tuple(
            Spot(start, end, Mark.COMMENT) for start, end in islice(comments_of(text), MOST_SPOTS)
        )
        starts = [spot.start for spot in self.comments]
        self.links: Sequence[Link] = tuple(links_of(text))
        self.targets: Sequence[Spot] = [
            Spot(link.start, link.end, Mark.LINK)
            for link in self.links
            if not _holds(self.comments, starts, link.start)
            and not _holds(self.comments, starts, link.end)
        ]
        self._atoms = list(self._all_atoms())
        self._ends = [atom.end for atom in self._atoms]

    def anchor(self, mark: Mark, number: int) -> str:
        """The id of the mark with this number among those of its sort, or none."""
        if not self.prefix or number > MOST_ANCHORS:
            return ""
        return f"{self.prefix}-{mark}-{number}"

    def pieces(self, start: int, end: int) -> tuple[Piece, ...]:
        """The pieces of the stretch from `start` up to `end`."""
        return tuple(self._cut(start, end))

    def _cut(self, start: int, end: int) -> Iterator[Piece]:
        at = start
        for number in range(bisect_right(self._ends, start), len(self._atoms)):
            atom = self._atoms[number]
            if atom.start >= end:
                break
            if atom.start > at:
                yield Piece(self.text[at : atom.start])
            first, last = max(atom.start, at), min(atom.end, end)
            stretch = self.text[first:last]
            yield Piece(
                stretch,
                mark=atom.mark,
                label=label_of(stretch, atom.mark) if atom.mark else "",
                role=atom.role,
                anchor=atom.anchor if first == atom.start else "",
            )
            at = last
        if at < end:
            yield Piece(self.text[at:end])

    def _all_atoms(self) -> Iterator[_Atom]:
        """Stretches that differ from plain text, cut where any mark begins or ends."""
        leaves = self._leaves()
        spans = sorted([*self.comments, *self.targets])
        anchors = dict(self._anchored(spans))
        edges = sorted({edge for spot in (*leaves, *spans) for edge in (spot.start, spot.end)})
        leaf = span = 0
        for start, end in pairwise(edges):
            while leaf < len(leaves) and leaves[leaf].end <= start:
                leaf += 1
            while span < len(spans) and spans[span].end <= start:
                span += 1
            mark = leaves[leaf].mark if leaf < len(leaves) and leaves[leaf].start <= start else None
            role = spans[span].mark if span < len(spans) and spans[span].start <= start else None
            if mark or role:
                yield _Atom(start, end, mark, role, anchors.get((start, mark or role), ""))

    def _leaves(self) -> list[Spot]:
        return sorted([*self.hidden, *(spot for word in self.mixed for spot in word)])

    def _anchored(self, spans: Sequence[Spot]) -> Iterator[tuple[tuple[int, Mark | None], str]]:
        for number, spot in enumerate(self.hidden, start=1):
            yield (spot.start, spot.mark), self.anchor(Mark.HIDDEN, number)
        for number, word in enumerate(self.mixed, start=1):
            yield (word[0].start, Mark.MIXED), self.anchor(Mark.MIXED, number)
        for mark in (Mark.COMMENT, Mark.LINK):
            for number, spot in enumerate((each for each in spans if each.mark is mark), start=1):
                yield (spot.start, mark), self.anchor(mark, number)


def marked(text: str, *, prefix: str = "") -> tuple[Piece, ...]:
    """The text in pieces; joined, their `text` is the text. See `Marking`, `Piece`."""
    return Marking(text, prefix=prefix).pieces(0, len(text))


def _holds(spots: Sequence[Spot], starts: Sequence[int], at: int) -> bool:
    number = bisect_right(starts, at) - 1
    return number >= 0 and at < spots[number].end
