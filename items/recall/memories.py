"""The memories of a recall: critical ones, the others, personal ones, the upstream's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from items.recall import slots
from items.recall.asking import Asking, short_name
from items.recall.counting import (
    FLAT,
    GROUPED,
    Counts,
    count_memories,
    recall_mode,
)
from items.recall.filling import SHORTEST_LINE, USUAL_LINE, enough, fetched
from items.recall.linking import Link
from items.recall.listing import Listing
from items.recall.loading import children_of, load_first, load_mixed
from items.recall.memory_lines import Child, Row, Writer
from items.recall.populations import CRITICAL, Population, population, shared_population
from items.recall.relevance import by_rank
from items.recall.slots import Section, Slot

LIST = "item_list kind=memory"
FEW = 1_000  # critical memories that are loaded: more than the longest recall holds


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
        entries = [writer.entry(row) for row in rows]
        total = max(self.total, len(rows))  # one may have come since they were counted
        return Section(
            self.slot, Listing(self.title, entries, total, self.rest, self.note, self.missing)
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
    rows = _first_rows(asking, home, counts, mode)
    critical = [row for row in rows if row.weight == CRITICAL]
    others = [row for row in rows if row.weight != CRITICAL]
    return [
        *_critical(asking, home, counts, critical),
        _others(asking, home, counts, _woven(others, counts, mode), mode),
    ]


def _first_rows(asking: Asking, home: Population, counts: Counts, mode: str) -> Sequence[Row]:
    """Enough rows of each kind, in one query; in two where lines are uncommonly short.

    What fits the focus best is asked for alone at first: often it fills the recall.
    """
    if not counts.critical and not counts.others:
        return []
    pinned = counts.pinned[-FEW:]
    most = asking.max_chars // USUAL_LINE
    if len(asking.ranks) > most:
        best = list(islice(asking.ranks, most))
        rows = load_first(home, keys=[*best, *pinned], limit=0)
        if sum(row.length for row in rows if row.weight != CRITICAL) > asking.max_chars:
            return rows
    bags = sorted(counts.bags, reverse=True)[:most] if mode == GROUPED else ()
    keys = dict.fromkeys((*asking.ranks, *_first(counts.links, most), *pinned, *bags))

    def fetch(limit: int) -> list[Row]:
        return load_first(home, keys=keys, limit=limit)

    rows = fetch(most)
    others = [row for row in rows if row.weight != CRITICAL]
    if len(others) < counts.others and sum(row.length for row in others) <= 2 * asking.max_chars:
        return fetch(asking.max_chars // SHORTEST_LINE)
    return rows


def _first(links: Mapping[int, Link], most: int) -> list[int]:
    """So many of what bears on the work: on tasks in work first, the newest first."""
    return sorted(links, key=lambda pk: (links[pk], -pk))[:most]


def _woven(rows: Sequence[Row], counts: Counts, mode: str) -> list[Row]:
    """What bears on the work, what is fresh, and bags where they are grouped, in turns.

    So none of them takes the place of the others. What bears on a task in work comes
    before what bears on another active one; within each the latest change is first.
    """
    linked = [row for row in rows if row.pk in counts.links]
    linked.sort(key=lambda row: counts.links[row.pk])
    bags = [row for row in rows if mode == GROUPED and row.pk in counts.bags]
    woven: dict[int, Row] = {}
    turns = [iter(each) for each in (linked, rows, bags)]
    while turns:
        for turn in list(turns):
            found = next((row for row in turn if row.pk not in woven), None)
            if found is None:
                turns.remove(turn)
            else:
                woven[found.pk] = found
    return list(woven.values())


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
