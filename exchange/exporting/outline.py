"""What an export holds and in which order, read at one moment by one statement.

Some 300 bytes are kept for each item, so that every item is exported once however items are
moved while a long export is read.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import QuerySet

from items.access import Place
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.kinds.values import Position
from items.models import Item


@dataclass(slots=True)
class Node:
    """An item's place; `parent` is its row, `hidden`: locked or erased, then without a title.

    `position` is its place among its siblings, archived ones included, of kinds that have one;
    `version` the one that was exported, once it was.
    """

    pk: int
    number: int | None
    kind: str
    parent: int | None
    rank: int
    title: str
    hidden: bool
    position: int | None = None
    version: int | None = None


@dataclass(slots=True)
class Outline:
    """The items of a place that its caller may read, by their rows, in the order of numbers.

    Those without a number come first. What is locked, erased or hidden later is marked in it
    as it is found, and titles are as they were read last.
    """

    nodes: dict[int, Node] = field(default_factory=dict)
    with_private: bool = True

    def number_of(self, pk: int | None) -> int | None:
        """The number of an item that is in it; None for no item and for others."""
        node = self.nodes.get(pk) if pk is not None else None
        return node.number if node is not None else None


def read_outline(place: Place, *, with_private: bool) -> Outline:
    """The outline of all items of the place, or of those alone that all its readers see."""
    rows = readable(place, with_private=with_private)
    found = [
        Node(pk, number, kind, parent, rank, "" if locked else title, locked is not None)
        for pk, number, kind, parent, rank, title, locked in rows.order_by("pk").values_list(
            "pk", "number", "kind", "parent_id", "rank", "title", "locked_at"
        )
    ]
    _give_positions(found)
    nodes = {node.pk: node for node in sorted(found, key=lambda node: node.number or 0)}
    return Outline(nodes, with_private)


def readable(place: Place, *, with_private: bool) -> QuerySet[Item]:
    """The items of the place as the door gives them, or those alone that all its readers see."""
    return place.items() if with_private else place.items().exclude(visibility="private")


def has_order(kind: Kind) -> bool:
    """Whether items of this kind stand in an order, as a tree of pages does."""
    return any(isinstance(each.type, Position) for each in kind.fields)


def _give_positions(nodes: Iterable[Node]) -> None:
    placed = {kind.name for kind in all_kinds() if has_order(kind)}
    shown = [node for node in nodes if node.kind in placed and not node.hidden]
    counts: Counter[tuple[str, int | None]] = Counter()
    for node in sorted(shown, key=lambda node: (node.rank, node.number or 0)):
        counts[node.kind, node.parent] += 1
        node.position = counts[node.kind, node.parent]
