"""The fields of an item that change: titles word by word, others value by value."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from conderis.web.comparing.marking import Marking, Piece
from conderis.web.comparing.matching import Budget
from conderis.web.comparing.pairing import LEAST_LIKENESS, likeness
from conderis.web.comparing.texts import MOST_WORDS
from conderis.web.comparing.wording import Change, Segment, segments_of, tokens_of, whole


class Face(StrEnum):
    """In which voice a value is set: what people wrote, the tool's own, machine strings."""

    KEPT = "kept"
    PLAIN = "ui"
    MACHINE = "ui num"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that changes: its label, and both values as entries of segments.

    Most fields have one entry or none on a side; lists have several. Moments stand in
    `old_moment` and `new_moment` instead.
    """

    label: str
    face: Face
    old: tuple[tuple[Segment, ...], ...] = ()
    new: tuple[tuple[Segment, ...], ...] = ()
    old_moment: datetime | None = None
    new_moment: datetime | None = None


def changed_text(label: str, old: str, new: str, *, prefix: str = "") -> FieldChange:
    """A line or short text that people wrote, compared word by word.

    Under 45 % likeness the values are shown whole.
    """
    before, after = Marking(old), Marking(new, prefix=prefix)
    ours, theirs = tokens_of(old), tokens_of(new)
    if likeness(ours, theirs) < LEAST_LIKENESS:
        return FieldChange(
            label,
            Face.KEPT,
            _entry(whole(Change.REMOVED, before, 0, len(old))),
            _entry(whole(Change.ADDED, after, 0, len(new))),
        )
    segments = segments_of((before, 0, ours), (after, 0, theirs), Budget(MOST_WORDS))
    return FieldChange(
        label,
        Face.KEPT,
        _entry(tuple(each for each in segments if each.change is not Change.ADDED)),
        _entry(tuple(each for each in segments if each.change is not Change.REMOVED)),
    )


def changed_value(
    label: str, old: str, new: str, *, face: Face = Face.PLAIN, prefix: str = ""
) -> FieldChange:
    """A short value that is replaced whole, as a type or a commit; "" is none."""
    return FieldChange(
        label,
        face,
        _entry(whole(Change.REMOVED, Marking(old), 0, len(old))),
        _entry(whole(Change.ADDED, Marking(new, prefix=prefix), 0, len(new))),
    )


def changed_moment(label: str, old: datetime | None, new: datetime | None) -> FieldChange:
    """A time, such as the end of an item; None is none."""
    return FieldChange(label, Face.PLAIN, old_moment=old, new_moment=new)


def changed_list(
    label: str,
    old: Sequence[str],
    new: Sequence[str],
    *,
    face: Face = Face.MACHINE,
    prefix: str = "",
) -> FieldChange:
    """A list without order, as tags or links: which entries went and which came."""
    return FieldChange(
        label,
        face,
        tuple(_entries(old, new, Change.REMOVED, "")),
        tuple(_entries(new, old, Change.ADDED, prefix)),
    )


def _entries(
    values: Sequence[str], others: Iterable[str], change: Change, prefix: str
) -> Iterable[tuple[Segment, ...]]:
    known = set(others)
    for number, value in enumerate(values, start=1):
        marking = Marking(value, prefix=f"{prefix}-{number}" if prefix else "")
        yield whole(Change.SAME if value in known else change, marking, 0, len(value)) or (
            Segment(change, (Piece(""),)),
        )


def _entry(segments: tuple[Segment, ...]) -> tuple[tuple[Segment, ...], ...]:
    return (segments,) if segments else ()
