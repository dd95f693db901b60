"""What an eraser is given, and what it is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from items.events import Signature
from items.models import Item
from privacy.words import Traces
from proposals.models import Proposal


@dataclass(frozen=True, slots=True)
class Scope:
    """What is erased: an item, one version of it, or a proposal alone.

    `traces` are what only the erased version says: what repeats them goes with it. `cause`
    is what the erasure is noted under, so that all that went with it is noted, too.
    """

    by: Signature
    now: datetime
    item: Item | None = None
    version: int | None = None
    proposal: Proposal | None = None
    traces: Traces = field(default=Traces(), repr=False)
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Eraser:
    """Empties the fields (`items.Item.title`) of one sort of rows.

    `erase` answers how many rows of which sort; `left` how many still hold content that
    should be gone, which is asked before a request counts as erased.
    """

    fields: tuple[str, ...]
    erase: Callable[[Scope], dict[str, int]]
    left: Callable[[Scope], int]
