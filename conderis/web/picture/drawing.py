"""The graph of a project's relations as a drawing: every position worked out here, as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from conderis.web.items.words import RELATIONS, STATUS_ICONS, value_word
from conderis.web.picture.layout import Spot, lay_out
from conderis.web.projects.frame import ProjectFrame
from items.graph import Edge, End, Graph
from items.kinds.registry import kind_of
from items.kinds.relations import INVERSE

BOX_WIDTH, BOX_HEIGHT = 196, 46
COLUMN, ROW = 244, 62  # from one box to the next
MARGIN: Final = 8
BEND: Final = 30  # how far a line runs straight out of its box
ROOM: Final = 25  # narrow characters of a title; the box cuts what is wider than it seems


@dataclass(frozen=True, slots=True)
class Box:
    """An item in the drawing: `title` is as much of its title as the box has room for.

    What stands in the page is text already, since there are many of them.
    """

    number: int
    href: str
    icon: str
    heading: str
    title: str
    label: str
    left: str
    top: str
    x: int
    y: int
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A relation in the drawing, and what it says."""

    relation: str
    path: str
    says: str
    has_head: bool


@dataclass(frozen=True, slots=True)
class Sign:
    """A row of the legend."""

    relation: str
    word: str
    has_head: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """The drawing with its size in pixels; `left_out` counts items that have no room in it."""

    boxes: Sequence[Box]
    lines: Sequence[Line]
    legend: Sequence[Sign]
    width: int
    height: int
    items: int
    relations: int
    more: bool

    @property
    def left_out(self) -> int:
        """Items that have relations and are not drawn."""
        return self.items - len(self.boxes)


def draw(frame: ProjectFrame, graph: Graph) -> Drawing:
    """The drawing of the graph."""
    layout = lay_out(
        [end.number for end in graph.nodes], [(each.source, each.target) for each in graph.edges]
    )
    path = frame.item_path()
    boxes = [_box(path(end.number), end, layout.spots[end.number]) for end in graph.nodes]
    places = {box.number: box for box in boxes}
    used = {each.relation for each in graph.edges}
    return Drawing(
        boxes=boxes,
        lines=[_line(each, places[each.source], places[each.target]) for each in graph.edges],
        legend=[_sign(name) for name in INVERSE if name in used],
        width=2 * MARGIN + max(0, layout.columns - 1) * COLUMN + BOX_WIDTH + BEND,
        height=2 * MARGIN + int(max(0.0, layout.rows - 1) * ROW) + BOX_HEIGHT,
        items=graph.items,
        relations=graph.relations,
        more=graph.more,
    )


def cut_to_width(text: str, room: int) -> str:
    """The beginning of the text in the room of so many narrow characters, with an ellipsis."""
    taken = 0
    for place, character in enumerate(text):
        taken += 2 if east_asian_width(character) in "WF" else 1
        if taken > room:
            return text[: max(0, place - 1)].rstrip() + "…"
    return text


def is_directed(relation: str) -> bool:
    """Whether the relation has a beginning and an end."""
    return INVERSE[relation] != relation


def _box(href: str, end: End, spot: Spot) -> Box:
    heading = f"#{end.number} {value_word(end.status)}" if end.status else f"#{end.number}"
    title = cut_to_width(end.title, ROOM)
    whole = f" ({end.title})" if title != end.title else ""
    x, y = MARGIN + spot.column * COLUMN, MARGIN + round(spot.row * ROW)
    return Box(
        number=end.number,
        href=href,
        icon=STATUS_ICONS.get(end.status, end.kind),
        heading=heading,
        title=title,
        label=f"{heading} {title}{whole}",
        left=str(x),
        top=str(y),
        x=x,
        y=y,
        is_closed=bool(end.status) and end.status not in kind_of(end.kind).active_statuses,
    )


def _line(edge: Edge, source: Box, target: Box) -> Line:
    word = str(RELATIONS[edge.relation])
    return Line(
        relation=edge.relation,
        path=_path(source, target),
        says=f"#{edge.source} {word} #{edge.target}",
        has_head=is_directed(edge.relation),
    )


def _path(source: Box, target: Box) -> str:
    """A curve from a side of one box to a side of the other."""
    y1, y2 = source.y + BOX_HEIGHT // 2, target.y + BOX_HEIGHT // 2
    if target.x > source.x:
        x1, x2 = source.x + BOX_WIDTH, target.x
        out, back = x1 + BEND, x2 - BEND
    elif target.x < source.x:
        x1, x2 = source.x, target.x + BOX_WIDTH
        out, back = x1 - BEND, x2 + BEND
    else:  # one above the other: round the right side
        x1 = x2 = source.x + BOX_WIDTH
        out = back = x1 + BEND
    return f"M{x1} {y1}C{out} {y1} {back} {y2} {x2} {y2}"


def _sign(relation: str) -> Sign:
    return Sign(relation, str(RELATIONS[relation]), is_directed(relation))
