"""The memories of a recall: critical ones, the others, personal ones, the upstream's."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from conderis.common.replicas import is_reading
from items.kept import Lately
from items.recall import slots
from items.recall.asking import Asking, short_name
from items.recall.budget import WHOLE
from items.recall.counting import (
    FLAT,
    GROUPED,
    Counts,
    count_memories,
    recall_mode,
)
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough, fetched
from items.recall.lines import Lines
from items.recall.linking import Link
from items.recall.listing import Listing
from items.recall.loading import children_of, load_first, load_mixed, load_those, order_first
from items.recall.memory_lines import Child, Row, Spot, Writer
from items.recall.populations import CRITICAL, Population, population, shared_population
from items.recall.relevance import by_rank
from items.recall.slots import Section, Slot

LIST = "item_list kind=memory"
LONG_LINE = 140  # characters: of the lines of memories few are longer
FEW = 1_000  # critical memories that are loaded: more than the longest recall holds


S = TypeVar("S", Row, Spot)


@dataclass(frozen=True, slots=True)
class Stock:
    """The memories of one section, loaded in the order of their rank, before their lines.

    `fitting` are the keys of those that fit the focus, and of bags that may hold one.
    """

    slot: Slot
    title: str
    population: Population
    rows: Sequence[Row]
    total: int
    rest: str
    room: int
    fitting: Collection[int] = ()
    note: str = ""
    missing: str = ""
    long: bool = False
    grouped: bool = False
    tells_critical: bool = False

    @property
    def likely(self) -> list[Row]:
        """The rows that can have a line: those that may fit the focus, and enough others."""
        others = enough((row for row in self.rows if row.pk not in self.fitting), self.room)
        kept = {*self.fitting, *(row.pk for row in others)}
        return [row for row in self.rows if row.pk in kept]

    def section(self, writer: Writer) -> Section:
        """The section, its bags with the titles of their children."""
        rows = enough(by_rank(self.likely, writer.ranks), self.room)
        lines = Lines(rows, writer.entry, self.room * self.slot.most // WHOLE)
        total = max(self.total, len(rows))  # one may have come since they were counted
        return Section(
            self.slot, Listing(self.title, lines, total, self.rest, self.note, self.missing)
        )


def read_memories(asking: Asking) -> list[Section]:
    """The sections of memories; that of the others is there even when it is empty."""
    stocks = [*_home(asking), *_personal(asking), *_upstream(asking)]
    likely = [row.pk for each in stocks for row in each.likely]
    populations = {id(each.population): each.population for each in stocks}
    inside: dict[int, list[Child]] = {}
    for child in by_rank(children_of(list(populations.values()), likely), asking.ranks):
        inside.setdefault(child.parent, []).append(child)
    ranks = _lifted(asking.ranks, inside)
    return [
        each.section(
            Writer(
                caller=asking.caller,
                population=each.population,
                children=inside,
                ranks=ranks,
                long=each.long,
                grouped=each.grouped,
                tells_critical=each.tells_critical,
            )
        )
        for each in stocks
    ]


def _lifted(ranks: Mapping[int, int], children: Mapping[int, Sequence[Child]]) -> dict[int, int]:
    """The ranks, a bag with that of its best child if that is better."""
    lifted = dict(ranks)
    for bag, rows in children.items():
        best = min((ranks[row.pk] for row in rows if row.pk in ranks), default=None)
        if best is not None:
            lifted[bag] = min(best, ranks.get(bag, best))
    return lifted


def _home(asking: Asking) -> list[Stock]:
    """Those of the project, or without one the caller's own."""
    if asking.project is None and not asking.personal:
        return []
    home = population(asking.caller, asking.project, asking.now)
    counts = count_memories(home, asking.state)
    mode = recall_mode(home.project, counts) if home.project is not None else FLAT
    critical, others = _first_rows(asking, home, counts, mode)
    return [
        *_critical(asking, home, counts, critical),
        _others(asking, home, counts, others, mode),
    ]


