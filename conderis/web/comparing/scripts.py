"""Words made of letters of two scripts that look like letters of one.

People write `pushить`, `kΩ` and `Tシャツ`. What nobody means to write is a word of one
script in which every letter of the other has a double: there the mix can only deceive,
or is a slip. The doubles are those of Unicode's confusables (UTS #39), upright fonts.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import regex

from conderis.web.comparing.characters import MOST_SPOTS, Mark, Spot

SHORTEST_WHOLE: Final = 4
"""Letters of a word that is suspected although it is of one script."""

MOST_RUNS: Final = 50
"""Stretches of one word that are marked."""

_CYRILLIC: Final = frozenset("АВЕЅІЈКМНОРСТУХԚԜЗҮҺасеорхуѕіјԛԝһӏүк")
_GREEK: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρικυχγ")
_ARMENIAN: Final = frozenset("օոսհյցզքՕՍԼՏ")
_LATIN_DOUBLES: Final = frozenset("ABCEHIJKMOPSTXYaceopxysijhk")
_SCRIPTS: Final = {
    "Cyrillic": (regex.compile(r"\p{Cyrillic}"), _CYRILLIC),
    "Greek": (regex.compile(r"\p{Greek}"), _GREEK),
    "Armenian": (regex.compile(r"\p{Armenian}"), _ARMENIAN),
    "Cherokee": (regex.compile(r"\p{Cherokee}"), None),
    "Coptic": (regex.compile(r"\p{Coptic}"), None),
    "Lisu": (regex.compile(r"\p{Lisu}"), None),
}
_OTHER: Final = regex.compile(r"[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}\p{Coptic}\p{Lisu}]")
_OTHERS: Final = regex.compile(rf"(?:{_OTHER.pattern})+")
_LATIN: Final = regex.compile(r"\p{Latin}")
_LATINS: Final = regex.compile(r"\p{Latin}+")
# Characters that no reader sees do not part a word.
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{Nd}_\p{Cf}]+")


def script_of(character: str) -> str:
    """The name of a script whose letters look like Latin ones, or `Latin`."""
    for name, (pattern, _doubles) in _SCRIPTS.items():
        if pattern.match(character):
            return name
    return "Latin"


def mixed_spots(text: str) -> Iterator[tuple[Spot, ...]]:
    """For each word that deceives, the stretches of it in the script that it hides."""
    if not _OTHER.search(text):
        return
    alone: list[tuple[Spot, ...]] = []
    honest: set[str] = set()
    found: list[tuple[Spot, ...]] = []
    for match in _WORD.finditer(text):
        word = match.group()
        strange = _OTHER.findall(word)
        if not strange:
            continue
        if len(found) >= MOST_SPOTS:
            break
        if _LATIN.search(word):
            if _deceives(word, strange):
                found.append(_runs(word, match.start()))
        elif (
            len(alone) < MOST_SPOTS
            and len(strange) >= SHORTEST_WHOLE
            and all(map(_has_double, strange))
        ):
            alone.append(_runs(word, match.start()))
        if not all(map(_has_double, strange)):
            honest.update(map(script_of, strange))
    # A word all of doubles is suspect only where no other word shows that script at home.
    found += [spots for spots in alone if script_of(text[spots[0].start]) not in honest]
    yield from sorted(found)


def _deceives(word: str, strange: list[str]) -> bool:
    latin = _LATIN.findall(word)
    script = script_of(strange[0])
    if script == "Greek" and len(latin) < 3:
        return False  # a formula: ρgh, Δt, kΩ
    if all(map(_has_double, strange)):
        return True
    stem = len(latin) > 1 and word.startswith("".join(latin))  # PHPшник
    return script == "Cyrillic" and not stem and _LATIN_DOUBLES.issuperset(latin)


def _is_all_doubles(strange: list[str]) -> bool:
    return len(strange) >= SHORTEST_WHOLE and all(map(_has_double, strange))


def _has_double(letter: str) -> bool:
    doubles = _SCRIPTS[script_of(letter)][1]
    return doubles is None or letter in doubles


def _runs(word: str, offset: int) -> tuple[Spot, ...]:
    """The stretches of the script that has fewer letters in the word."""
    few = len(_LATIN.findall(word)) >= len(_OTHER.findall(word)) or not _LATIN.search(word)
    return tuple(
        Spot(offset + each.start(), offset + each.end(), Mark.MIXED)
        for each in islice((_OTHERS if few else _LATINS).finditer(word), MOST_RUNS)
    )
