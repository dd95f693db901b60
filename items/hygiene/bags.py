"""Checks of bags: their size, and whether their summary knows what is in them."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any

from django.db.models import F, Max, QuerySet

from conderis.common.prepared import Prepared
from items.hygiene.base import Found
from items.hygiene.rows import shared_rows
from items.hygiene.survey import Row, Survey
from items.kinds.memory import MEMORY
from items.models import Item

MOST_CHILDREN = 20  # as many as reading a bag lists
GRACE = timedelta(days=1)  # a bag and what goes into it are often stored in one sitting


def _bags(survey: Survey) -> list[tuple[Row, Sequence[Row]]]:
    found = [(survey.by_pk.get(pk), rows) for pk, rows in survey.children.items()]
    bags = [(bag, rows) for bag, rows in found if bag is not None and bag.kind == MEMORY.name]
    return sorted(bags, key=lambda each: each[0].number)


def badly_filled_bags(survey: Survey) -> Sequence[Found]:
    """Bags with a single child (named with it), or with more than reading them lists."""
    return [
        Found(bag.number, (rows[0].number,) if len(rows) == 1 else ())
        for bag, rows in _bags(survey)
        if len(rows) == 1 or len(rows) > MOST_CHILDREN
    ]


def outdated_bags(survey: Survey) -> Sequence[Found]:
    """Bags of which a child was changed more than a day after their own last version.

    Any later version of the bag counts as a look at its summary.
    """
    bags = [bag for bag, _ in _bags(survey)]
    if not bags:
        return []
    later = {
        pk
        for pk, child, bag in _later_children().rows(project=survey.project.pk)
        if child - bag > GRACE
    }
    return [Found(bag.number) for bag in bags if bag.pk in later]


@cache
def _later_children() -> Prepared[tuple[Any, ...]]:
    def build(project: int) -> QuerySet[Item, tuple[Any, ...]]:
        # That there is a parent need not be said, but an index of the few that have one is taken.
        inside = shared_rows(project).filter(kind=MEMORY.name, parent__isnull=False)
        rows = inside.filter(parent__changed__lt=F("changed"))
        grouped = rows.order_by().values("parent_id", "parent__changed")
        return grouped.annotate(latest=Max("changed")).values_list(
            "parent_id", "latest", "parent__changed"
        )

    return Prepared(build, project=int)
