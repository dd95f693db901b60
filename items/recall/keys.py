"""Primary keys as an aggregate: found by the statement that counts, for no further one."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Aggregate, Model, QuerySet, Subquery, TextField, Value

M = TypeVar("M", bound=Model)


class Keys(Aggregate):
    """The different keys of a group, to be read by `read_keys`.

    Where they are different anyway, or few are not, it is cheaper without `distinct`.
    """

    function = "GROUP_CONCAT"
    output_field = TextField()
    allow_distinct = True

    def __init__(self, key: Any, *, distinct: bool = True, **extra: Any) -> None:
        super().__init__(key, distinct=distinct, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """PostgreSQL makes an array of them."""
        return self.as_sql(compiler, connection, function="ARRAY_AGG", **context)


class Apart(Subquery):
    """What a statement of its own finds, the same for every row of another one."""

    def get_group_by_cols(self) -> list[Any]:
        """None: it parts no groups."""
        return []


def keys_of(rows: QuerySet[M, Any], key: Any, *, distinct: bool = True) -> Apart:
    """The keys of these rows, beside what another statement finds."""
    whole = rows.order_by().annotate(whole=Value(1)).values("whole")
    return Apart(whole.annotate(keys=Keys(key, distinct=distinct)).values("keys"))


def read_keys(found: str | Sequence[int] | None) -> list[int]:
    """The keys that `Keys` has found, in their order."""
    return sorted(read_numbers(found))


def read_numbers(found: str | Sequence[int] | None) -> list[int]:
    """The numbers that `Keys` has found, in that of the rows: the same for each of a row."""
    if found is None:
        return []
    return list(map(int, found.split(","))) if isinstance(found, str) else list(found)
