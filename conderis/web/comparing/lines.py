"""The plain difference of two texts, line by line: what went, then what came, whole."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from conderis.web.comparing.texts import Comparison, Row, RowKind, compare
from conderis.web.comparing.wording import Change, Segment

CONTEXT: Final = 3
"""Unchanged lines that are shown on either side of a change."""
_STAYS: Final = {RowKind.SAME, RowKind.FOLD}


def compare_lines(old: str, new: str, *, prefix: str = "mark") -> Comparison:
    """What changed as rows of whole lines; otherwise like `compare`, with the same bounds."""
    compared = compare(old, new, code=True, context=CONTEXT, prefix=prefix)
    return replace(compared, rows=tuple(_rows(compared)))


def _rows(compared: Comparison) -> Iterator[Row]:
    for stays, group in groupby(compared.rows, key=lambda row: row.kind in _STAYS):
        rows = list(group)
        if stays:
            yield from rows
            continue
        yield from (_gone(row) for row in rows if row.kind is not RowKind.ADDED)
        yield from (_come(row) for row in rows if row.kind is not RowKind.REMOVED)


def _gone(row: Row) -> Row:
    return replace(
        row,
        kind=RowKind.REMOVED,
        segments=_whole(Change.REMOVED, row.old_segments),
        new_number=None,
        new_text="",
    )


def _come(row: Row) -> Row:
    return replace(
        row,
        kind=RowKind.ADDED,
        segments=_whole(Change.ADDED, row.new_segments),
        old_number=None,
        old_text="",
    )


def _whole(change: Change, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    pieces = tuple(piece for segment in segments for piece in segment.pieces)
    return (Segment(change, pieces),) if pieces else ()
