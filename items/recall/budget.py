"""How the sections of a recall share its characters.

Every section has its floor (a heading with its counts), some are served first, the
others get their shares of what then remains, and what nobody used goes to those that
want more, one after the other. A larger total never gives a section less: the sums are
exact fractions and only the result is rounded down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WHOLE = 1000


@dataclass(frozen=True, slots=True)
class Ask:
    """What a section asks for, in characters.

    `floor` is what it takes at least, `need` what it takes to be complete. `share` and
    `most` are thousandths: of what those served `first` leave (shares that make more
    than a whole shrink alike), and of the whole recall.
    """

    floor: int
    need: int
    share: int
    most: int = WHOLE
    first: bool = False


def allot(total: int, spare: int, asks: Sequence[Ask]) -> list[int]:
    """Characters for each ask, in its place; together at most `spare`.

    `total` is the length of the whole recall, `spare` what its sections share. What is
    left after the shares is handed on in the order of the asks. The floors fit in.
    """
    wants = [_want(total, ask) for ask in asks]
    given = [Fraction(0)] * len(asks)
    room = Fraction(spare - sum(ask.floor for ask in asks))
    for place, ask in enumerate(asks):
        if ask.first:
            given[place] = min(wants[place], room)
            room -= given[place]
    shared = room / max(WHOLE, sum(ask.share for ask in asks))
    for place, ask in enumerate(asks):
        if not ask.first:
            given[place] = min(wants[place], shared * ask.share)
            room -= given[place]
    for place, want in enumerate(wants):
        more = min(want - given[place], room)
        given[place] += more
        room -= more
    return [ask.floor + int(each) for ask, each in zip(asks, given, strict=True)]


def _want(total: int, ask: Ask) -> Fraction:
    """What a section would take beyond its floor."""
    return max(Fraction(0), min(Fraction(ask.need), Fraction(total * ask.most, WHOLE)) - ask.floor)
