"""How well `similar` tells what says nearly the same from what only looks so."""

from collections.abc import Iterable

from conderis.common.json import JsonObject
from conderis.operations.recalling.pairs import Pair, all_pairs
from items.similar import LEAST, similarity


def is_hinted(pair: Pair) -> bool:
    """Whether one of the two would be shown when the other is stored."""
    return similarity("\n".join(pair.one), "\n".join(pair.other)) >= LEAST


def figures() -> JsonObject:
    """Precision and recall over all pairs, and the share that is hinted of each list."""
    pairs = list(all_pairs())
    hinted = [pair for pair in pairs if is_hinted(pair)]
    right = [pair for pair in hinted if pair.same]
    return {
        "pairs": len(pairs),
        "precision": _share(len(right), len(hinted)),
        "recall": _share(len(right), sum(pair.same for pair in pairs)),
        "hinted": {kind: _hinted(pairs, kind) for kind in dict.fromkeys(p.kind for p in pairs)},
    }


def _hinted(pairs: Iterable[Pair], kind: str) -> JsonObject:
    of_kind = [pair for pair in pairs if pair.kind == kind]
    return {"pairs": len(of_kind), "hinted": sum(map(is_hinted, of_kind))}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
