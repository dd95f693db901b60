"""What an index answers a search with: the items worth ranking, and how many there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items that match, column by column, each item at the same place in all of them.

    `grades` has a column per term of the query: what it is worth in each item, nothing
    where it is not in it. `changed` and `written` (when it was created) are as the database
    gives them; `authors` and `agents` wrote them; `links` are the ids of items that each is
    related to from its side, parted by commas. (Columns: a search has many rows, of most of
    which it looks at two or three values.)
    """

    scores: Sequence[int] = ()
    grades: Sequence[Sequence[str | None]] = ()
    ids: Sequence[int] = ()
    changed: Sequence[datetime] | Sequence[str] = ()
    written: Sequence[datetime] | Sequence[str] = ()
    projects: Sequence[int | None] = ()
    numbers: Sequence[int | None] = ()
    authors: Sequence[int] = ()
    agents: Sequence[int | None] = ()
    parents: Sequence[int | None] = ()
    links: Sequence[str | None] = ()

    @classmethod
    def of(
        cls,
        scores: Sequence[int],
        grades: Sequence[Sequence[str | None]],
        rows: Iterable[Sequence[Any]],
    ) -> "Candidates":
        """From rows of ids, each with the columns that `COLUMNS` names."""
        return cls(scores, grades, *zip(*rows, strict=True))

    def created(self, place: int) -> datetime:
        """When the item was created: few are asked, and to read a time takes time."""
        return moment(self.written[place])


@dataclass(frozen=True, slots=True)
class Found:
    """The best candidates, and how many items match, as far as was asked.

    `rarity` is what they were scored by.
    """

    rarity: Rarity
    candidates: Candidates = Candidates()
    total: int = 0

    @property
    def newest(self) -> datetime:
        """When the last of the candidates (never none) was changed."""
        changed: Sequence[Any] = self.candidates.changed  # texts or times, never both
        return moment(max(changed))


def moment(written: datetime | str) -> datetime:
    """A time as a database gives it; as text it is UTC, without saying so."""
    if isinstance(written, datetime):
        return written
    return datetime.fromisoformat(written).replace(tzinfo=UTC)
