"""What stands beside an item: its words count a little for the item, too.

People and agents write down in several notes what belongs together, and the question
uses words of one of them for what another answers. So a word counts, weakly, where it
stands in an item's parent or child, in an item it is related to, or in what the same
hand wrote right before or after it.

All of it is found among the candidates of the search, when it runs: among rows that the
caller may read and the list shows. The index holds of every item its own words alone,
so that nothing is left anywhere else when an item is locked, made private or erased.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from items.search.candidates import Candidates
from items.search.relevance import K1, ODDS, Rarity

SHARE = 0.3  # what an occurrence counts in an item beside
MOST = 2  # occurrences there that count
REACH = 2  # numbers before and after; the second ones count half
WITHIN = timedelta(hours=1)  # between the two

# What a term adds to the odds beside it, by its grade: those of two occurrences at most.
_LENT: dict[str | None, float] = {grade: min(odds, MOST / K1) for grade, odds in ODDS.items()}
_LENT[None] = 0.0  # where the item does not have the term
_ODDS: dict[str | None, float] = {None: 0.0}
_ODDS.update(ODDS)

Beside = dict[int, dict[int, float]]  # by place among the candidates


def scores_in_context(rarity: Rarity, candidates: Candidates) -> list[int]:
    """How well each item fits, with what stands beside it.

    Of the items beside one, each word is taken from the one where it counts most.
    """
    scores = [*candidates.scores]
    for place, others in _beside(candidates).items():
        scores[place] = rarity.score_of_odds(
            _ODDS[grades[place]]
            + max([_LENT[grades[other]] * share for other, share in others.items()])
            for grades in candidates.grades
        )
    return scores


def _beside(items: Candidates) -> Beside:
    """The places of what stands beside each item, with what a word counts there."""
    beside: Beside = defaultdict(dict)
    for place, other in _related(items):
        beside[place][other] = beside[other][place] = SHARE
    for place, other, share in _written_one_by_one(items):
        beside[place].setdefault(other, share)
        beside[other].setdefault(place, share)
    return beside


def _related(items: Candidates) -> Iterator[tuple[int, int]]:
    """The places of two of which one is the other's parent, or related to it."""
    places = {item_id: place for place, item_id in enumerate(items.ids)}
    for place, parent in enumerate(items.parents):
        if parent in places:
            yield place, places[parent]
    for place, links in enumerate(items.links):
        if links is not None:
            for other in map(int, links.split(",")):
                if other in places:
                    yield place, places[other]


def _written_one_by_one(items: Candidates) -> Iterator[tuple[int, int, float]]:
    """The places of two that the same hand wrote, and what a word of one counts in the other."""
    numbers: dict[int | None, dict[int, int]] = defaultdict(dict)
    for place, (project, number) in enumerate(zip(items.projects, items.numbers, strict=True)):
        if number is not None:
            numbers[project][number] = place
    for known in numbers.values():
        for number, place in known.items():
            for distance in range(1, REACH + 1):
                other = known.get(number - distance)
                if other is not None and _one_hand(items, place, other):
                    yield place, other, SHARE / distance


def _one_hand(items: Candidates, place: int, other: int) -> bool:
    if items.authors[place] != items.authors[other] or items.agents[place] != items.agents[other]:
        return False
    return abs(items.created(place) - items.created(other)) <= WITHIN
