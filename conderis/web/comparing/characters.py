"""Characters that no reader sees, or that change how others are shown.

A character is left alone where its script or its emoji needs it: a joiner between Persian
letters, a variation selector after an emoji, a wide blank in Japanese. Anywhere else it
has no work to do that a reader could see, and is reported.
"""

import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from heapq import merge
from itertools import groupby
from typing import Final, NamedTuple

import regex

MOST_STACKED: Final = 5
"""Marks on one letter; Hebrew with accents and Tibetan stacks stay below."""
MOST_SPOTS: Final = 2_000
"""Stretches that are marked one by one; where a text has more, the rest is one stretch."""
LONGEST_FITTING: Final = 8
"""Notable characters in a row that may all be needed; flags have six."""


class Mark(StrEnum):
    """Why a stretch of a text is marked."""

    HIDDEN = "hidden"
    BIDI = "bidi"
    TAGS = "tags"
    SPACE = "space"
    CROWDED = "crowded"
    MIXED = "mixed"
    COMMENT = "comment"
    LINK = "link"


class Spot(NamedTuple):
    """A stretch of a text, from `start` up to `end`, and why it is marked."""

    start: int
    end: int
    mark: Mark


NOTABLE: Final = regex.compile(
    r"(?V1)[[\p{DI}\p{Cf}\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\u2800\ufffc]"
    r"--[\p{PCM}\p{ExtPict}\ \n\t]]"
)
"""A character that needs a reason to be in a text."""
_NOTABLES: Final = regex.compile(rf"{NOTABLE.pattern}+")
_STACKED: Final = regex.compile(rf"[\p{{Mn}}\p{{Me}}--\p{{DI}}]{{{MOST_STACKED + 1},}}", regex.V1)
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f")
_RIGHT_TO_LEFT: Final = regex.compile(r"[\p{bc=R}\p{bc=AL}--[\u061c\u200f]]", regex.V1)
_LETTER: Final = regex.compile(r"[\p{L}\p{M}\p{Nd}]")
_BEFORE_JOINER: Final = regex.compile(r"[\p{ExtPict}\p{EMod}]")
_EMOJI: Final = regex.compile(r"\p{Emoji}")
_PICTURE: Final = regex.compile(r"\p{ExtPict}")
_JOINING: Final = regex.compile(
    r"[\p{Arabic}\p{Syriac}\p{Nko}\p{Mandaic}\p{Mongolian}\p{Adlam}\p{Hanifi_Rohingya}]"
)
_INDIC: Final = regex.compile(
    r"[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}"
    r"\p{Malayalam}\p{Sinhala}\p{Tibetan}\p{Myanmar}\p{Khmer}\p{Balinese}\p{Javanese}]"
)
_WITHOUT_BLANKS: Final = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]")
_EAST_ASIAN: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\u3000-\u303f\uff00-\uffef]"
)
_SELECTED: Final = {  # which characters a variation selector may follow
    "text or emoji": (range(0xFE0E, 0xFE10), _EMOJI),
    "symbols": (range(0xFE00, 0xFE01), regex.compile(r"[\p{Sm}\p{Myanmar}\p{Phags_Pa}0]")),
    "compatible": (range(0xFE00, 0xFE03), regex.compile(r"\p{Han}")),
    "ideographs": (range(0xE0100, 0xE01F0), regex.compile(r"\p{Han}")),
    "Mongolian": ((0x180B, 0x180C, 0x180D, 0x180E, 0x180F), regex.compile(r"\p{Mongolian}")),
}
_SELECTORS: Final = frozenset(code for codes, _ in _SELECTED.values() for code in codes)
_FLAG: Final = "\U0001f3f4"
_FLAG_TAGS: Final = frozenset(
    "".join(chr(0xE0000 + ord(each)) for each in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)


def hidden_spots(text: str) -> Iterator[Spot]:
    """Stretches of hidden, directing, unusual and stacked characters, in order.

    Neighbours of one sort make one stretch. What follows the first 2,000 is one stretch.
    """
    joined: Spot | None = None
    count = 0
    for spot in merge(_unfit(text), _stacks(text)):
        if joined is not None and (joined.end, joined.mark) == (spot.start, spot.mark):
            joined = Spot(joined.start, spot.end, spot.mark)
            continue
        if joined is not None:
            count += 1
            if count > MOST_SPOTS:
                yield Spot(joined.start, len(text), Mark.CROWDED)
                return
            yield joined
        joined = spot
    if joined is not None:
        yield joined


def _unfit(text: str) -> Iterator[Spot]:
    for match in _NOTABLES.finditer(text):
        at, run = match.start(), match[0]
        if len(run) > LONGEST_FITTING:
            for mark, group in groupby(run, key=sort_of):
                size = sum(1 for _ in group)
                yield Spot(at, at + size, mark)
                at += size
            continue
        flag = _end_of_flag(text, at)
        for place in range(max(at, flag), match.end()):
            if not _fits(text, place):
                yield Spot(place, place + 1, sort_of(text[place]))


def _stacks(text: str) -> Iterator[Spot]:
    for match in _STACKED.finditer(text):
        yield Spot(match.start(), match.end(), Mark.HIDDEN)


def sort_of(character: str) -> Mark:
    """Which sort of mark a notable character gets."""
    if character in _BIDI:
        return Mark.BIDI
    if "\U000e0000" <= character <= "\U000e007f":
        return Mark.TAGS
    return Mark.SPACE if unicodedata.category(character) == "Zs" else Mark.HIDDEN


def _end_of_flag(text: str, at: int) -> int:
    """Where the flag of a part of Britain ends whose tags begin here; 0 for other tags."""
    tags = text[at : at + 6]
    return at + 6 if tags in _FLAG_TAGS and at and text[at - 1] == _FLAG else 0


def _fits(text: str, at: int) -> bool:
    """Whether the notable character here is what its neighbours need."""
    character, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if character in "\u200c\u200d":
        return _joins(text, at)
    if ord(character) in _SELECTORS:
        return any(
            ord(character) in codes and bool(base.match(before))
            for codes, base in _SELECTED.values()
        )
    if character in _DIRECTION_MARKS:
        return _directs(text, at)
    if character == "\u200b":
        return bool(_WITHOUT_BLANKS.match(before) and _WITHOUT_BLANKS.match(after))
    if character == "\u3000":
        return bool(_EAST_ASIAN.match(before) or _EAST_ASIAN.match(after))
    return character == "\r" and after == "\n"


def _joins(text: str, at: int) -> bool:
    """Whether a joiner or non-joiner stands in an emoji, or in a script that has them."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] == "\u200d" and _PICTURE.match(after):
        whole = text[at - 2 : at - 1] if before == "\ufe0f" else before
        return bool(_BEFORE_JOINER.match(whole))
    if not before or not _LETTER.match(before):
        return False
    letter = _letter_before(text, at)
    if _INDIC.match(letter):
        return unicodedata.combining(before) == 9 or bool(_INDIC.match(after))
    return bool(_JOINING.match(letter) and _JOINING.match(after))


def _letter_before(text: str, at: int) -> str:
    """The last letter before, past at most some marks on it."""
    for back in range(at - 1, max(at - 2 - MOST_STACKED, -1), -1):
        if not unicodedata.combining(text[back]):
            return text[back]
    return ""


def _directs(text: str, at: int) -> bool:
    """Whether a mark of direction stands at the edge of words that run right to left.

    It can move no more than the signs beside it. Between two such letters it does nothing.
    """
    near = text[max(at - 40, 0) : at].rpartition("\n")[2], text[at + 1 : at + 41].partition("\n")[0]
    sides = [bool(_RIGHT_TO_LEFT.search(side)) for side in near]
    touching = _RIGHT_TO_LEFT.match(near[0][-1:]) and _RIGHT_TO_LEFT.match(near[1][:1])
    beside_another = {near[0][-1:], near[1][:1]} & _BIDI
    return any(sides) and not touching and not beside_another
