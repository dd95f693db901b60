"""Which records of a source stand under which: parents first, and no circles."""

from collections.abc import Mapping


def without_circles(parents: Mapping[str, str | None]) -> tuple[dict[str, str | None], set[str]]:
    """The parent of each key; None for those whose parent is not there or stands below it.

    The second value names the keys that lost their parent so.
    """
    sound: dict[str, str | None] = {}
    lost: set[str] = set()
    depths: dict[str, int] = {}  # of those whose way to the top is known
    for start in parents:
        way: dict[str, None] = {}
        key: str | None = start
        while key is not None and key not in depths:
            way[key] = None
            parent = parents[key]
            if parent is not None and (parent not in parents or parent in way):
                lost.add(key)
                parent = None
            sound[key] = parent
            key = parent
        depth = -1 if key is None else depths[key]
        for step in reversed(way):
            depth += 1
            depths[step] = depth
    return {key: sound[key] for key in parents}, lost


def parents_first(parents: Mapping[str, str | None]) -> list[str]:
    """The keys, each right after its parent's earlier children; else in the order they came.

    `parents` has no circles and names no parent that is not there.
    """
    children: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        children.setdefault(parent, []).append(key)
    ordered: list[str] = []
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        key = waiting.pop()
        ordered.append(key)
        waiting.extend(reversed(children.get(key, [])))
    return ordered