def _first_rows(
    asking: Asking, home: Population, counts: Counts, mode: str
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Critical ones and others, each in their order, enough of them."""
    if not counts.critical and not counts.others:
        return [], []
    rows = _best(asking, home, counts)
    if rows is None:
        most = asking.max_chars // USUAL_LINE
        bags = sorted(counts.bags, reverse=True)[:most] if mode == GROUPED else ()
        links = _first(counts.links, most)
        keys = dict.fromkeys((*asking.ranks, *links, *counts.pinned[-FEW:], *bags))
        found = None if asking.ranks else _ordered(asking, home, counts, keys, mode)
        if found is not None:
            return found
        rows = _loaded(asking, home, counts, keys)
    critical, others = _parted(rows)
    return critical, _woven(others, counts, mode)


def _best(asking: Asking, home: Population, counts: Counts) -> Sequence[Row] | None:
    """What fits the focus best, where it alone fills the recall, as it often does."""
    most = asking.max_chars // USUAL_LINE
    if len(asking.ranks) <= most:
        return None
    best = list(islice(asking.ranks, most))
    rows = load_first(home, keys=[*best, *counts.pinned[-FEW:]], limit=0)
    _, others = _parted(rows)
    return rows if sum(row.length for row in others) > asking.max_chars else None


def _ordered(
    asking: Asking, home: Population, counts: Counts, keys: Collection[int], mode: str
) -> tuple[Sequence[Row], Sequence[Row]] | None:
    """Critical ones and others: first put in order, then those loaded that come first.

    None where there are no more than would be loaded, or lines are uncommonly short.
    """
    enough_chars = 2 * asking.max_chars  # see `_loaded`
    many = enough_chars // LONG_LINE
    if counts.critical + counts.others <= many:
        return None
    critical, others = _spots(home, counts, keys, asking.max_chars // USUAL_LINE)
    first = _woven(others, counts, mode, many)
    rows = load_those(home, [spot.pk for spot in (*critical, *first)])
    shown = [rows[spot.pk] for spot in first if spot.pk in rows]
    length = sum(row.length for row in shown)
    at_least = length + SHORTEST_LINE * (len(others) - len(first))
    if len(others) > len(first) and (length <= asking.max_chars or at_least <= enough_chars):
        return None
    return [rows[spot.pk] for spot in critical if spot.pk in rows], shown


# By how many were asked for: the last change of the last of the latest others.
_since: Lately[dict[int, str]] = Lately()


def _spots(
    home: Population, counts: Counts, keys: Collection[int], limit: int
) -> tuple[Sequence[Spot], Sequence[Spot]]:
    """Critical ones and others, the latest first: what the keys name, and so many latest.

    Those that changed before the last time's are looked through only where they are too few.
    """
    sought = [key for key in keys if key not in counts.spots]
    known = (_since.find(home.project) if home.project is not None else None) or {}
    at = known.get(limit)
    found = order_first(home, keys=sought, limit=limit, since=at)
    others = _others_of(found)
    if at is not None and (len(others) < limit or others[limit - 1].at < at):
        found = order_first(home, keys=sought, limit=limit)
        others = _others_of(found)
    if home.project is not None and len(others) >= limit:
        _since.keep(home.project, {**known, limit: others[limit - 1].at})
    if not is_reading():
        by_key = {spot.pk: spot for spot in found}
        counts.spots.update((key, by_key.get(key)) for key in sought if key not in counts.own)
    before = [spot for key in keys if (spot := counts.spots.get(key)) is not None]
    return _parted(sorted({*found, *before}, reverse=True))


def _others_of(spots: Sequence[Spot]) -> list[Spot]:
    return [spot for spot in spots if spot.weight != CRITICAL]


def _loaded(
    asking: Asking, home: Population, counts: Counts, keys: Collection[int]
) -> Sequence[Row]:
    """Enough rows of each sort, in one query; in two where lines are uncommonly short."""
    rows = load_first(home, keys=keys, limit=asking.max_chars // USUAL_LINE)
    _, others = _parted(rows)
    if len(others) < counts.others and sum(row.length for row in others) <= 2 * asking.max_chars:
        return load_first(home, keys=keys, limit=asking.max_chars // SHORTEST_LINE)
    return rows


def _parted(rows: Iterable[S]) -> tuple[list[S], list[S]]:
    """Critical ones, and others."""
    found = list(rows)
    return (
        [row for row in found if row.weight == CRITICAL],
        [row for row in found if row.weight != CRITICAL],
    )


def _first(links: Mapping[int, Link], most: int) -> list[int]:
    """So many of what bears on the work: on tasks in work first, the newest first."""
    found: list[int] = []
    for link in (Link.IN_WORK, Link.ACTIVE):
        if len(found) < most:
            found += sorted((pk for pk, each in links.items() if each is link), reverse=True)
    return found[:most]


def _woven(rows: Sequence[S], counts: Counts, mode: str, most: int | None = None) -> list[S]:
    """What bears on the work, what is fresh, and bags where they are grouped, in turns.

    The first so many, or all.

    So none of them takes the place of the others. What bears on a task in work comes
    before what bears on another active one; within each the latest change is first.
    """
    linked = [row for row in rows if row.pk in counts.links]
    linked.sort(key=lambda row: counts.links[row.pk])
    bags = [row for row in rows if mode == GROUPED and row.pk in counts.bags]
    woven: dict[int, S] = {}
    turns = [iter(each) for each in (linked, rows, bags)]
    most = len(rows) if most is None else most
    while turns and len(woven) < most:
        for turn in list(turns):
            found = next((row for row in turn if row.pk not in woven), None)
            if found is None:
                turns.remove(turn)
            else:
                woven[found.pk] = found
    return list(woven.values())[:most]


def _critical(asking: Asking, home: Population, counts: Counts, rows: Sequence[Row]) -> list[Stock]:
    if not counts.critical:
        return []
    return [
        Stock(
            slots.CRITICAL,
            "Critical memories",
            home,
            rows,
            counts.critical,
            asking.call(f'{LIST} filter={{"weight":"critical"}}'),
            asking.max_chars,
            fitting=asking.ranks.keys(),
            missing="more than half of maxChars holds",
        )
    ]


def _others(
    asking: Asking, home: Population, counts: Counts, rows: Sequence[Row], mode: str
) -> Stock:
    return Stock(
        slots.MEMORIES,
        "Memories" if home.project is not None else "Personal memories",
        home,
        rows,
        counts.others,
        asking.call(LIST),
        asking.max_chars,
        fitting=asking.ranks.keys() | counts.bags if asking.ranks else (),
        note=_went(counts.went),
        grouped=mode == GROUPED,
    )


def _personal(asking: Asking) -> list[Stock]:
    """The caller's own across projects, beside those of a project."""
    if asking.project is None or not asking.personal:
        return []
    own = population(asking.caller, None, asking.now)
    return _mixed(asking, own, slots.PERSONAL, "Personal memories", LIST)


def _upstream(asking: Asking) -> list[Stock]:
    """The shared ones of the project that this one is a fork of, if it may be read now."""
    if asking.upstream is None:
        return []
    shared = shared_population(asking.caller, asking.upstream, asking.now)
    name = short_name(asking.upstream)
    return _mixed(
        asking,
        shared,
        slots.UPSTREAM,
        f"Upstream {name}",
        f"{LIST} projectId={name}",
        long=True,
    )


def _mixed(
    asking: Asking, population: Population, slot: Slot, title: str, rest: str, *, long: bool = False
) -> list[Stock]:
    """Critical ones and others in one section; none where there are none."""

    def fetch(limit: int) -> list[Row]:
        return load_mixed(population, fitting=asking.ranks, limit=limit)

    rows = fetched(asking, fetch)
    if not rows:
        return []
    return [
        Stock(
            slot,
            title,
            population,
            rows,
            rows[0].total,
            rest,
            asking.max_chars,
            fitting={row.pk for row in rows if not row.unmatched},
            long=long,
            tells_critical=True,
        )
    ]


def _went(count: int) -> str:
    if not count:
        return ""
    return f"{count} session {'memory has' if count == 1 else 'memories have'} expired"
