"""What items that are made together share: those before, and what was looked up for them.

A change on its own has one of these for itself.
"""

from dataclasses import dataclass, field

from conderis.accounts.models import Agent, Person
from items.kinds.task import Holder
from items.models import Item

Sibling = tuple[int | None, str]  # the id of a parent that stands (None: the top), a title


@dataclass(slots=True)
class Mates:
    """What was looked up, each once: `holders` and `rows` by reference, the rest by number.

    `relations` counts those of a blocker with the new ones, `above` are the ids over a
    parent that stands. `titles` are those that stand among siblings to be, by their place,
    where they were read for all at once; `new_titles` those of the new ones, by the
    identity of their parent's object.
    """

    parents: dict[int | str, Item] = field(default_factory=dict)
    above: dict[int, list[int]] = field(default_factory=dict)
    holders: dict[str, Holder] = field(default_factory=dict)
    rows: dict[str, Person | Agent] = field(default_factory=dict)
    blockers: dict[int, Item] = field(default_factory=dict)
    relations: dict[int, int] = field(default_factory=dict)
    titles: dict[Sibling, int] | None = None
    new_titles: set[Sibling] = field(default_factory=set)
