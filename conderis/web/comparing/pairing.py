"""Which of the paragraphs that went became which of those that came."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from conderis.web.comparing.matching import Budget
from conderis.web.comparing.wording import Tokens

LEAST_LIKENESS: Final = 0.45
BAND: Final = 5
"""How far from its place, in proportion, a paragraph is looked for."""


LOOK: Final = 10
"""What a look at two paragraphs costs, whatever they hold."""


def least_cost(olds: int, news: int) -> int:
    """What pairing so many paragraphs costs at least, with the splitting into words."""
    return 2 * LOOK * olds * min(2 * BAND + 2 * (news // max(olds, 1)), news)


def pairs_of(old: Sequence[Tokens], new: Sequence[Tokens], budget: Budget) -> list[tuple[int, int]]:
    """Pairs of places in order whose likeness is greatest in sum, each at least 45 %.

    Raises:
        TooDearError: there are too many to compare.
    """
    bags = [Counter(each.cores) for each in old], [Counter(each.cores) for each in new]
    table = _Table(len(old), len(new))
    for i in range(len(old)):
        for j in table.band(i):
            budget.spend(LOOK + min(len(bags[0][i]), len(bags[1][j])))
            gain = _likeness(bags[0][i], old[i].weight, bags[1][j], new[j].weight)
            table.enter(i, j, gain if gain >= LEAST_LIKENESS else 0.0)
    return table.chosen()


class _Table:
    """The best sums of likeness up to each pair of places, near the diagonal."""

    def __init__(self, olds: int, news: int) -> None:
        self.olds, self.news = olds, news
        self._best: dict[tuple[int, int], float] = {}
        self._paired: dict[tuple[int, int], bool] = {}

    def band(self, i: int) -> range:
        """Which places of the new side are looked at for this one of the old."""
        middle, width = i * self.news // self.olds, BAND + self.news // self.olds
        return range(max(middle - width, 0), min(middle + width + 1, self.news))

    def enter(self, i: int, j: int, gain: float) -> None:
        """Note what pairing these two would gain; nothing means that they cannot be."""
        without = max(self._at(i - 1, j), self._at(i, j - 1))
        taken = self._at(i - 1, j - 1) + gain if gain else -1.0
        self._best[i, j] = max(without, taken)
        self._paired[i, j] = taken >= without

    def chosen(self) -> list[tuple[int, int]]:
        """The pairs of the best sum, in order."""
        pairs, i, j = [], self.olds - 1, self.news - 1
        while i >= 0 and j >= 0:
            if self._paired.get((i, j)):
                pairs.append((i, j))
                i, j = i - 1, j - 1
            elif self._at(i - 1, j) >= self._at(i, j - 1):
                i -= 1
            else:
                j -= 1
        return pairs[::-1]

    def _at(self, i: int, j: int) -> float:
        while i >= 0 and j >= 0:
            band = self.band(i)
            if j >= band.stop:
                j = band.stop - 1
            elif j < band.start:
                i -= 1
            else:
                return self._best.get((i, j), 0.0)
        return 0.0


def likeness(old: Tokens, new: Tokens) -> float:
    """The share of characters in words that two texts both have, between 0 and 1."""
    return _likeness(Counter(old.cores), old.weight, Counter(new.cores), new.weight)


def _likeness(ours: Counter[str], weight: int, theirs: Counter[str], other: int) -> float:
    if not weight or not other:
        return 0.0
    few, many = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    common = sum(min(count, many[each]) * len(each) for each, count in few.items() if each in many)
    return 2 * common / (weight + other)
