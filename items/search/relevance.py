"""How well an item fits a query: BM25 over its fields, with a word's rarity pinned.

What an item scores by itself depends on the item and on `Rarity` alone. A walk through
a list carries the rarities that it began with, so that nothing that others write
meanwhile changes the place of an item that they leave alone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009): BM25F with a
small b, which finds more in short notes than the databases' own rankings. An item's
length counts by its square root and against a fixed one, so that it needs no average.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from items.search.candidates import Candidate
from items.search.words import marked

K1 = 1.2  # how soon more of the same word says no more
B = 0.25  # how much it counts against an item that it is long
LENGTH = 50  # terms of an item that counts as neither short nor long
HEADING, GIST, BODY = 3, 2, 1  # what an occurrence counts, by where it is
_SIGNS = 8  # characters of a term with its blanks, about
_EXACT = 1000  # scores are whole numbers, so that they compare alike everywhere

# Rarities are kept as one character each: 0 (in no item) to 63.
_LEVELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_STEP = 0.25
_FACTOR = _STEP * (K1 + 1) * _EXACT


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare each term of a query is among what is searched, from 1; absent: in none."""

    levels: Mapping[str, int]

    @classmethod
    def of(cls, terms: Sequence[str], counts: Sequence[int]) -> "Rarity":
        """From how many items there are, and then how many of them have each term."""
        total, *having = counts
        return cls(
            {term: _level(total, count) for term, count in zip(terms, having, strict=True) if count}
        )

    @classmethod
    def unpacked(cls, terms: Sequence[str], text: str) -> "Rarity":
        """As `packed` has written it for the same terms."""
        levels = map(_LEVELS.index, text)
        return cls({term: level for term, level in zip(terms, levels, strict=True) if level})

    def packed(self, terms: Sequence[str]) -> str:
        """The rarities of the terms in their order, a character each."""
        return "".join(_LEVELS[self.levels.get(term, 0)] for term in terms)

    def fits(self, items: Iterable[Candidate]) -> "list[Fit]":
        """How well each of the items fits by its own words."""
        needles = [marked(term) for term in self.levels]
        return [self._fit(item, needles) for item in items]

    def _fit(self, item: Candidate, needles: Sequence[str]) -> "Fit":
        heading, gist, body = item.heading, item.gist, item.body
        found: list[int] = []
        for needle in needles:
            count = BODY * body.count(needle)
            if needle in heading:
                count += HEADING * heading.count(needle)
            if gist and needle in gist:
                count += GIST * gist.count(needle)
            found.append(count)
        length = (len(heading) + len(gist) + len(body)) / _SIGNS
        drag = K1 * (1 - B + B * math.sqrt(length / LENGTH))
        return Fit(item, found, drag, self.score(found, drag))

    def score(self, found: Sequence[float], drag: float) -> int:
        """What so many occurrences of the terms score; 0 where there are none."""
        score = 0.0
        for level, count in zip(self.levels.values(), found, strict=True):
            if count:
                score += level * count / (count + drag)
        return round(score * _FACTOR)


class Fit(NamedTuple):
    """An item with how often it has each term, and its score; `drag` grows with its length."""

    item: Candidate
    found: Sequence[int]
    drag: float
    score: int


def _level(total: int, count: int) -> int:
    rarity = math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))
    return min(max(round(rarity / _STEP), 1), len(_LEVELS) - 1)
