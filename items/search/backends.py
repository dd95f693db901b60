"""Which index there is: SQLite's or PostgreSQL's."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from django.db import connection
from django.db.models.expressions import RawSQL

from items.search import postgresql, sqlite
from items.search.candidates import Found, Rows
from items.search.documents import Document


class Backend(Protocol):
    """What both indexes can do. Scopes None are all of them; terms are never none."""

    def store(self, documents: Iterable[Document]) -> None:
        """Index the documents, each instead of the one that its item has."""

    def forget(self, item_ids: Sequence[int]) -> None:
        """Take items out of the index."""

    def leave_nothing(self) -> None:
        """Have the index keep no word of what was taken out of it."""

    def clear(self) -> None:
        """Take everything out of the index."""

    def frequencies(self, terms: Sequence[str], scopes: Sequence[str] | None) -> list[int]:
        """How many items there are in the scopes, to 10,000, and how many have each term."""

    def matching(self, terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
        """The ids of the items that have one of the terms, as a part of a statement."""

    def candidates(
        self,
        rows: Rows,
        weights: Mapping[str, int],
        scopes: Sequence[str] | None,
        *,
        until: datetime | None,
        limit: int,
        most: int,
    ) -> Found:
        """The rows that have most of the terms, by weight, twice where in a heading.

        Of the `most` best ones so many (`limit`), those changed after `until` last; the total
        counts no more than `most`.
        """


def backend() -> Backend:
    """The index of the database in use."""
    return sqlite if connection.vendor == "sqlite" else postgresql
