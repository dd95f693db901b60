"""The one way through every list: pages that hold while others write.

A list is walked by *keyset*: a cursor says which row came last, by the values that the
list is sorted by, and the next page is what comes after them. A row that nobody touches
keeps its place, so that it is shown exactly once, whatever is stored, changed or erased
meanwhile. A changed row may come again at its new place, or not.

    ORDER = Keyset(
        SortKey("priority"),
        SortKey("due", nullable=True),          # rows without one come last
        SortKey("number", unique=True),         # always ended by something unique
    )
    page = page_of(
        tasks,                                  # a QuerySet of model rows
        keyset=ORDER,
        binding=Binding(caller, "task", {"projectId": public_id, "filter": {...}}),
        limit=limit, cursor=cursor,             # None where the caller sent none
    )
    return page.as_answer([entry(row) for row in page.items])

It costs two queries (one where the first page is the last). A field is a column, a path
over relations (`item__number`, with `select_related`) or an annotation of the queryset.
Texts are sorted by at any length, given the way to find long ones again (`Kept`).

Where the database cannot compare what a list is sorted by, `cursors.write_cursor` and
`cursors.read_cursor` give the same cursors for values of one's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import F, Model, OrderBy, Q, QuerySet

from conderis.common.cursors import (
    Binding,
    CursorTooLongError,
    Mark,
    Value,
    read_cursor,
    unfit,
    write_cursor,
)
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject, without_nulls

__all__ = ["Binding", "Kept", "Keyset", "Page", "SortKey", "page_of", "read_limit"]

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
MAX_TOTAL = 1000

T = TypeVar("T")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Kept:
    """How a text that is too long for a cursor is found again.

    `mark` names the row's text as it is now in at most 40 ASCII characters (id and
    version), `resolve` gives the text of a mark as it then was, or None when it is gone.
    """

    mark: Callable[[Any], str]
    resolve: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class SortKey:
    """One part of an order; a `nullable` one has rows without a value last, always."""

    field: str
    descending: bool = False
    nullable: bool = False
    unique: bool = False
    kept: Kept | None = None

    @property
    def order(self) -> OrderBy:
        """The part as an ORM ordering."""
        return OrderBy(
            F(self.field), descending=self.descending, nulls_last=True if self.nullable else None
        )

    def value(self, row: object) -> Value:
        """The row's value."""
        found: Any = row
        for name in self.field.split("__"):
            found = getattr(found, name) if found is not None else None
        value: Value = found
        return value

    def beyond(self, value: Value) -> Q:
        """The rows whose value lies beyond this one; it is not null."""
        return Q((f"{self.field}__{'lt' if self.descending else 'gt'}", value))

    def after(self, value: Value, ties: Q) -> Q:
        """The rows behind this value, and those of its `ties` that share it."""
        if value is None:
            return Q((f"{self.field}__isnull", True)) & ties
        behind = self.beyond(value) | (Q((self.field, value)) & ties)
        if self.nullable:
            return behind | Q((f"{self.field}__isnull", True))
        # Says nothing new, but lets the database walk an index from there.
        return Q((f"{self.field}__{'lte' if self.descending else 'gte'}", value)) & behind


class Keyset:
    """An order that gives every row a place of its own: its last part is `unique`."""

    __slots__ = ("keys",)

    def __init__(self, *keys: SortKey) -> None:
        if not keys or not keys[-1].unique or keys[-1].nullable:
            raise ValueError("the last part of an order must be unique and never null")
        self.keys = keys

    @property
    def names(self) -> list[str]:
        """What the values of a place mean."""
        return [f"{'-' if key.descending else ''}{key.field}" for key in self.keys]

    def ordered(self, rows: QuerySet[M]) -> QuerySet[M]:
        """The rows in this order."""
        return rows.order_by(*(key.order for key in self.keys))

    def after(self, values: Sequence[Value]) -> Q:
        """The rows behind the place that has these values."""
        found = self.keys[-1].beyond(values[-1])
        for key, value in zip(self.keys[-2::-1], values[-2::-1], strict=True):
            found = key.after(value, found)
        return found


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some entries of a list. `total` is exact to 1,000; beyond it 1,000 with `more`."""

    items: list[T]
    total: int
    more: bool
    next_cursor: str | None

    @property
    def has_more(self) -> bool:
        """Whether the list goes on."""
        return self.next_cursor is not None

    def as_answer(self, entries: Sequence[JsonObject]) -> JsonObject:
        """The contract's answer, with the entries that the items were made into."""
        return without_nulls(
            {
                "items": list(entries),
                "total": self.total,
                "more": self.more or None,
                "hasMore": self.has_more,
                "nextCursor": self.next_cursor,
            }
        )


def page_of(
    rows: QuerySet[M],
    *,
    keyset: Keyset,
    binding: Binding,
    limit: int | None = None,
    cursor: str | None = None,
) -> Page[M]:
    """The first `limit` rows (20 where None, at most 100), or those after the cursor.

    Raises:
        Invalid: the limit is out of bounds, or the cursor is not one of this list.
    """
    size = read_limit(limit)
    found = keyset.ordered(rows)
    if cursor is not None:
        found = found.filter(keyset.after(_place(keyset, binding, cursor)))
    items = list(found[: size + 1])

    return page_with(
        items,
        keyset=keyset,
        binding=binding,
        size=size,
        count=rows.order_by().values("pk")[: MAX_TOTAL + 1].count,
        is_first=cursor is None,
    )


def page_with(
    items: Sequence[T],
    *,
    keyset: Keyset,
    binding: Binding,
    size: int,
    count: Callable[[], int],
    is_first: bool,
) -> Page[T]:
    """The page of these rows, of which one more than its size tells that the list goes on.

    `count` gives how many the list has, at most 1,001; it is asked where the page does
    not tell.
    """
    shown = list(items[:size])
    has_more = len(items) > size
    total = len(items) if is_first and not has_more else count()
    return Page(
        items=shown,
        total=min(total, MAX_TOTAL),
        more=total > MAX_TOTAL,
        next_cursor=_cursor_after(keyset, binding, shown[-1]) if has_more else None,
    )


def read_limit(limit: Json) -> int:
    """The limit sent, or 20.

    Raises:
        Invalid: it is no whole number from 1 to 100.
    """
    if limit is None:
        return DEFAULT_LIMIT
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise Invalid(
            f"limit must be a whole number from 1 to {MAX_LIMIT}.",
            field="limit",
            allowed=[f"1 to {MAX_LIMIT}"],
        )
    return limit


def _cursor_after(keyset: Keyset, binding: Binding, row: object) -> str:
    values: list[Value | Mark] = [key.value(row) for key in keyset.keys]
    try:
        return write_cursor(binding, values, order=keyset.names)
    except CursorTooLongError:
        for place, key in enumerate(keyset.keys):
            if key.kept is not None and isinstance(values[place], str):
                values[place] = Mark(key.kept.mark(row))
        return write_cursor(binding, values, order=keyset.names)


def _place(keyset: Keyset, binding: Binding, cursor: str) -> list[Value]:
    read = read_cursor(binding, cursor, order=keyset.names)
    return [_found(key, value) for key, value in zip(keyset.keys, read, strict=True)]


def _found(key: SortKey, value: Value | Mark) -> Value:
    if not isinstance(value, Mark):
        return value
    text = key.kept.resolve(value.text) if key.kept is not None else None
    if text is None:
        raise unfit("The entry that this cursor points at has been erased.")
    return text
