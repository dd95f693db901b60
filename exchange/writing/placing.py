"""Where imported items stand: under their parent as far as that may be, else at the top.

What has a parent that comes later in the source waits at the top for it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from exchange.importers.texts import cut
from exchange.writing.nodes import Forest, Node, kind_of_node
from items.kinds.base import Kind
from items.models import Item
from projects.models import Project


@dataclass(slots=True)
class Titles:
    """The titles of active siblings, of those kinds that have them but once.

    `passing` are the numbers of those that wait where they stand: there they take no title.
    """

    project: Project
    mine: set[tuple[str, Node | None, str]] = field(default_factory=set)
    standing: dict[tuple[str, int | None, str], set[int]] = field(default_factory=dict)
    passing: set[int] = field(default_factory=set)

    def look_up(self, kind: Kind, titles: list[str]) -> None:
        """Read which of these titles stand, for all records of a chunk at once."""
        rows = self._active(kind).filter(title__in=titles)
        for parent, title, number in rows.values_list("parent_id", "title", "number"):
            self.standing.setdefault((kind.name, parent, title), set()).add(number or 0)

    def _active(self, kind: Kind) -> QuerySet[Item]:
        return Item.objects.filter(
            project=self.project,
            kind=kind.name,
            archived_at__isnull=True,
            locked_at__isnull=True,
        )

    def is_taken(self, node: Node, title: str) -> bool:
        """Whether an active sibling of the node has the title."""
        parent = node.parent
        if (node.kind, parent, title) in self.mine:
            return True
        if parent is not None and parent.pk is None:
            return False  # nobody else can have put anything there
        pk = parent.pk if parent is not None else None
        return bool(self.standing.get((node.kind, pk, title), set()) - self.passing)

    def free(self, node: Node, title: str, limit: int) -> str:
        """The title, with a number behind it where a sibling has it already."""
        kind = kind_of_node(node)

        def is_taken(tried: str) -> bool:
            if tried != title:  # no record has it, so it was not looked up
                self.look_up(kind, [tried])
            return self.is_taken(node, tried)

        return self._first(node, title, limit, is_taken)

    def free_late(self, node: Node, title: str, limit: int) -> str:
        """The same for a node that was stored elsewhere, or under this title, before."""
        parent = node.parent

        def is_taken(tried: str) -> bool:
            if (node.kind, parent, tried) in self.mine:
                return True
            if parent is not None and parent.pk is None:
                return False
            pk = parent.pk if parent is not None else None
            rows = self._active(kind_of_node(node)).filter(parent=pk, title=tried)
            others = rows.exclude(pk=node.pk or 0)
            return bool(set(others.values_list("number", flat=True)) - self.passing)

        return self._first(node, title, limit, is_taken)

    def _first(self, node: Node, title: str, limit: int, is_taken: Callable[[str], bool]) -> str:
        found, tries = title, 1
        while is_taken(found):
            tries += 1
            behind = f" ({tries})"
            found = cut(title, limit - len(behind))[0] + behind
        self.mine.add((node.kind, node.parent, found))
        return found


def place_under(forest: Forest, node: Node, parent: Node) -> str | None:
    """Put the node under this parent, or where it may stand instead; why, if elsewhere."""
    kind = kind_of_node(node)
    refused = _refused(forest, node, parent)
    if refused is not None:
        return refused
    height, found = forest.height(node), [parent, *forest.above(parent)]
    while found and len(found) + height > kind.max_depth:
        found.pop(0)
    if found:
        forest.put(node, found[0])
    if found and found[0] is parent:
        return None
    return _("%(kind)s can be %(most)s levels deep, so it stands higher than in the source.") % {
        "kind": kind.plural.capitalize(),
        "most": kind.max_depth,
    }


def _refused(forest: Forest, node: Node, parent: Node) -> str | None:
    if parent.kind != node.kind:
        return _("What it stands under is of another kind, so it stands at the top.")
    if not parent.is_usable:
        return _("What it stands under is locked or erased here, so it stands at the top.")
    if parent.visibility != node.visibility:
        return _("What it stands under is not as visible as it, so it stands at the top.")
    if node.ends_apart:
        return _("A critical memory stands alone, so it stands at the top.")
    if node in (parent, *forest.above(parent)):
        return _("It stands below itself in the source, so it stands at the top.")
    return None


def taken_along_with(forest: Forest, node: Node) -> Item | int | None:
    """What was archived together with the node and stands over it: that brings it back."""
    with_it: Node | None = None
    if node.archived is not None:
        for over in forest.above(node):
            if over.archived != node.archived:
                break
            with_it = over
    return with_it.target if with_it is not None else None
