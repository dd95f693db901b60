"""What an index answers a search with: the items worth ranking, and how many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from items.models import Item
from items.search.relevance import Rarity

# Items that are counted, to tell how rare a word is: more change little, and take time.
MOST_COUNTED = 10_000

# Of a found item, after its id; `{changed}` and `{created}` are how the database gives times,
# `{links}` how it joins the ids of the items that it is related to.
COLUMNS = """
{changed}, {created}, item.project_id, item.number, item.author_id, item.author_agent_id,
item.parent_id,
(SELECT {links} FROM items_relation AS link WHERE link.source_id = item.id)
"""

# The columns of a statement that looks the best up: what `COLUMNS` takes of an item.
WHOLE = (
    "id", "changed", "created", "project_id", "number", "author_id", "author_agent_id",
    "parent_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visible:
    """The statement of what may be found: `id` and `changed` of rows, with its parameters.

    `covered`: the rows of one place, found in an index alone. To read them all takes less
    than to look many of them up. `whole`: all that stands in the scopes searched is among
    them, so that none need be read before the best are known; these are looked up then, and
    the statement has the columns named in `WHOLE`.
    """

    sql: str
    parameters: Sequence[Any]
    covered: bool = True
    whole: bool = False

    @classmethod
    def of(cls, rows: "Rows") -> "Visible":
        """That of these rows."""
        if isinstance(rows, Visible):
            return rows
        sql, parameters = rows.order_by().values("id", "changed").query.sql_with_params()
        return cls(sql, parameters, covered=False)


Rows = QuerySet[Item] | Visible


class Candidate(NamedTuple):
    """An item that matches: its score, and what each term of the query is worth in it.

    `changed` and `written` (when it was created) are as the database gives them; `author`
    and `agent` wrote it; `links` are the ids of items that it is related to from its side,
    parted by commas. (A tuple: a search makes many.)
    """

    score: int
    grades: Sequence[str]
    item_id: int
    changed: datetime | str
    written: datetime | str
    project: int | None
    number: int | None
    author: int
    agent: int | None
    parent: int | None
    links: str | None

    @property
    def created(self) -> datetime:
        """When it was created: few are asked, and to read a time takes time."""
        return moment(self.written)


@dataclass(frozen=True, slots=True)
class Found:
    """The best candidates, and how many items match, as far as was asked.

    `rarity` is what they were scored by.
    """

    rarity: Rarity
    candidates: Sequence[Candidate] = ()
    total: int = 0

    @property
    def newest(self) -> datetime:
        """When the last of the candidates (never none) was changed."""
        changed: Sequence[Any] = [each.changed for each in self.candidates]
        return moment(max(changed))  # of texts as of times


def moment(written: datetime | str) -> datetime:
    """A time as a database gives it; as text it is UTC, without saying so."""
    if isinstance(written, datetime):
        return written
    return datetime.fromisoformat(written).replace(tzinfo=UTC)
