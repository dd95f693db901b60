"""The check of critical memories: whether a recall can hold them all."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Left

from conderis.common.prepared import Prepared
from conderis.common.text import cut_at_word, without_heading
from items.entries import MAX_BEGINNING
from items.hygiene.base import Found
from items.hygiene.rows import shared_rows
from items.hygiene.survey import CRITICAL, Survey
from items.kinds.memory import MEMORY
from items.models import Item
from items.recall.budget import WHOLE
from items.recall.recalling import DEFAULT_CHARS
from items.recall.slots import CRITICAL as SLOT

ROOM = DEFAULT_CHARS * SLOT.most // WHOLE  # characters that recall gives them
_LOADED = 4 * MAX_BEGINNING + 4
_MEASURED = 500  # memories; the room holds fewer


def critical_without_room(survey: Survey) -> Sequence[Found]:
    """Critical memories that a recall of the usual length leaves out: the latest come first.

    Measured by the lines as recall writes them for their author.
    """
    critical = {row.number for row in survey.rows if row.bits & CRITICAL}
    if not critical:
        return []
    room = ROOM
    kept = set()
    for number, version, title, summary, beginning in _lines().rows(project=survey.project.pk):
        gist = summary or cut_at_word(without_heading(beginning, title), MAX_BEGINNING)
        line = f"- #{number} v{version} {title}: {' '.join(gist.split())}\n"
        if number in critical and len(line) <= room:
            room -= len(line)
            kept.add(number)
    return [Found(number) for number in sorted(critical - kept)]


@cache
def _lines() -> Prepared[tuple[Any, ...]]:
    def build(project: int) -> QuerySet[Item, tuple[Any, ...]]:
        rows = shared_rows(project).filter(kind=MEMORY.name, weight="critical")
        found = rows.annotate(beginning=Left("content", _LOADED)).order_by("-changed", "-pk")
        return found.values_list("number", "version", "title", "summary", "beginning")[:_MEASURED]

    return Prepared(build, project=int)
