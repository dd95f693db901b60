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
from collections.abc import Iterator, Sequence
from datetime import timedelta

from items.search.candidates import Candidate
from items.search.relevance import K1, ODDS, Rarity

SHARE = 0.3  # what an occurrence counts in an item beside
MOST = 2  # occurrences there that count
REACH = 2  # numbers before and after; the second ones count half
WITHIN = timedelta(hours=1)  # between the two

# What a term adds to the odds beside it, by its grade: those of two occurrences at most.
_LENT = {grade: min(odds, MOST / K1) for grade, odds in ODDS.items()}
_ODDS = {"": 0.0, **ODDS}

Beside = dict[int, dict[int, float]]  # by place among the candidates


def scores_in_context(rarity: Rarity, candidates: Sequence[Candidate]) -> list[int]:
    """How well each item fits, with what stands beside it.

    Of the items beside one, each word is taken from the one where it counts most.
    """
    scores = [each.score for each in candidates]
    for place, others in _beside(candidates).items():
        more = [0.0] * len(rarity.levels)
        for other, share in others.items():
            for at, grade in enumerate(candidates[other].grades):
                if grade:
                    more[at] = max(more[at], _LENT[grade] * share)
        own = (_ODDS[grade] for grade in candidates[place].grades)
        scores[place] = rarity.score_of_odds(map(sum, zip(own, more, strict=True)))
    return scores


def _beside(items: Sequence[Candidate]) -> Beside:
    """The places of what stands beside each item, with what a word counts there."""
    places = {item.item_id: place for place, item in enumerate(items)}
    beside: Beside = defaultdict(dict)
    for place, item in enumerate(items):
        if item.links or item.parent in places:
            links = map(int, item.links.split(",")) if item.links else ()
            for other in (item.parent, *links):
                if other in places:
                    beside[place][places[other]] = beside[places[other]][place] = SHARE
    for place, other, share in _written_one_by_one(items):
        beside[place].setdefault(other, share)
        beside[other].setdefault(place, share)
    return beside


def _written_one_by_one(items: Sequence[Candidate]) -> Iterator[tuple[int, int, float]]:
    """The places of two that the same hand wrote, and what a word of one counts in the other."""
    numbers: dict[int | None, dict[int, int]] = defaultdict(dict)
    for place, item in enumerate(items):
        if item.number is not None:
            numbers[item.project][item.number] = place
    for known in numbers.values():
        for distance in range(1, REACH + 1):
            for number in known.keys() & {each - distance for each in known}:
                place, other = known[number + distance], known[number]
                if _one_hand(items[place], items[other]):
                    yield place, other, SHARE / distance


def _one_hand(item: Candidate, other: Candidate) -> bool:
    if other.author != item.author or other.agent != item.agent:
        return False
    return abs(item.created - other.created) <= WITHIN
