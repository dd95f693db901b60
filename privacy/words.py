"""What only one version of an item says, to find what else repeats it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from conderis.common.json import Json
from items.search.stems import stem
from items.search.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
LONG_WORD = 5  # characters from which a word alone tells where it was taken from
CODE = 3  # the same of a word with a digit in it

Runs = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Traces:
    """The words, pairs and triples of words that one version alone has.

    Common words of English (those that searches leave out) tell nothing by themselves.
    """

    words: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, ...]] = frozenset()
    triples: frozenset[tuple[str, ...]] = frozenset()

    @classmethod
    def of(cls, own: Iterable[Json], others: Iterable[Json]) -> "Traces":
        """What the first values have and none of the others."""
        words, pairs, triples = _runs(own)
        for value in others:
            other_words, other_pairs, other_triples = _runs([value])
            words -= other_words
            pairs -= other_pairs
            triples -= other_triples
        return cls(frozenset(word for (word,) in words), frozenset(pairs), frozenset(triples))

    def are_in_what_came_of_it(self, *values: Json) -> bool:
        """Whether what was worked out from the version repeats a word or two of it."""
        words, pairs, _ = _runs(values)
        return bool(self.words & {word for (word,) in words} or self.pairs & pairs)

    def are_in(self, *values: Json) -> bool:
        """Whether values of any origin repeat what tells: a code, a word, or three in a row."""
        words, _, triples = _runs(values)
        telling = {word for (word,) in words if word in self.words and _tells(word)}
        return bool(telling or self.triples & triples)


def _tells(word: str) -> bool:
    has_digit = any(character.isdigit() for character in word)
    return len(word) >= (CODE if has_digit else LONG_WORD) and stem(word) not in STOP_WORDS


def _runs(values: Iterable[Json]) -> tuple[Runs, Runs, Runs]:
    words: Runs = set()
    pairs: Runs = set()
    triples: Runs = set()
    for text in _texts(list(values)):
        found = _WORD.findall(text.lower())
        words.update((word,) for word in found)
        pairs.update(pairwise(found))
        triples.update(zip(found, found[1:], found[2:], strict=False))
    return words, pairs, triples


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
