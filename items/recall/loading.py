"""What is loaded of the memories: enough of the first ones, and no more.

Every statement is compiled once (`Prepared`), with a focus and without one.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    IntegerField,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Left

from conderis.common.prepared import Prepared
from items.models import Item
from items.recall.memory_lines import LOADED, Child, Row, Spot, read_row
from items.recall.populations import CRITICAL, Habitat, Memories, Population

_LATEST = ("-changed", "-pk")
_COLUMNS = (
    "pk",
    "parent_id",
    "number",
    "public_id",
    "version",
    "title",
    "summary",
    "beginning",
    "weight",
    "visibility",
    "tags_as_text",
    "author_id",
    "author__display_name",
    "credit_as_text",
)


def load_first(population: Population, *, keys: Collection[int], limit: int) -> list[Row]:
    """The latest others at the top level, so many, and what of the keys is shown.

    A key stands for the bag that holds it, too.
    """
    chosen = _chosen(population.habitat)
    return [
        read_row(*row)
        for row in chosen.rows(**population.values, keys=list(keys) or [0], limit=limit)
    ]


def order_first(
    population: Population, *, keys: Collection[int], limit: int, since: str | None = None
) -> list[Spot]:
    """The latest others at the top level, so many, and what of the keys is shown.

    The latest first. What changed before `since`, as a spot tells it, is there only by its
    key.
    """
    spots = _spots(population.habitat, ever=since is None)
    values: dict[str, Any] = dict(population.values)
    if since is not None:
        moment = datetime.fromisoformat(since)
        values["since"] = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    found = set(spots.rows(**values, keys=list(keys) or [0], limit=limit))
    return list(map(Spot._make, sorted(found, reverse=True)))


def load_those(population: Population, keys: Sequence[int]) -> dict[int, Row]:
    """Of these the ones that recall may show, by their keys."""
    if not keys:
        return {}
    found = _those(population.habitat).rows(**population.values, keys=list(keys))
    return {row[0]: read_row(*row) for row in found}


def load_mixed(population: Population, *, fitting: Collection[int], limit: int) -> list[Row]:
    """The first of all, told how many there are: what fits, critical ones, the latest.

    A bag fits for what it holds.
    """
    values: dict[str, Any] = {**population.values, "limit": limit}
    if fitting:
        values["fitting"] = list(fitting)
    mixed = _mixed(population.habitat, focused=bool(fitting))
    return [read_row(*row) for row in mixed.rows(**values)]


@cache
def _chosen(habitat: Habitat) -> Prepared[tuple[Any, ...]]:
    def build(keys: Sequence[int], limit: int, **values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        rows = _first(habitat.memories(**values), keys, limit)
        return _columns(rows)

    return Prepared(build, **habitat.parameters, keys=list, limit=int)


@cache
def _spots(habitat: Habitat, *, ever: bool) -> Prepared[tuple[Any, ...]]:
    def build(
        keys: Sequence[int], limit: int, since: datetime | None = None, **values: Any
    ) -> QuerySet[Item, tuple[Any, ...]]:
        memories = habitat.memories(**values)
        latest = _latest(memories)
        if since is not None:
            latest = latest.filter(changed__gte=since)
        first = Item.objects.filter(pk__in=latest.values("pk")[:limit])
        named = habitat.memories(**values, named=True)
        chosen = named.shown.filter(named.at_top | Q(weight=CRITICAL), pk__in=keys)
        # As text, which Django hands on as it is.
        columns = (Cast("changed", CharField()), "pk", "weight")
        spots = [rows.order_by().values_list(*columns) for rows in (chosen, first)]
        return spots[0].union(spots[1], all=True)

    since = {} if ever else {"since": datetime}
    return Prepared(build, **habitat.parameters, **since, keys=list, limit=int)


@cache
def _those(habitat: Habitat) -> Prepared[tuple[Any, ...]]:
    def build(keys: Sequence[int], **values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        named = habitat.memories(**values, named=True)
        return _columns(named.shown.filter(pk__in=keys).order_by())

    return Prepared(build, **habitat.parameters, keys=list)


def _first(memories: Memories, keys: Sequence[int], limit: int) -> QuerySet[Item]:
    """The latest others at the top level, and what of the keys is shown.

    As a union of keys, since both databases go through the whole project for an "or".
    SQLite takes no limit in a part of a union, but in what that part asks.
    """
    chosen = memories.shown.filter(pk__in=_with_holders(keys))
    chosen = chosen.filter(memories.at_top | Q(weight=CRITICAL))
    first = Item.objects.filter(pk__in=_latest(memories).values("pk")[:limit])
    union = chosen.order_by().values("pk").union(first.order_by().values("pk"))
    return Item.objects.filter(pk__in=union).order_by(*_LATEST)


def _latest(memories: Memories) -> QuerySet[Item]:
    return memories.top.exclude(weight=CRITICAL).order_by(*_LATEST)


@cache
def _mixed(habitat: Habitat, *, focused: bool) -> Prepared[tuple[Any, ...]]:
    def build(
        limit: int, fitting: Sequence[int] = (), **values: Any
    ) -> QuerySet[Item, tuple[Any, ...]]:
        rows = habitat.memories(**values).top.alias(uncritical=_before(Q(weight=CRITICAL)))
        order = ("unmatched", "uncritical") if focused else ("uncritical",)
        unmatched = _before(_or_holding(fitting)) if focused else Value(1)
        found = rows.annotate(unmatched=unmatched, total=Window(Count("pk")))
        return _columns(found, "unmatched", "total").order_by(*order, *_LATEST)[:limit]

    fitting = {"fitting": list} if focused else {}
    return Prepared(build, **habitat.parameters, **fitting, limit=int)


def _columns(rows: QuerySet[Item], *more: str) -> QuerySet[Item, tuple[Any, ...]]:
    beginning = Case(
        When(summary="", then=Left("content", LOADED)), default=Value(""), output_field=CharField()
    )
    # As text, which Django hands on as it is: few of them are looked at.
    texts = {f"{name}_as_text": Cast(name, TextField()) for name in ("tags", "credit")}
    return rows.annotate(beginning=beginning, **texts).values_list(*_COLUMNS, *more)


def _with_holders(keys: Sequence[int]) -> QuerySet[Item, tuple[int]]:
    """The keys, and those of the bags that hold them."""
    named = Item.objects.filter(pk__in=keys).order_by()
    holders = named.filter(parent__isnull=False).values_list("parent")
    return named.values_list("pk").union(holders)


def _or_holding(keys: Sequence[int]) -> Q:
    holding = Item.objects.filter(pk__in=keys, parent__isnull=False).values("parent")
    return Q(pk__in=keys) | Q(pk__in=holding)


def _before(condition: Q) -> Case:
    """Sorts what it is true of before the others."""
    return Case(When(condition, then=Value(0)), default=Value(1), output_field=IntegerField())


def children_of(populations: Sequence[Population], bags: Iterable[int]) -> list[Child]:
    """The shown children of these memories, in one query."""
    asked = list(bags)
    if not asked:
        return []
    values: dict[str, Any] = {
        f"{name}_{place}": value
        for place, each in enumerate(populations)
        for name, value in each.values.items()
    }
    inside = _inside(tuple(each.habitat for each in populations))
    # Sorted here: asked for in this order, SQLite walks through the whole table.
    found = [Child(*row) for row in inside.rows(**values, bags=asked)]
    return sorted(found, key=lambda child: child.pk)


@cache
def _inside(habitats: tuple[Habitat, ...]) -> Prepared[tuple[Any, ...]]:
    """Children of all these habitats; their values are named with their places."""
    parameters = {
        f"{name}_{place}": kind
        for place, each in enumerate(habitats)
        for name, kind in each.parameters.items()
    }

    def build(bags: list[int], **values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        inside = [
            each.memories(
                **{name: values[f"{name}_{place}"] for name in each.parameters}
            ).shown.filter(parent__in=bags)
            for place, each in enumerate(habitats)
        ]
        rows = inside[0]
        if len(inside) > 1:
            shown = Q()
            for each in inside:
                shown |= Q(pk__in=each.values("pk"))
            rows = Item.objects.filter(shown)
        columns = ("pk", "parent_id", "number", "public_id", "version", "title")
        return rows.order_by().values_list(*columns)

    return Prepared(build, **parameters, bags=list)
