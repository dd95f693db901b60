"""The words that differ between two versions of one paragraph."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

import regex

from conderis.web.comparing.marking import Marking, Piece
from conderis.web.comparing.matching import Budget, runs_of

_TOKEN: Final = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|(?:[\w--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]+['’]?)+"
    r"|[ \t\n\r]+|\p{DI}+|\X"
)
_WORD: Final = regex.compile(
    r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"|(?:[\w--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]+['’]?)+"
)
_COARSE: Final = re.compile(r"([^ \t\n\r]+)([ \t\n\r]*)")
_BLANKS: Final = " \t\n\r"
_HAS_WORD: Final = regex.compile(r"\w")


class Change(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text that stayed, went or came, in pieces."""

    change: Change
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """Exactly the source."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as words and signs, each with the blanks after it; the first may be empty."""

    cores: tuple[str, ...]
    tails: tuple[str, ...]

    @property
    def weight(self) -> int:
        """How many characters the words and signs have."""
        return sum(map(len, self.cores))


class _Step(NamedTuple):
    """A stretch of both sides; equal ones are the same on both."""

    equal: bool
    old: str
    new: str


def tokens_of(text: str) -> Tokens:
    """The words, signs and blanks of a text; East Asian text by the character."""
    cores, tails = [""], [""]
    for token in _TOKEN.findall(text):
        if token[0] in _BLANKS:
            tails[-1] += token
        else:
            cores.append(token)
            tails.append("")
    return Tokens(tuple(cores), tuple(tails))


def coarse_tokens_of(text: str) -> Tokens:
    """What stands between blanks, with the blanks: quicker, for very long paragraphs."""
    start = len(text) - len(text.lstrip(_BLANKS))
    pairs = [("", text[:start]), *_COARSE.findall(text)]
    return Tokens(tuple(core for core, _ in pairs), tuple(tail for _, tail in pairs))


def words_in(text: str) -> int:
    """How many words a text has."""
    return sum(1 for _ in _WORD.finditer(text))


def segments_of(
    old: tuple[Marking, int, Tokens], new: tuple[Marking, int, Tokens], budget: Budget
) -> tuple[Segment, ...]:
    """The change from one paragraph to the other; each comes with its text and its place.

    What is the same is in the pieces of the new text, without anchors twice.
    """
    steps = _joined(_steps(old[2], new[2], budget))
    return tuple(_segments(steps, old[0], old[1], new[0], new[1]))


def whole(change: Change, marking: Marking, start: int, stop: int) -> tuple[Segment, ...]:
    """A stretch of a text as one segment; none if it is empty."""
    return (Segment(change, marking.pieces(start, stop)),) if stop > start else ()


def _steps(old: Tokens, new: Tokens, budget: Budget) -> Iterator[_Step]:
    i = j = 0
    ends = [(len(old.cores), len(new.cores), 0)]
    for a, b, size in [*runs_of(old.cores, new.cores, budget), *ends]:
        if i < a or j < b:
            yield from _replaced(_text(old, i, a), _text(new, j, b))
        for at in range(size):
            yield _Step(equal=True, old=old.cores[a + at], new=new.cores[b + at])
            gone, come = old.tails[a + at], new.tails[b + at]
            yield from (
                [_Step(equal=True, old=gone, new=come)] if gone == come else _replaced(gone, come)
            )
        i, j = a + size, b + size


def _replaced(old: str, new: str) -> Iterator[_Step]:
    """A change without the blanks at its ends that both sides have."""
    common = 0
    while common < min(len(old), len(new)) and old[-1 - common] == new[-1 - common] in _BLANKS:
        common += 1
    kept = old[len(old) - common :]
    yield _Step(equal=False, old=old[: len(old) - common], new=new[: len(new) - common])
    if kept:
        yield _Step(equal=True, old=kept, new=kept)


def _text(tokens: Tokens, start: int, stop: int) -> str:
    pairs = zip(tokens.cores[start:stop], tokens.tails[start:stop], strict=True)
    return "".join(core + tail for core, tail in pairs)


def _joined(steps: Iterator[_Step]) -> list[_Step]:
    """Fewer and longer steps: two changes with next to nothing between become one."""
    merged: list[list[_Step]] = []
    for step in steps:
        if not step.old and not step.new:
            continue
        if merged and merged[-1][0].equal == step.equal:
            merged[-1].append(step)
        else:
            merged.append([step])
    runs = [
        _Step(group[0].equal, "".join(s.old for s in group), "".join(s.new for s in group))
        for group in merged
    ]
    joined: list[_Step] = []
    for at, run in enumerate(runs):
        between = run.equal and 0 < at < len(runs) - 1 and _is_slight(run.old)
        if joined and not joined[-1].equal and (between or not run.equal):
            last = joined[-1]
            joined[-1] = _Step(equal=False, old=last.old + run.old, new=last.new + run.new)
        else:
            joined.append(run)
    return joined


def _is_slight(text: str) -> bool:
    """Whether a text is a blank or one sign, perhaps with a blank."""
    core = text.strip(_BLANKS)
    return len(text) <= 2 and len(core) <= 1 and not _HAS_WORD.match(core)


def _segments(
    steps: Sequence[_Step], old: Marking, i: int, new: Marking, j: int
) -> Iterator[Segment]:
    for step in steps:
        after_i, after_j = i + len(step.old), j + len(step.new)
        if step.equal:
            yield from whole(Change.SAME, new, j, after_j)
        else:
            yield from whole(Change.REMOVED, old, i, after_i)
            yield from whole(Change.ADDED, new, j, after_j)
        i, j = after_i, after_j
