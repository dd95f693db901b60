"""Pages of long lists, without counting them to the end."""

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property

if TYPE_CHECKING:
    _Paginator = Paginator[Any]
else:
    _Paginator = Paginator

MOST = 10_000  # rows that a list counts and pages through; beyond them it is searched


class BoundedPaginator(_Paginator):
    """Counts at most 10,000 rows; what lies beyond is reached by search and filters."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, at most 10,000."""
        rows: Any = self.object_list
        return int(rows.order_by().values("pk")[:MOST].count())

    @property
    def is_cut(self) -> bool:
        """Whether there may be more."""
        return self.count >= MOST
