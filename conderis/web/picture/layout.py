"""Where the items of a graph stand in its picture: in columns, along the relations.

Layers as by Sugiyama, Tagawa and Toda (1981): circles are broken, each item stands right of
what leads to it, no column is longer than `MOST_ROWS` (as by Coffman and Graham), and the
order within columns follows the neighbours. The same graph always gives the same picture.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

MOST_ROWS: Final = 12
COLUMNS: Final = 5  # of small parts beside each other
SWEEPS: Final = 4

Arrow = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the picture, counted in columns and rows from 0."""

    column: int
    row: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each item stands, and how many columns and rows the picture has."""

    spots: Mapping[int, Spot]
    columns: int
    rows: float


def lay_out(items: Iterable[int], arrows: Iterable[Arrow]) -> Layout:
    """The places of the items; arrows join two of them, of which no two stand in one place."""
    joined = sorted(set(arrows))
    parts = [_columns(part, joined) for part in _parts(sorted(items), joined)]
    spots: dict[int, Spot] = {}
    left, top, height, width = 0, 0.0, 0.0, 0
    for part in parts:
        rows = max(len(column) for column in part)
        if left and left + len(part) > COLUMNS:
            left, top, height = 0, top + height + 0.5, 0.0
        for place, column in enumerate(part):
            above = top + (rows - len(column)) / 2
            spots.update({item: Spot(left + place, above + row) for row, item in enumerate(column)})
        left += len(part)
        width, height = max(width, left), max(height, rows)
    return Layout(spots, width, top + height)


def _parts(items: Sequence[int], arrows: Sequence[Arrow]) -> list[list[int]]:
    """What hangs together, the largest part first."""
    beside: dict[int, set[int]] = defaultdict(set)
    for source, target in arrows:
        beside[source].add(target)
        beside[target].add(source)
    seen: set[int] = set()
    parts: list[list[int]] = []
    for item in items:
        if item in seen:
            continue
        part, seen = [item], seen | {item}
        for each in part:  # grows while it is walked
            found = sorted(beside[each] - seen)
            part += found
            seen.update(found)
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def _columns(part: Sequence[int], arrows: Sequence[Arrow]) -> list[list[int]]:
    inside = set(part)
    forward = _without_circles(part, [arrow for arrow in arrows if arrow[0] in inside])
    layers = _layers(part, forward)
    columns: list[list[int]] = [[] for _ in range(1 + max(layers.values()))]
    for item in part:
        columns[layers[item]].append(item)
    return _ordered([column for column in columns if column], forward)


def _without_circles(part: Sequence[int], arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows, of which those that lead back are turned round."""
    targets: dict[int, list[int]] = defaultdict(list)
    for source, target in arrows:
        targets[source].append(target)
    open_, done = set[int](), set[int]()
    found: set[Arrow] = set()
    for root in part:
        if root in done:
            continue
        stack = [(root, iter(targets[root]))]
        open_.add(root)
        while stack:
            item, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                open_.discard(item)
                done.add(item)
                continue
            found.add((following, item) if following in open_ else (item, following))
            if following not in open_ and following not in done:
                open_.add(following)
                stack.append((following, iter(targets[following])))
    return sorted(found)


def _layers(part: Sequence[int], arrows: Sequence[Arrow]) -> dict[int, int]:
    """The column of each item: right of all that lead to it, in one that has room."""
    targets: dict[int, list[int]] = defaultdict(list)
    waits: dict[int, int] = dict.fromkeys(part, 0)
    for source, target in arrows:
        targets[source].append(target)
        waits[target] += 1
    least = dict.fromkeys(part, 0)
    taken: dict[int, int] = defaultdict(int)
    layers: dict[int, int] = {}
    ready = [(0, item) for item in part if not waits[item]]
    while ready:
        layer, item = heappop(ready)
        while taken[layer] >= MOST_ROWS:
            layer += 1
        layers[item] = layer
        taken[layer] += 1
        for target in targets[item]:
            least[target] = max(least[target], layer + 1)
            waits[target] -= 1
            if not waits[target]:
                heappush(ready, (least[target], target))
    return _drawn_near(part, arrows, layers, taken)


def _drawn_near(
    part: Sequence[int], arrows: Sequence[Arrow], layers: dict[int, int], taken: dict[int, int]
) -> dict[int, int]:
    """Bring what nothing leads to right before what it leads to, where there is room."""
    led = {target for _, target in arrows}
    for item in part:
        following = [layers[target] for source, target in arrows if source == item]
        if item in led or not following:
            continue
        near = min(following) - 1
        if near > layers[item] and taken[near] < MOST_ROWS:
            taken[layers[item]] -= 1
            taken[near] += 1
            layers[item] = near
    return layers


def _ordered(columns: list[list[int]], arrows: Sequence[Arrow]) -> list[list[int]]:
    """The columns, each ordered by where the neighbours of its items stand."""
    beside: dict[int, list[int]] = defaultdict(list)
    for source, target in arrows:
        beside[source].append(target)
        beside[target].append(source)
    place = {item: row - len(column) / 2 for column in columns for row, item in enumerate(column)}
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            middle = {
                item: sum(place[each] for each in beside[item]) / max(1, len(beside[item]))
                for item in column
            }
            column.sort(key=lambda item: (middle[item], item))
            place.update({item: row - len(column) / 2 for row, item in enumerate(column)})
    return columns
