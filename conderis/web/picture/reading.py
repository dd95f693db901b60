"""What the page of a project's picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from conderis.web.items.words import RELATIONS
from conderis.web.picture.bars import Bars, bars_of
from conderis.web.picture.drawing import Drawing, draw
from conderis.web.projects.frame import ProjectFrame
from items.days import changes_by_day
from items.graph import End, item_graph, item_relations


@dataclass(frozen=True, slots=True)
class RelationLine:
    """A row of the table: from which item, how, to which, and where these are."""

    source: End
    source_href: str
    word: str
    target: End
    target_href: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing, a page of the table beside it, and the chart."""

    drawing: Drawing
    rows: Sequence[RelationLine]
    next_cursor: str
    is_first: bool
    bars: Bars


def read_picture(frame: ProjectFrame, cursor: str | None) -> Picture:
    """The picture of the project, its table from the cursor on.

    Raises:
        Invalid: the cursor is none of this table.
    """
    caller, project_id = frame.caller, frame.project_id
    page = item_relations(caller, project_id=project_id, cursor=cursor or None)
    path = frame.item_path()
    return Picture(
        drawing=draw(frame, item_graph(caller, project_id=project_id)),
        rows=[
            RelationLine(
                source=each.source,
                source_href=path(each.source.number),
                word=str(RELATIONS[each.relation]),
                target=each.target,
                target_href=path(each.target.number),
            )
            for each in page.items
        ],
        next_cursor=page.next_cursor or "",
        is_first=not cursor,
        bars=bars_of(changes_by_day(caller, project_id=project_id)),
    )
