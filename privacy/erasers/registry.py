"""The erasers, in the order in which they run."""

from typing import Final

from items.models import Item
from privacy.erasers import batches, imports, items, proposals, requests
from privacy.erasers.base import Eraser, Scope
from privacy.words import Traces

# Proposals first: what they were worked out from is still there to compare with.
ERASERS: Final[tuple[Eraser, ...]] = (
    proposals.ERASER,
    batches.ERASER,
    imports.ERASER,
    items.ERASER,
    requests.ERASER,
)


def erase_everywhere(scope: Scope) -> dict[str, int]:
    """Have every eraser empty its rows; how many there were of each sort.

    Runs in the caller's transaction, which holds the rows of the place.
    """
    removed: dict[str, int] = {}
    for eraser in ERASERS:
        removed |= eraser.erase(scope)
    return {name: count for name, count in removed.items() if count}


def left_anywhere(scope: Scope) -> int:
    """How many rows still hold content of what was erased; 0 once all is done."""
    return sum(eraser.left(scope) for eraser in ERASERS)


def traces_of(item: Item, version: int) -> Traces:
    """What this version of the item says, and no other one whose text remains.

    Reasons of others do not count: they may name what was taken out.
    """
    events = item.events.filter(version__isnull=False)
    own = events.get(version=version)
    others = events.exclude(version=version).values_list("state", flat=True).iterator(50)
    return Traces.of([own.state or {}, own.reason], others)
