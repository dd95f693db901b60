"""Kinds that have no section of their own making: a plain list of their items.

So a new kind is in the recall with its row in the registry, and nothing else.
"""

from django.db.models import Case, CharField, Count, When, Window
from django.db.models.functions import Left

from conderis.common.text import cut_at_word
from items.access import visible_items
from items.expiry import expired_q
from items.kinds.base import Kind
from items.kinds.memory import MEMORY
from items.kinds.page import PAGE
from items.kinds.registry import all_kinds
from items.kinds.task import TASK
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE
from items.recall.listing import Listing
from items.recall.memory_lines import GIST, LOADED
from items.recall.relevance import matched_first
from items.recall.slots import Section, slot_of_kind
from projects.models import Project

WITH_SECTIONS = frozenset({MEMORY.name, PAGE.name, TASK.name})


def read_other_kinds(asking: Asking) -> list[Section]:
    """A section for each kind that recall knows nothing special about."""
    project = asking.project
    if project is None:
        return []
    kinds = [each for each in all_kinds() if each.listed and each.name not in WITH_SECTIONS]
    return [_section(asking, project, kind) for kind in kinds]


def _section(asking: Asking, project: Project, kind: Kind) -> Section:
    items = (
        visible_items(asking.caller, project)
        .filter(kind=kind.name, locked_at__isnull=True, archived_at__isnull=True)
        .filter(~expired_q(asking.now, project.session_days))
    )
    if kind.statuses:
        items = items.filter(status__in=kind.active_statuses)
    gist = Case(
        When(summary="", then=Left("content", LOADED)),
        default="summary",
        output_field=CharField(),
    )
    rows = list(
        matched_first(items, asking.ranks, "-changed", "-pk")
        .annotate(gist=gist, total=Window(Count("pk")))
        .values_list("pk", "number", "version", "title", "status", "gist", "total")[
            : asking.max_chars // SHORTEST_LINE + len(asking.ranks)
        ]
    )
    rows.sort(key=lambda row: asking.ranks.get(row[0], len(asking.ranks)))
    entries = [
        Entry(
            head=f"- #{number} v{version}",
            title=one_line(title),
            marks=(status,) if status else (),
            detail=cut_at_word(text, GIST),
        )
        for _, number, version, title, status, text, _ in rows
    ]
    total = rows[0][-1] if rows else 0
    call = asking.call(f"item_list kind={kind.name}")
    return Section(slot_of_kind(kind.name), Listing(kind.plural.capitalize(), entries, total, call))
