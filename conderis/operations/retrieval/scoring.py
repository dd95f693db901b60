"""How well questions were answered: recall among the first few, and the first find's rank."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from conderis.common.json import JsonObject
from conderis.operations.retrieval.dataset import Question
from conderis.operations.retrieval.names import wanted

# What keyword search alone must reach.
LEAST_RECALL_AT_10 = 0.65
LEAST_RANK = 0.49
# The share of names whose memory comes first.
LEAST_FIRST = 0.95


@dataclass(frozen=True, slots=True)
class Score:
    """One question: the share of its evidence among the first 5 and 10 hits, and 1 / rank.

    The rank is that of the first hit that is evidence; 0 where there is none.
    """

    category: str
    at_5: float
    at_10: float
    reciprocal_rank: float

    @classmethod
    def of(cls, question: Question, found: Sequence[str]) -> "Score":
        """From the ids of the turns that were found, best first."""
        ranks = [rank for rank, turn in enumerate(found, start=1) if turn in question.evidence]
        total = len(question.evidence)
        return cls(
            category=question.category,
            at_5=sum(rank <= 5 for rank in ranks) / total,
            at_10=sum(rank <= 10 for rank in ranks) / total,
            reciprocal_rank=1 / ranks[0] if ranks else 0.0,
        )


def figures(scores: Sequence[Score]) -> JsonObject:
    """The means over all questions and over each category's, and what is reached."""
    categories = sorted({score.category for score in scores})
    overall = _means(scores)
    return {
        "categories": {
            category: _means(score for score in scores if score.category == category)
            for category in categories
        },
        "all": overall,
        "reached": {
            "recallAt10": overall["recallAt10"] >= LEAST_RECALL_AT_10,
            "mrr": overall["mrr"] >= LEAST_RANK,
        },
    }


def names_found(missed: Sequence[str]) -> JsonObject:
    """How many of the made-up store's names there are, and found first; those missed."""
    asked = len(wanted())
    share = round(1 - len(missed) / asked, 4)
    return {
        "queries": asked,
        "first": share,
        "missed": list(missed),
        "reached": share >= LEAST_FIRST,
    }


def _means(scores: Iterable[Score]) -> JsonObject:
    given = list(scores)
    return {
        "questions": len(given),
        "recallAt5": round(fmean(score.at_5 for score in given), 4),
        "recallAt10": round(fmean(score.at_10 for score in given), 4),
        "mrr": round(fmean(score.reciprocal_rank for score in given), 4),
    }
