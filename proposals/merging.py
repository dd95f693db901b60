"""Merging a proposal into what stands: texts three-way by lines, other fields whole.

Nothing here knows the database. The texts are compared with the base that the proposal
was worked out from; where both sides changed the same place differently, or places that
touch, there is no merge: better none than a wrong one. Nor is there one where both removed
or wrote the same line in different places, or one removed what the other wrote: so every
line stands as often as the changes of both say, none that stands in both is lost and none
that one side deleted comes back. The algorithm is diff3's, written here on `difflib`, since
the one library for it that is kept up (merge3) is GPL and this project is MIT.

A line that stands once in both texts anchors the comparison (as in patience diff), so that
the work grows with the length of the texts; texts that would take too much of it are
refused as not mergeable.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from conderis.common.json import Json, JsonObject

# Lines looked at, and steps of comparing by force, before a comparison is given up: a second.
MAX_LINES = 400_000
MAX_STEPS = 1_000_000

Lines = Sequence[str]
_Range = tuple[int, int, int, int]  # from and to before, in the base and in the side


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that both sides changed, so that somebody must decide."""

    field: str
    base: Json
    current: Json
    proposed: Json


@dataclass(frozen=True, slots=True)
class Merge:
    """What approving would set, which texts were merged for it, and what stands against it.

    `fields` hold only what differs from what stands.
    """

    fields: JsonObject
    merged: tuple[str, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()


def merge_fields(
    base: Mapping[str, Json],
    current: Mapping[str, Json],
    proposed: Mapping[str, Json],
    *,
    texts: Collection[str],
) -> Merge:
    """What the proposed fields make of the current ones, seen from their common base.

    Values are JSON as answers show them, absent or None meaning empty. A field that only
    one side changed is taken as that side has it; one of `texts` that both changed is
    merged by lines where that is clean.
    """
    fields: JsonObject = {}
    merged: list[str] = []
    conflicts: list[FieldConflict] = []
    for name, wanted in proposed.items():
        was, now = base.get(name), current.get(name)
        if wanted in (now, was):
            continue
        if now == was:
            fields[name] = wanted
            continue
        text = merge_texts(was or "", now or "", wanted or "") if name in texts else None
        if text is None:
            conflicts.append(FieldConflict(name, was, now, wanted))
        else:
            fields[name] = text
            merged.append(name)
    return Merge(fields, tuple(merged), tuple(conflicts))


def merge_texts(base: str, one: str, other: str) -> str | None:
    """The text with the changes of both sides, or None where they do not go together.

    It is the same whichever side comes first. Lines are compared whole; a paragraph of
    Markdown that is one line is one. None also where the texts are too much to compare.
    """
    if one in (base, other):
        return other
    if other == base:
        return one
    lines = base.split("\n")
    sides = one.split("\n"), other.split("\n")
    try:
        first, second = ([*_hunks(lines, side)] for side in sides)
    except _TooMuchError:
        return None
    merged = _merged(lines, first, second)
    return "\n".join(merged) if merged is not None else None


@dataclass(frozen=True, slots=True)
class _Hunk:
    """Lines of the base, from `start` to before `end`, and what one side has instead."""

    start: int
    end: int
    lines: tuple[str, ...]


class _TooMuchError(Exception):
    """The comparison would take too long."""


def _merged(base: Lines, first: list[_Hunk], second: list[_Hunk]) -> list[str] | None:
    """The base with the hunks of both sides, or None where two of them do not go together."""
    result: list[str] = []
    position, mine, others = 0, 0, 0
    both: list[_Hunk] = []
    alone: tuple[list[_Hunk], list[_Hunk]] = ([], [])
    while mine < len(first) or others < len(second):
        one = first[mine] if mine < len(first) else None
        other = second[others] if others < len(second) else None
        if one is not None and one == other:
            hunk = one
            mine, others = mine + 1, others + 1
            both.append(hunk)
        elif one is not None and (other is None or one.end < other.start):
            hunk = one
            mine += 1
            alone[0].append(hunk)
        elif other is not None and (one is None or other.end < one.start):
            hunk = other
            others += 1
            alone[1].append(hunk)
        else:
            return None
        result += [*base[position : hunk.start], *hunk.lines]
        position = hunk.end
    touched = (_touched(base, hunks) for hunks in (alone[0], alone[1], both))
    return None if _disagree(*touched) else [*result, *base[position:]]


@dataclass(frozen=True, slots=True)
class _Touched:
    """The lines that hunks take out, and those that they put in."""

    removed: frozenset[str]
    added: frozenset[str]


def _touched(base: Lines, hunks: list[_Hunk]) -> _Touched:
    """Of the lines that say something; one that stays within its hunk is neither."""
    removed: set[str] = set()
    added: set[str] = set()
    for hunk in hunks:
        was, now = Counter(base[hunk.start : hunk.end]), Counter(hunk.lines)
        removed.update(was - now)
        added.update(now - was)
    return _Touched(frozenset(filter(_says, removed)), frozenset(filter(_says, added)))


def _says(line: str) -> bool:
    """Blank lines, rules and fences say nothing: they may stand any number of times."""
    return any(map(str.isalnum, line))


def _disagree(one: _Touched, other: _Touched, both: _Touched) -> bool:
    """Whether the sides want different things of one line, each in a place of its own.

    What both did alike is also a part of what each did: a line that both took out, and one
    put in elsewhere, was moved by that one and deleted by the other.
    """
    return bool(
        one.removed & other.removed
        or one.added & other.added
        or one.removed & (other.added | both.added)
        or other.removed & (one.added | both.added)
        or both.removed & (one.added | other.added)
    )


def _hunks(base: Lines, side: Lines) -> Iterator[_Hunk]:
    """Where the side differs from the base, in order; at least one equal line between."""
    ends = [(-1, -1), *_equal_lines(base, side), (len(base), len(side))]
    for (b0, s0), (b1, s1) in pairwise(ends):
        if b1 - b0 > 1 or s1 - s0 > 1:
            yield _Hunk(b0 + 1, b1, tuple(side[s0 + 1 : s1]))


def _equal_lines(base: Lines, side: Lines) -> list[tuple[int, int]]:
    """Places of equal lines, rising in both texts.

    Raises:
        _TooMuchError: finding them takes more than the limits.
    """
    found: list[tuple[int, int]] = []
    looked_at, steps = 0, 0
    ranges = [(0, len(base), 0, len(side))]
    while ranges:
        b0, b1, s0, s1 = ranges.pop()
        looked_at += b1 - b0 + s1 - s0
        if looked_at > MAX_LINES:
            raise _TooMuchError
        while b0 < b1 and s0 < s1 and base[b0] == side[s0]:
            found.append((b0, s0))
            b0, s0 = b0 + 1, s0 + 1
        while b0 < b1 and s0 < s1 and base[b1 - 1] == side[s1 - 1]:
            b1, s1 = b1 - 1, s1 - 1
            found.append((b1, s1))
        if b0 == b1 or s0 == s1:
            continue
        within = (b0, b1, s0, s1)
        rows = _anchors(base, side, within)
        if not rows:
            rows, cost = _by_force(base, side, within, at_most=MAX_STEPS - steps)
            steps += cost
        if rows:
            found += rows
            starts = [(b0, s0), *((b + 1, s + 1) for b, s in rows)]
            ends = [*rows, (b1, s1)]
            ranges += [
                (b, b_end, s, s_end)
                for (b, s), (b_end, s_end) in zip(starts, ends, strict=True)
                if b < b_end and s < s_end
            ]
    return sorted(found)


def _anchors(base: Lines, side: Lines, within: _Range) -> list[tuple[int, int]]:
    """The longest rising row of lines that stand exactly once in each of the two ranges."""
    b0, b1, s0, s1 = within
    often = Counter(base[b0:b1])
    times = Counter(side[s0:s1])
    where = {side[s]: s for s in range(s0, s1) if times[side[s]] == 1}
    both = [(b, where[base[b]]) for b in range(b0, b1) if often[base[b]] == 1 and base[b] in where]
    tops: list[int] = []
    rows: list[int] = []
    before: list[int | None] = []
    for place, (_, s) in enumerate(both):
        pile = bisect_left(tops, s)
        before.append(rows[pile - 1] if pile else None)
        tops[pile : pile + 1] = [s]
        rows[pile : pile + 1] = [place]
    longest: list[tuple[int, int]] = []
    at = rows[-1] if rows else None
    while at is not None:
        longest.append(both[at])
        at = before[at]
    return longest[::-1]


def _by_force(
    base: Lines, side: Lines, within: _Range, *, at_most: int
) -> tuple[list[tuple[int, int]], int]:
    """Equal lines of two ranges in which each stands more than once, and what that cost.

    Lines that say nothing are not compared: they are equal everywhere, and prove nothing.

    Raises:
        _TooMuchError: it would cost more than `at_most`.
    """
    b0, b1, s0, s1 = within
    ours = [b for b in range(b0, b1) if _says(base[b])]
    theirs = [s for s in range(s0, s1) if _says(side[s])]
    times = Counter(side[s] for s in theirs)
    pairs = sum(times[base[b]] for b in ours)
    if not pairs:
        return [], 0
    cost = (pairs + len(ours) + len(theirs)) * min(len(ours), len(theirs))
    if cost > at_most:
        raise _TooMuchError
    matcher = SequenceMatcher(
        None, [base[b] for b in ours], [side[s] for s in theirs], autojunk=False
    )
    blocks = matcher.get_matching_blocks()
    rows = [(ours[b + n], theirs[s + n]) for b, s, size in blocks for n in range(size)]
    return rows, cost
