"""The projects that the caller may read, where no one of them was asked for."""

from django.db.models import Count, Window

from conderis.common.text import cut_at_word
from items.recall.asking import Asking
from items.recall.entries import Entry
from items.recall.filling import SHORTEST_LINE
from items.recall.listing import Listing
from items.recall.slots import PROJECTS, Section
from projects.access import visible_projects

DESCRIPTION = 160  # characters, as in lists


def read_projects(asking: Asking) -> list[Section]:
    """The section of projects, the latest change first; even when there are none."""
    if asking.project is not None:
        return []
    most = asking.max_chars // SHORTEST_LINE
    rows = list(
        visible_projects(asking.caller)
        .annotate(total=Window(Count("pk")))
        .order_by("-changed", "-pk")[:most]
    )
    entries = [
        Entry(
            head="-",
            title=project.full_name,
            marks=("public",) if project.is_public else (),
            detail=cut_at_word(project.description, DESCRIPTION),
        )
        for project in rows
    ]
    total = vars(rows[0])["total"] if rows else 0
    return [Section(PROJECTS, Listing("Projects", entries, total, "item_list kind=project"))]
