"""Stems of English words: M. F. Porter, "An algorithm for suffix stripping" (1980).

With the two corrections that its author's own program has (`bli`, `logi`). Done here
and not by the databases, so that both find and rank the same.
"""

import re
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[a-z]{3,40}\Z")
_VOWELS = frozenset("aeiou")
# Each list is tried from the longest suffix on; only the first that fits counts.
_STEP_2 = (
    ("ational", "ate"), ("ization", "ize"), ("iveness", "ive"), ("fulness", "ful"),
    ("ousness", "ous"), ("tional", "tion"), ("biliti", "ble"), ("entli", "ent"),
    ("ousli", "ous"), ("ation", "ate"), ("alism", "al"), ("aliti", "al"), ("iviti", "ive"),
    ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"), ("alli", "al"),
    ("ator", "ate"), ("bli", "ble"), ("eli", "e"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate",
    "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
)  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of an English word in lower case; any other text as it is."""
    if not _WORD.match(word):
        return word
    word = _step_1b(_step_1a(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _step_5(_step_4(word))


def _is_consonant(word: str, place: int) -> bool:
    letter = word[place]
    if letter in _VOWELS:
        return False
    return letter != "y" or place == 0 or not _is_consonant(word, place - 1)


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant (m in the paper)."""
    kinds = [_is_consonant(word, place) for place in range(len(word))]
    return sum(after and not before for before, after in pairwise(kinds))


def _has_vowel(word: str) -> bool:
    return not all(_is_consonant(word, place) for place in range(len(word)))


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _short_syllable(word: str) -> bool:
    """Ends with consonant, vowel, consonant, the last none of w, x and y (*o in the paper)."""
    if len(word) < 3 or word[-1] in "wxy":
        return False
    last = len(word) - 1
    return (
        _is_consonant(word, last - 2)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last)
    )


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return _mended(rest) if _has_vowel(rest) else word
    return word


def _mended(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _doubled(rest) and rest[-1] not in "lsz":
        return rest[:-1]
    if _measure(rest) == 1 and _short_syllable(rest):
        return rest + "e"
    return rest


def _replaced(word: str, suffixes: tuple[tuple[str, str], ...]) -> str:
    for suffix, instead in suffixes:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + instead if _measure(rest) > 0 else word
    return word


def _step_4(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if _measure(rest) <= 1 or (suffix == "ion" and rest[-1:] not in ("s", "t")):
                return word
            return rest
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _short_syllable(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
