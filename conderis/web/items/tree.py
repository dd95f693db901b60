"""The tree of a project's pages, as its page shows it: rows, and what opens and folds them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from conderis.web.items.controls import CURSOR, QUERY, SORT
from conderis.web.items.list_words import count_word
from conderis.web.items.lists import VIEW
from conderis.web.projects.frame import ProjectFrame
from items.kinds.base import Kind
from items.kinds.values import read_number
from items.tree import Twig, has_places, item_tree

OPEN, AT = "open", "at"
_NOTHING: Final = "none"  # `?open=none`: every branch is folded


@dataclass(frozen=True, slots=True)
class TreeRow:
    """An item of the tree. `more` says how many below it are not shown, `rest` where they are.

    `skipped` is how many beside it are left out right before it.
    `turn` is the query that opens or folds it, `closes` are those whose list ends behind it.
    """

    twig: Twig
    level: int
    href: str
    turn: str
    move: str
    is_at: bool
    more: int = 0
    rest: str = ""
    skipped: int = 0
    closes: list["TreeRow"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ShownTree:
    """The tree, row by row.

    `move` is where a row that was dragged is sent, with 0 in the place of its number.
    """

    rows: tuple[TreeRow, ...]
    count: str
    total: int
    move: str
    rest: str
    more: int


def shows_tree(kind: Kind, sent: Mapping[str, str]) -> bool:
    """Whether the address asks for the whole in its order: what narrows it makes a list of it."""
    names = (QUERY, CURSOR, VIEW, *kind.filter_names)
    is_narrowed = any(sent.get(name, "").strip() for name in names)
    in_order = sent.get(SORT, "").strip() in ("", kind.sorts[0])
    return has_places(kind) and in_order and not is_narrowed


def read_opened(sent: str | None) -> frozenset[int] | None:
    """The numbers of the open branches (`1,2`); None where the address says nothing of them."""
    if sent is None:
        return None
    numbers = (read_number(part) for part in sent.split(","))
    return frozenset(number for number in numbers if number is not None)


def read_tree(
    frame: ProjectFrame, kind: Kind, sent: Mapping[str, str], *, movable: bool
) -> ShownTree:
    """The tree of the kind, with the branches open that the address names.

    Raises:
        DomainError: as the selector refuses.
    """
    at = read_number(sent.get(AT, ""))
    tree = item_tree(
        frame.caller,
        project_id=frame.project_id,
        kind=kind.name,
        opened=read_opened(sent.get(OPEN)),
        at=at,
    )
    drawing = _Drawing(
        opened=tree.opened,
        here=opened_query(tree.opened),
        path=frame.item_path(),
        move_path=frame.item_path("item-move"),
        at=at,
        movable=movable,
    )
    rows = list(drawing.rows(tree.twigs, 1))
    _close(rows)
    return ShownTree(
        rows=tuple(rows),
        count=count_word(kind.name, tree.total, more=False),
        total=tree.total,
        move=drawing.move(0) if movable else "",
        rest=f"?{urlencode({'parent': 'none', SORT: kind.sorts[0]})}",
        more=tree.more,
    )


def opened_query(opened: frozenset[int]) -> str:
    """The query of the tree with exactly these branches open."""
    return urlencode({OPEN: ",".join(map(str, sorted(opened))) or _NOTHING}, safe=",")


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Makes the rows of a tree of which these branches are open; `here` is its query."""

    opened: frozenset[int]
    here: str
    path: Callable[[int], str]
    move_path: Callable[[int], str]
    at: int | None
    movable: bool

    def rows(self, twigs: Iterable[Twig], level: int) -> Iterator[TreeRow]:
        before = 0
        for twig in twigs:
            yield self._row(twig, level, skipped=twig.place - before - 1)
            yield from self.rows(twig.twigs, level + 1)
            before = twig.place

    def move(self, number: int) -> str:
        return f"{self.move_path(number)}?{self.here}"

    def _row(self, twig: Twig, level: int, *, skipped: int) -> TreeRow:
        turned = opened_query(self.opened ^ {twig.number}) if twig.children else ""
        return TreeRow(
            twig=twig,
            level=level,
            href=self.path(twig.number),
            turn=f"?{turned}#p-{twig.number}" if turned else "",
            move=self.move(twig.number) if self.movable and not twig.locked else "",
            is_at=twig.number == self.at,
            more=twig.more,
            rest=f"?parent={twig.number}",
            skipped=skipped,
        )


def _close(rows: list[TreeRow]) -> None:
    """Note at each row which lists end behind it, the innermost first."""
    above: dict[int, TreeRow] = {}
    following = [*(row.level for row in rows[1:]), 1][: len(rows)]
    for row, level in zip(rows, following, strict=True):
        above[row.level] = row
        row.closes.extend(above[each] for each in range(row.level - 1, level - 1, -1))
