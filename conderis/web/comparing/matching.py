"""Which elements of two sequences are the same, at a bounded cost.

Heads and tails are trimmed. What is left is compared by longest runs where that is cheap
(difflib; quadratic), else parted at elements that both sides have once (the patience
diff of Bram Cohen) and each part is looked at again. Nothing here looks at a clock: the
same texts give the same answer on any machine.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import Match, SequenceMatcher
from typing import Final, NamedTuple

MOST_PAIRS: Final = 150_000
"""Equal pairs of elements in one part, beyond which it is parted first."""


class Run(NamedTuple):
    """`size` elements that are the same, from `old` on one side and `new` on the other."""

    old: int
    new: int
    size: int


class TooDearError(Exception):
    """The comparison would cost more than it may."""


class Budget:
    """How much may still be spent, in looks at a pair, and whether anything was left out."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.exceeded = False

    def spend(self, cost: int) -> None:
        """Take from what is left.

        Raises:
            TooDearError: there is not that much.
        """
        self.left -= cost
        if self.left < 0:
            self.exceeded = True
            raise TooDearError

    def afford(self, cost: int) -> None:
        """See to it that this much is left, without taking it.

        Raises:
            TooDearError: it is not.
        """
        if self.left < cost:
            self.exceeded = True
            raise TooDearError


def runs_of(old: Sequence[str], new: Sequence[str], budget: Budget) -> list[Run]:
    """Runs of elements that are the same on both sides, in order.

    Parts that would be too dear are left unmatched, as if wholly different.
    """
    found: list[Run] = []
    parts = [(0, len(old), 0, len(new))]
    while parts:
        head, middle, tail = _trimmed(old, new, parts.pop())
        found += [head, tail]
        if middle[0] == middle[1] or middle[2] == middle[3]:
            continue
        try:
            pairs = _pairs(old, new, middle)
            budget.spend(middle[1] - middle[0] + middle[3] - middle[2])
            if pairs <= MOST_PAIRS:
                found += _longest_runs(old, new, middle, pairs, budget)
            else:
                parts += _parted(old, new, middle)
        except TooDearError:
            budget.exceeded = True
    return sorted(run for run in found if run.size)


_Part = tuple[int, int, int, int]


def _trimmed(old: Sequence[str], new: Sequence[str], part: _Part) -> tuple[Run, _Part, Run]:
    a, b, c, d = part
    head = 0
    while a + head < b and c + head < d and old[a + head] == new[c + head]:
        head += 1
    tail = 0
    while a + head < b - tail and c + head < d - tail and old[b - tail - 1] == new[d - tail - 1]:
        tail += 1
    return (
        Run(a, c, head),
        (a + head, b - tail, c + head, d - tail),
        Run(b - tail, d - tail, tail),
    )


def _pairs(old: Sequence[str], new: Sequence[str], part: _Part) -> int:
    a, b, c, d = part
    ours, theirs = Counter(old[a:b]), Counter(new[c:d])
    return sum(count * theirs[each] for each, count in ours.items())


class _Matcher(SequenceMatcher[str]):
    """difflib's matcher with a budget: each of its steps may look at every equal pair."""

    def __init__(self, old: Sequence[str], new: Sequence[str], pairs: int, budget: Budget) -> None:
        super().__init__(None, old, new, autojunk=False)
        self._budget = budget
        self._size = len(old)
        self._share = pairs / max(len(old), 1)

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """The longest run that is the same, after paying for the search."""
        size = (self._size if ahi is None else ahi) - alo
        self._budget.spend(int(size * (1 + self._share)))
        return super().find_longest_match(alo, ahi, blo, bhi)


def _longest_runs(
    old: Sequence[str], new: Sequence[str], part: _Part, pairs: int, budget: Budget
) -> list[Run]:
    a, b, c, d = part
    matcher = _Matcher(old[a:b], new[c:d], pairs, budget)
    return [Run(a + i, c + j, size) for i, j, size in matcher.get_matching_blocks()]


def _parted(old: Sequence[str], new: Sequence[str], part: _Part) -> list[_Part]:
    """The parts between elements that each side has once, in the same order.

    Raises:
        TooDearError: there are none.
    """
    a, b, c, d = part
    ours, theirs = Counter(old[a:b]), Counter(new[c:d])
    places = {new[at]: at for at in range(c, d) if theirs[new[at]] == 1}
    single = [
        (at, places[old[at]]) for at in range(a, b) if ours[old[at]] == 1 and old[at] in places
    ]
    anchors = _rising(single)
    if not anchors:
        raise TooDearError
    parts = []
    for i, j in anchors:
        parts.append((a, i, c, j))
        a, c = i, j
    return [*parts, (a, b, c, d)]


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs in which both places rise."""
    ends: list[int] = []
    heads: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        rank = bisect_left(ends, place)
        before.append(heads[rank - 1] if rank else -1)
        if rank == len(ends):
            ends.append(place)
            heads.append(number)
        else:
            ends[rank], heads[rank] = place, number
    chosen = []
    at = heads[-1] if heads else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]
