"""Relations of imported items: made as soon as both ends are there, so that none is lost.

Between two that were there before nothing is made: whoever took a relation away meanwhile
meant it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext as _

from conderis.common.errors import DomainError
from exchange.records import Link
from exchange.writing.nodes import Node, kind_of_node
from items.importing import Writing
from items.kinds.relations import BLOCKS, INVERSE, read_relation
from items.models import Relation
from items.relations import MAX_RELATIONS
from projects.models import Project

Said = tuple[str, str]  # the place of a record, and a sentence


@dataclass(slots=True)
class Links:
    """The relations that an import makes; what waits for its other end, by that one's key."""

    project: Project
    waiting: dict[str, list[tuple[Node, str]]] = field(default_factory=lambda: defaultdict(list))
    made: set[tuple[int, int, str]] = field(default_factory=set)
    blocks: dict[Node, list[Node]] = field(default_factory=lambda: defaultdict(list))
    standing: dict[int, list[int]] | None = None

    def begin(self) -> None:
        """Begin a chunk: what others have related meanwhile is read anew."""
        self.standing = None

    def add(
        self, nodes: dict[str, Node], node: Node, key: str, links: Sequence[Link], writing: Writing
    ) -> Iterator[Said]:
        """Take up a record's links, and those of earlier ones to it; what cannot be is said."""
        for link in links:
            other = nodes.get(link.key)
            if other is None:
                self.waiting[link.key].append((node, link.relation))
            else:
                yield from self._relate(node, other, link.relation, writing)
        for source, relation in self.waiting.pop(key, ()):
            yield from self._relate(source, node, relation, writing)

    def left(self) -> Iterator[Said]:
        """What waits for something that never came."""
        for waiting in self.waiting.values():
            for node, _relation in waiting:
                if node.made_now:
                    yield (
                        node.place,
                        _("A relation is left out, since its other end is not imported."),
                    )

    def _relate(self, node: Node, other: Node, name: str, writing: Writing) -> Iterator[Said]:
        if not (node.made_now or other.made_now):
            return
        try:
            relation, turned = read_relation(name)
        except DomainError:
            yield node.place, _("A relation of an unknown sort is left out.")
            return
        source, target = (other, node) if turned else (node, other)
        refused = self._refused(source, target, relation)
        if refused is not None:
            yield node.place, refused
            return
        ends = (id(source), id(target))
        mark = (*(sorted(ends) if INVERSE[relation] == relation else ends), relation)
        if mark in self.made:
            return
        self.made.add((mark[0], mark[1], relation))
        for end in (source, target):
            end.relations = _count(end) + 1
        if relation == BLOCKS:
            self.blocks[source].append(target)
        if source.target is not None and target.target is not None:
            writing.relations.append((source.target, target.target, relation))

    def _refused(self, source: Node, target: Node, relation: str) -> str | None:
        kinds = [kind_of_node(end) for end in (source, target)]
        if source is target:
            return _("A relation to itself is left out.")
        if not all(kind.related for kind in kinds):
            return _("A relation is left out, since one of the two can have none.")
        if not (source.is_usable and target.is_usable):
            return _("A relation is left out, since its other end is locked or erased here.")
        if any(_count(end) >= MAX_RELATIONS for end in (source, target)):
            values = {"most": MAX_RELATIONS}
            return _("A relation is left out: an item has at most %(most)s of them.") % values
        return self._refused_to_block(source, target) if relation == BLOCKS else None

    def _refused_to_block(self, source: Node, target: Node) -> str | None:
        if not (kind_of_node(source).statuses and kind_of_node(target).statuses):
            return _("A relation is left out: only tasks can block each other.")
        if self._reaches(target, source):
            return _("A relation is left out: the two would wait for each other in a circle.")
        return None

    def _reaches(self, start: Node, goal: Node) -> bool:
        """Whether `start` blocks `goal`, directly or through others."""
        seen: set[Node | int] = {start}
        front: list[Node | int] = [start]
        ends = {goal, goal.pk} if goal.pk is not None else {goal}
        by_pk: dict[int | None, Node] = {}
        while front:
            following: set[Node | int] = set()
            for each in front:
                if isinstance(each, int) and not by_pk:
                    by_pk = {node.pk: node for node in self.blocks}
                node = by_pk.get(each) if isinstance(each, int) else each
                following |= set(self.blocks.get(node, ())) if node is not None else set()
                pk = each if isinstance(each, int) else each.pk
                following |= set(self._standing(pk, made_now=node is not None and node.made_now))
            if following & ends:
                return True
            front = list(following - seen)
            seen |= following
        return False

    def _standing(self, pk: int | None, *, made_now: bool) -> list[int]:
        """What an item blocks that stood before; what this run has made is known by itself."""
        if pk is None or made_now:
            return []
        if self.standing is None:
            self.standing = defaultdict(list)
            rows = Relation.objects.filter(source__project=self.project, relation=BLOCKS)
            for source, target in rows.values_list("source_id", "target_id").iterator():
                self.standing[source].append(target)
        return self.standing.get(pk, [])


def _count(node: Node) -> int:
    """How many relations the node's item has; those to private ones do not count."""
    if node.relations is None:
        node.relations = 0 if node.made_now or node.pk is None else _standing_count(node.pk)
    return node.relations


def _standing_count(pk: int) -> int:
    rows = Relation.objects.filter(Q(source=pk) | Q(target=pk))
    rows = rows.exclude(source__visibility="private").exclude(target__visibility="private")
    return rows.count()
