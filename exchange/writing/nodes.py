"""What an import knows of the items that it has to do with: where they stand, not what they say.

One node an item, small enough that all of a large import are in memory.
"""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Max

from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.models import Item
from items.places import GAP
from projects.models import Project

_COLUMNS = (
    "pk", "number", "kind", "visibility", "version", "parent_id", "archived_at", "locked_at",
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Node:
    """An item of an import, or one that stands over it.

    `pk` is None until it is stored, and in a trial always. `item` is its row while it is being
    written. `made_now` tells what this run makes from what stood before; `is_usable` what is
    neither locked nor erased. `ends_apart`: it cannot stand under anything.
    """

    kind: str
    visibility: str
    number: int | None = None
    version: int = 1
    pk: int | None = None
    item: Item | None = None
    parent: "Node | None" = None
    parent_pk: int | None = None
    archived: datetime | None = None
    is_usable: bool = True
    made_now: bool = False
    ends_apart: bool = False
    position: int | None = None
    title: str = ""
    place: str = ""
    children: "list[Node] | None" = None
    relations: int | None = None  # how many it has, once that was asked
    ranks: "Ranks | None" = None

    @property
    def target(self) -> Item | int | None:
        """What a row that names it takes: its key, or the row that is about to be stored."""
        return self.pk if self.pk is not None else self.item


@dataclass(slots=True)
class Ranks:
    """Where the children of one node end: `base` those that others made, `last` all of them."""

    base: int
    last: int


@dataclass(slots=True)
class Forest:
    """The nodes by their key in the source, and by the key of their row."""

    project: Project
    importer: str
    by_key: dict[str, Node] = field(default_factory=dict)
    by_pk: dict[int, Node] = field(default_factory=dict)
    tops: dict[str, Ranks] = field(default_factory=dict)

    def stand(self, item: Item) -> Node:
        """The node of an item that stands."""
        if item.pk not in self.by_pk:
            self.by_pk[item.pk] = Node(
                kind=item.kind,
                visibility=item.visibility,
                number=item.number,
                version=item.version,
                pk=item.pk,
                parent_pk=item.parent_id,
                archived=item.archived_at,
                is_usable=item.locked_at is None,
            )
        return self.by_pk[item.pk]

    def over(self, node: Node) -> Node | None:
        """What the node stands under."""
        if node.parent is None and node.parent_pk is not None:
            row = Item.objects.only(*_COLUMNS).get(pk=node.parent_pk)
            node.parent = self.stand(row)
        return node.parent

    def above(self, node: Node) -> list[Node]:
        """All that the node stands under, nearest first."""
        found: list[Node] = []
        parent = self.over(node)
        while parent is not None:
            found.append(parent)
            parent = self.over(parent)
        return found

    def height(self, node: Node) -> int:
        """How many levels the node and what this run put below it take."""
        return 1 + max((self.height(child) for child in node.children or ()), default=0)

    def put(self, node: Node, parent: Node | None) -> None:
        """Have the node stand under another one."""
        node.parent = parent
        if parent is not None:
            parent.children = parent.children or []
            parent.children.append(node)

    def rank(self, node: Node, kind: Kind) -> int:
        """The rank of a node among its siblings: by its position, else behind the last."""
        ranks = self._ranks(node.parent, kind)
        if node.position is None:
            ranks.last += GAP
            return ranks.last
        rank = ranks.base + node.position * GAP
        ranks.last = max(ranks.last, rank)
        return rank

    def _ranks(self, parent: Node | None, kind: Kind) -> Ranks:
        if parent is None:
            if kind.name not in self.tops:
                self.tops[kind.name] = self._read_ranks(None, kind)
            return self.tops[kind.name]
        if parent.ranks is None:
            parent.ranks = Ranks(0, 0) if parent.made_now else self._read_ranks(parent.pk, kind)
        return parent.ranks

    def _read_ranks(self, parent: int | None, kind: Kind) -> Ranks:
        rows = Item.objects.filter(
            project=self.project, kind=kind.name, parent=parent, archived_at__isnull=True
        )
        others = rows.exclude(origins__importer=self.importer)
        base = others.aggregate(last=Max("rank"))["last"] or 0
        return Ranks(base, max(base, rows.aggregate(last=Max("rank"))["last"] or 0))


def kind_of_node(node: Node) -> Kind:
    """The kind of a node's item."""
    return kind_of(node.kind)
