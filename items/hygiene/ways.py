"""Checks of ways between items: references that lead nowhere, pages that nothing leads to."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db.models import QuerySet

from conderis.common.prepared import Prepared
from items.hygiene.base import Found
from items.hygiene.rows import standing
from items.hygiene.survey import CLOSED, Survey
from items.kinds.page import PAGE
from items.models import Item, Relation

NAMED_TARGETS = 3  # numbers that one finding names


def broken_references(survey: Survey) -> Sequence[Found]:
    """Items that name a number that was never given, or one whose item was erased.

    Numbers of what only its author may read are left alone, erased or not. Closed tasks
    are records of their time: nobody mends them.
    """
    named = survey.mentions.by_number
    asked = sorted(frozenset().union(*named.values()) - survey.numbers)
    if not asked:
        return []
    last = survey.project.last_number
    gone = {number for number in asked if number > last}
    given = [number for number in asked if number <= last]
    if given:
        gone |= {number for (number,) in _erased().rows(project=survey.project.pk, numbers=given)}
    if not gone:
        return []
    closed = {row.number for row in survey.rows if row.bits & CLOSED}
    return [
        Found(number, tuple(sorted(named[number] & gone)[:NAMED_TARGETS]))
        for number in sorted(named)
        if named[number] & gone and number not in closed
    ]


def unreachable_pages(survey: Survey) -> Sequence[Found]:
    """Pages at the top level without children, relations, or a mention in any other text.

    The first page is the way in, and stands for itself. Where not every text could be
    looked into, a mention may be in the others, so none is named.
    """
    mentions = survey.mentions
    roots = [row for row in survey.rows if row.kind == PAGE.name and row.parent is None]
    if not mentions.whole or len(roots) < 2:
        return []
    first = min(roots, key=lambda row: (row.rank, row.number))
    named = mentions.elsewhere.union(*mentions.by_number.values())
    lost = [
        row
        for row in roots
        if row is not first and row.pk not in survey.children and row.number not in named
    ]
    related = _related([row.pk for row in lost] or [0])
    return [Found(row.number) for row in lost if row.pk not in related]


def _related(ids: list[int]) -> set[int]:
    """Those of the items that have a relation to something shared that stands."""
    return {pk for end in ("source", "target") for (pk,) in _ends(end).rows(ids=ids)}


@cache
def _ends(end: str) -> Prepared[tuple[Any, ...]]:
    other = "target" if end == "source" else "source"

    def build(ids: Sequence[int]) -> QuerySet[Relation, tuple[Any, ...]]:
        rows = Relation.objects.filter(standing(other), **{f"{end}__in": ids})
        return rows.order_by().values_list(f"{end}_id")

    return Prepared(build, ids=list)


@cache
def _erased() -> Prepared[tuple[Any, ...]]:
    def build(project: int, numbers: Sequence[int]) -> QuerySet[Item, tuple[Any, ...]]:
        rows = Item.objects.filter(project=project, number__in=numbers, erased_at__isnull=False)
        return rows.exclude(visibility="private").order_by().values_list("number")

    return Prepared(build, project=int, numbers=list)
