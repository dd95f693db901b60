"""The items that findings name, with what a page shows of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import QuerySet

from conderis.common.prepared import Prepared
from items.hygiene.rows import shared_rows
from items.models import Item
from projects.access import ProjectAccess


@dataclass(frozen=True, slots=True)
class NamedItem:
    """A shared item that stands, as a finding shows it."""

    number: int
    kind: str
    title: str
    version: int


def items_named(access: ProjectAccess, numbers: Collection[int]) -> Mapping[int, NamedItem]:
    """Those of the numbers whose items are shared and stand, in one query."""
    wanted = sorted(numbers) or [0]
    rows = _named().rows(project=access.project.pk, numbers=wanted)
    return {row[0]: NamedItem(*row) for row in rows}


@cache
def _named() -> Prepared[tuple[Any, ...]]:
    def build(project: int, numbers: Collection[int]) -> QuerySet[Item, tuple[Any, ...]]:
        rows = shared_rows(project).filter(number__in=numbers).order_by()
        return rows.values_list("number", "kind", "title", "version")

    return Prepared(build, project=int, numbers=list)
