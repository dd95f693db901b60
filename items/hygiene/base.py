"""What a check is: a row of the registry, with a weight, a rule and what to do.

A rule is either a `mark`, a condition of single rows that all share one query, or a
`find`, which works on the rows of the survey and may ask one bounded query more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q

from items.hygiene.clock import Clock
from items.hygiene.survey import Survey


class Found(NamedTuple):
    """An item that a check found, by its number, and the numbers that it concerns."""

    number: int
    others: tuple[int, ...] = ()


Mark = Callable[[Clock], Q]
Find = Callable[[Survey], Sequence[Found]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that can be wrong with items.

    `weight` is the number of points that it costs where every item it looks at has it;
    `of` says how many those are. `do` is what an agent does about each.
    """

    name: str
    weight: int
    do: str
    of: Callable[[Survey], int]
    mark: Mark | None = None
    find: Find | None = None
