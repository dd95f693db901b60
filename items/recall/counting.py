"""How many memories there are, and which few come before others.

To count a project's memories the database goes through all of them. What there is of shared
ones is therefore kept while it stands (`items.kept`); the caller's own private ones, which
are few, are counted each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import QuerySet

from conderis.common.prepared import Prepared
from items.kept import Kept, State
from items.models import Item
from items.recall.keys import read_keys
from items.recall.linking import Link, links_of, read_related, related
from items.recall.memory_lines import Spot
from items.recall.populations import Habitat, Population, Whose
from projects.models import Project

GROUPED_ABOVE = 40  # memories at the top level, where the project does not say
GROUPED = "grouped"
FLAT = "flat"
PRIVATE, SHARED = "private", "shared"
MOST_KEYS = 1_500  # of each sort, the newest: more than the longest recall has lines
MOST_PRIVATE = 500  # private ones that are asked for what they bear on


@dataclass(frozen=True, slots=True)
class Counts:
    """How many there are: critical ones, others at the top level, aged ones that went.

    And the keys of the few that come before others: `pinned` are the critical ones, `bags`
    hold others, `links` bear on active tasks of the project; those that are not shared are
    in `own`. `spots` are added to as keys of shared ones are looked up (None: not shown), for
    as long as the counts stand. From `since` on, up to `until`,
    time changes nothing of it (None: ever).
    """

    since: datetime
    until: datetime | None = None
    critical: int = 0
    others: int = 0
    went: int = 0
    pinned: Sequence[int] = ()
    bags: frozenset[int] = frozenset()
    links: Mapping[int, Link] = field(default_factory=dict)
    own: frozenset[int] = frozenset()
    spots: dict[int, Spot | None] = field(default_factory=dict)

    def stands(self, now: datetime) -> bool:
        """Whether it is the same at this moment, if nothing has been written."""
        return self.since <= now and (self.until is None or now < self.until)

    def with_those(self, other: "Counts") -> "Counts":
        """These and others together, counted at one moment."""
        return Counts(
            since=self.since,
            critical=self.critical + other.critical,
            others=self.others + other.others,
            went=self.went + other.went,
            pinned=sorted([*self.pinned, *other.pinned]),
            bags=self.bags | other.bags,
            links={**self.links, **other.links},
            own=frozenset((*other.pinned, *other.bags, *other.links)),
            spots=self.spots,
        )


_shared: Kept[Counts] = Kept()


def count_memories(memories: Population, state: State | None) -> Counts:
    """How many there are of those that the caller may read; `state` is that of the project."""
    project, none = memories.project, Counts(memories.now)
    if project is None or state is None:
        return _count(memories).get(PRIVATE, none)
    shared = _shared.find(project, state)
    if shared is not None and shared.stands(memories.now):
        private = _count(memories.part(Whose.PRIVATE)).get(PRIVATE, none)
    else:
        found = _count(memories)
        private, shared = found.get(PRIVATE, none), found.get(SHARED, none)
        _shared.keep(project, state, shared)
    return shared.with_those(private)


def _count(memories: Population) -> dict[str, Counts]:
    """How many there are, by visibility."""
    found: dict[str, Counts] = {}
    for visibility, *row in _counting(memories.habitat).rows(**memories.values):
        critical, others, went, pinned, bags, expires, changed, every, *keys = row
        aged = changed + memories.lasting if changed is not None else None
        found[visibility] = Counts(
            since=memories.now,
            until=min((each for each in (expires, aged) if each), default=None),
            critical=critical,
            others=others,
            went=went,
            pinned=read_keys(pinned)[-MOST_KEYS:],
            bags=frozenset(read_keys(bags)[-MOST_KEYS:]),
            links=_links(visibility, every, keys),
        )
    return found


@cache
def _counting(habitat: Habitat) -> Prepared[tuple[Any, ...]]:
    def build(**values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        more: dict[str, Any] = {}
        if habitat.in_project and habitat.whose is not Whose.PRIVATE:
            for place, keys in enumerate(related(values["project"])):
                more[f"related_{place}"] = keys
        return habitat.memories(**values).counts(**more)

    return Prepared(build, **habitat.parameters)


def _links(visibility: str, every: Any, keys: Sequence[Any]) -> dict[int, Link]:
    return read_related(keys, MOST_KEYS) if visibility == SHARED else links_of(_newest(every))


def _newest(keys: Any) -> list[int]:
    return read_keys(keys)[-MOST_PRIVATE:]


def recall_mode(project: Project, counts: Counts) -> str:
    """`flat` or `grouped`: as the project says, else by how many there are."""
    if project.recall_mode:
        return project.recall_mode
    return GROUPED if counts.critical + counts.others > GROUPED_ABOVE else FLAT
