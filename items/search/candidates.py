"""What an index answers a search with: the items worth ranking, and how many there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from items.models import Item

# Items that are counted, to tell how rare a word is: more change little, and take time.
MOST_COUNTED = 10_000

# Of a found item, behind `found.id, found.changed, found.total`; `{created}` is how the
# database gives a time, `{links}` how it joins the ids of the items that it is related to.
COLUMNS = """
{created}, item.project_id, item.number, item.author_id, item.author_agent_id,
item.parent_id,
(SELECT {links} FROM items_relation AS link WHERE link.source_id = found.id),
doc.heading, doc.gist, doc.body
"""


@dataclass(frozen=True, slots=True)
class Visible:
    """The statement of what may be found: `id` and `changed` of rows, with its parameters."""

    sql: str
    parameters: Sequence[Any]

    @classmethod
    def of(cls, rows: "Rows") -> "Visible":
        """That of these rows."""
        if isinstance(rows, Visible):
            return rows
        sql, parameters = rows.order_by().values("id", "changed").query.sql_with_params()
        return cls(sql, parameters)


Rows = QuerySet[Item] | Visible


class Candidate(NamedTuple):
    """An item that matches, with its terms as the index holds them.

    `author` and `agent` wrote it; `links` are the ids of items that it is related to from
    its side, parted by commas. (A tuple as the database gives it: a search makes many.)
    """

    item_id: int
    changed: datetime
    total: int
    created: datetime
    project: int | None
    number: int | None
    author: int
    agent: int | None
    parent: int | None
    links: str | None
    heading: str
    gist: str
    body: str


@dataclass(frozen=True, slots=True)
class Found:
    """The best candidates, and how many items match, as far as was asked."""

    candidates: list[Candidate]
    total: int

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]]) -> "Found":
        """From rows of a statement: id, changed, total, then `COLUMNS`."""
        found = [Candidate._make(row) for row in rows]
        return cls(found, found[0].total if found else 0)
