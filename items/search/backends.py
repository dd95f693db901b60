"""Which index there is: SQLite's or PostgreSQL's."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from django.db import connection
from django.db.models.expressions import RawSQL

from items.search import postgresql, sqlite
from items.search.candidates import Found, Rows
from items.search.documents import Document
from items.search.relevance import Rarity


class Backend(Protocol):
    """What both indexes can do. Scopes None are all of them; terms are never none.

    `GONE_IDS` is a statement without parameters: the ids of what is archived or closed.
    """

    GONE_IDS: str

    def store(self, documents: Iterable[Document]) -> None:
        """Index the documents, each instead of the one that its item has."""

    def forget(self, item_ids: Sequence[int]) -> None:
        """Take items out of the index."""

    def merge(self) -> None:
        """Have a search read one list of each word, after many items came at once."""

    def leave_nothing(self) -> None:
        """Have the index keep no word of what was taken out of it."""

    def clear(self) -> None:
        """Take everything out of the index."""

    def matching(self, terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
        """The ids of the items that have one of the terms, as a part of a statement."""

    def found(
        self,
        rows: Rows,
        terms: Sequence[str],
        scopes: Sequence[str] | None,
        *,
        rarity: Rarity | None,
        until: datetime | None,
        limit: int,
        most: int,
    ) -> Found:
        """The rows that fit the terms best by themselves, scored, in no order.

        Of the `most` best ones so many (`limit`), none changed after `until`; the total
        counts all, but no more than `most`. By how rare the terms are in the scopes; with
        a `rarity` by that one, and its terms alone.
        """


def backend() -> Backend:
    """The index of the database in use."""
    return sqlite if connection.vendor == "sqlite" else postgresql
