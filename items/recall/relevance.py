"""What fits the focus: the one place where recall asks the search.

A focus puts entries first and hides none.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Protocol, TypeVar

from django.db.models import Case, IntegerField, OrderBy, Q, QuerySet, Value, When

from items.access import visible_items
from items.expiry import expired_q
from items.kinds.registry import all_kinds
from items.models import Item
from items.recall.asking import Asking
from items.recall.populations import LOW
from items.search import personal_scopes, project_scopes, ranked


class Loaded(Protocol):
    """A row with the primary key of its item."""

    @property
    def pk(self) -> int:
        """The primary key."""


R = TypeVar("R", bound=Loaded)


def matched_first(
    items: QuerySet[Item], fitting: Collection[int], *order: str | OrderBy
) -> QuerySet[Item]:
    """The items in this order, those that fit the focus before all others."""
    if not fitting:
        return items.order_by(*order)
    unmatched = Case(
        When(pk__in=list(fitting), then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    return items.alias(unmatched=unmatched).order_by("unmatched", *order)


def by_rank(rows: Iterable[R], ranks: Mapping[int, int]) -> list[R]:
    """The rows that fit the focus by how well they do, then the others as they were."""
    return sorted(rows, key=lambda row: ranks.get(row.pk, len(ranks)))


def ranks_of(asking: Asking, focus: str) -> dict[int, int]:
    """What fits the focus of all that this recall can show, the best at 0.

    One search in all places at once, so that it costs the same wherever the best are.
    """
    caller = asking.caller
    places = [
        (visible_items(caller, project), project_scopes(caller, [project.pk], all_kinds()))
        for project in (asking.project, asking.upstream)
        if project is not None
    ]
    if asking.personal:
        places.append((visible_items(caller, None), personal_scopes(caller, all_kinds())))
    if not places:
        return {}
    items = reduce(or_, (rows for rows, _ in places))
    active = {status for kind in all_kinds() for status in kind.active_statuses}
    showable = items.filter(
        ~expired_q(asking.now),
        ~Q(weight=LOW),
        status__in=["", *sorted(active)],
        archived_at__isnull=True,
        locked_at__isnull=True,
    )
    found = ranked(showable, focus, [scope for _, scopes in places for scope in scopes])
    return {hit.item_id: place for place, hit in enumerate(found)}
