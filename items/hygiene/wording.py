"""Checks of how memories, pages and tasks are written: what recall shows of them."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan

from conderis.common.prepared import Prepared
from items.hygiene.base import Found
from items.hygiene.clock import Clock
from items.hygiene.rows import shared_rows
from items.hygiene.survey import Survey
from items.kinds.memory import MEMORY
from items.models import Item

LONG_CONTENT = 2_000  # characters that no list shows anything of but the beginning
LONG_TITLE = 70  # of a memory that says nothing else; at most 80 fit
LONG_LINE = 120  # title of a page or task; at most 200 fit
LONG_SUMMARY = 240  # of a memory without content; at most 300 fit
SAME_LENGTH = 40  # characters by which a summary may be longer than the title it repeats

_WORD = re.compile(r"[^\W_]+")


def has_no_summary(_: Clock) -> Q:
    """Memories without a summary; those with much text are in the wrong place already."""
    return Q(kind=MEMORY.name, summary="") & ~_misplaced_memory()


def has_misplaced_detail(_: Clock) -> Q:
    """What stands where it does not belong.

    Long text without a summary, everything in the title, or in the summary; titles of
    pages and tasks that are paragraphs.
    """
    others = Q(number__isnull=False) & ~Q(kind=MEMORY.name)
    return _misplaced_memory() | (others & _longer("title", LONG_LINE))


def _misplaced_memory() -> Q:
    bare = Q(summary="")
    everything_in_title = Q(content="") & _longer("title", LONG_TITLE)
    return Q(kind=MEMORY.name) & (
        (bare & (_longer("content", LONG_CONTENT) | everything_in_title))
        | (Q(content="") & _longer("summary", LONG_SUMMARY))
    )


def _longer(column: str, characters: int) -> Q:
    return Q(GreaterThan(Length(column), characters))


def summaries_that_repeat(survey: Survey) -> Sequence[Found]:
    """Memories whose summary has no word that is not in the title."""
    return [
        Found(number)
        for number, title, summary in _short_summaries().rows(project=survey.project.pk)
        if number in survey.numbers and _says_no_more(summary.casefold(), title.casefold())
    ]


def _says_no_more(summary: str, title: str) -> bool:
    """Whether the title has every word of the summary; both without upper case."""
    first = _WORD.search(summary)
    if first is not None and first[0] not in title:  # so it is as good as always
        return False
    return words(summary) <= words(title)


def words(text: str) -> frozenset[str]:
    """The words of a text, whatever their case."""
    return frozenset(_WORD.findall(text.casefold()))


@cache
def _short_summaries() -> Prepared[tuple[Any, ...]]:
    def build(project: int) -> QuerySet[Item, tuple[Any, ...]]:
        rows = shared_rows(project).filter(kind=MEMORY.name).exclude(summary="")
        short = rows.exclude(GreaterThan(Length("summary"), Length("title") + SAME_LENGTH))
        return short.order_by("number").values_list("number", "title", "summary")

    return Prepared(build, project=int)
