"""How well an item fits a query: BM25 over its fields, with a word's rarity pinned.

What an item scores by itself depends on the item and on `Rarity` alone. A walk through
a list carries the rarities that it began with, so that nothing that others write
meanwhile changes the place of an item that they leave alone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009): BM25F with a
small b, which finds more in short notes than the databases' own rankings. An item's
length counts by its square root and against a fixed one, so that it needs no average.
So what a term is worth in an item depends on that item alone, and an index can keep it,
as one of 64 grades: a search adds them up and reads no texts.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from items.search.documents import Document

K1 = 1.2  # how soon more of the same word says no more
B = 0.25  # how much it counts against an item that it is long
LENGTH = 50  # terms of an item that counts as neither short nor long
HEADING, GIST, BODY = 3, 2, 1  # what an occurrence counts, by where it is
_SIGNS = 8  # characters of a term with its blanks, about

# What a term is worth in an item, count / (count + drag), from the least on: a sign each, so
# that it can be a column's name (of ASCII letters SQLite would not know small from capital).
GRADES = "".join(map(chr, range(ord("À"), ord("ÿ") + 1)))
_LEAST, _MOST = 0.2, 0.95  # worths of the first and the last grade
_SCALE = (len(GRADES) - 1) / (_MOST - _LEAST)
_WORTHS = {grade: _LEAST + place / _SCALE for place, grade in enumerate(GRADES)}
# The same as odds, count / drag: these can be added.
ODDS = {grade: worth / (1 - worth) for grade, worth in _WORTHS.items()}
_EXACT = 1000  # scores are whole numbers, so that they compare alike everywhere
_POINTS = {grade: round(worth * _EXACT) for grade, worth in _WORTHS.items()}

# Rarities are kept as one character each: 0 (in no item) to 63.
_LEVELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_STEP = 0.25


def grades_of(document: Document) -> dict[str, str]:
    """What each term is worth in an item."""
    counts: Counter[str] = Counter()
    fields = ((document.heading, HEADING), (document.gist, GIST), (document.body, BODY))
    for text, counting in fields:
        for term, count in Counter(text.split()).items():
            counts[term] += counting * count
    drag = drag_of(document.heading, document.gist, document.body)
    return {term: grade_of(count, drag) for term, count in counts.items()}


def grades_in(heading: str, gist: str, body: str, needles: Iterable[str]) -> list[str | None]:
    """What some terms, with their blanks, are worth in an item; None where they are not in it."""
    drag = drag_of(heading, gist, body)
    found: list[str | None] = []
    for needle in needles:
        count = BODY * body.count(needle)
        if needle in heading:
            count += HEADING * heading.count(needle)
        if needle in gist:
            count += GIST * gist.count(needle)
        found.append(grade_of(count, drag) if count else None)
    return found


def drag_of(heading: str, gist: str, body: str) -> float:
    """What occurrences in an item are held against; it grows with the item's length."""
    length = (len(heading) + len(gist) + len(body)) / _SIGNS
    return K1 * (1 - B + B * math.sqrt(length / LENGTH))


def grade_of(count: int, drag: float) -> str:
    """What a term is worth in an item that has it so often."""
    worth = count / (count + drag)
    if worth <= _LEAST:
        return GRADES[0]
    return GRADES[-1] if worth >= _MOST else GRADES[int((worth - _LEAST) * _SCALE + 0.5)]


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare each term of a query is among what is searched, from 1; absent: in none."""

    levels: Mapping[str, int]

    @classmethod
    def of(cls, total: int, having: Mapping[str, int]) -> "Rarity":
        """From how many items there are, and how many of them have each term."""
        return cls({term: _level(total, count) for term, count in having.items() if count})

    @classmethod
    def unpacked(cls, terms: Iterable[str], text: str) -> "Rarity":
        """As `packed` has written it for the same terms."""
        levels = map(_LEVELS.index, text)
        return cls({term: level for term, level in zip(terms, levels, strict=True) if level})

    def packed(self, terms: Iterable[str]) -> str:
        """The rarities of the terms in their order, a character each."""
        return "".join(_LEVELS[self.levels.get(term, 0)] for term in terms)

    def points(self, term: str) -> dict[str, int]:
        """What the term scores in an item, by its grade there."""
        level = self.levels[term]
        return {grade: level * points for grade, points in _POINTS.items()}

    def score(self, grades: Iterable[str | None]) -> int:
        """What an item scores with these grades of the terms (None where it has none)."""
        levels = self.levels.values()
        found = zip(levels, grades, strict=True)
        return sum(level * _POINTS[grade] for level, grade in found if grade is not None)

    def score_of_odds(self, odds: Iterable[float]) -> int:
        """The same of odds, to which others were added."""
        found = zip(self.levels.values(), odds, strict=True)
        return round(_EXACT * sum(level * each / (1 + each) for level, each in found))


def _level(total: int, count: int) -> int:
    rarity = math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))
    return min(max(round(rarity / _STEP), 1), len(_LEVELS) - 1)
