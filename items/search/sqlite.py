"""The index on SQLite: an FTS5 table (rowid = item id) that holds terms ready made.

Its tokenizer `ascii` parts at blanks and leaves every other sign alone. Terms are
letters, digits and marks (`items.search.words`), and stand in quotes besides, so that
nothing of a query is read as syntax.

The column `scope` holds the item's scope, and each of its terms once more behind the
scope, as one word: a search in one place reads the lists of that place's words alone,
however much others hold. Searches in all places go by the plain terms.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models.expressions import RawSQL

from items.search.candidates import COLUMNS, MOST_COUNTED, Found, Rows, Visible
from items.search.documents import Document

_STORE = (
    "INSERT OR REPLACE INTO items_search (rowid, scope, heading, gist, body) "
    "VALUES (%s, %s, %s, %s, %s)"
)
# Between a scope and a term (of a heading), and in neither: terms hold no invisible signs.
_TERM, _HEADING = "\u2060", "\u2061"
_MATCH = "FROM items_search WHERE items_search MATCH %s"
_COUNT = "SELECT (SELECT COUNT(*) FROM ({everything} LIMIT {most})), {having}"
# Times as text: reading them as Django's columns takes longer than the search of the index.
_COLUMNS = COLUMNS.format(
    created="CAST(item.created AS TEXT)", links="group_concat(link.target_id)"
)
# CROSS JOIN keeps the order: first what matches, the best first, then whether it may be read.
# So no more is looked up than is counted; LIMIT -1 has SQLite keep to the order.
_FOUND = """
SELECT found.id, CAST(found.changed AS TEXT), found.total, {columns}
FROM (
    SELECT readable.id, readable.changed, COUNT(*) OVER () AS total
    FROM (
        SELECT matching.id, visible.changed, matching.worth
        FROM (
            SELECT id, SUM(worth) AS worth FROM ({hits}) GROUP BY id
            ORDER BY worth DESC, id DESC LIMIT -1
        ) AS matching
        CROSS JOIN ({visible}) AS visible ON visible.id = matching.id
        LIMIT {most}
    ) AS readable
    ORDER BY readable.changed > %s, readable.worth DESC, readable.id DESC
    LIMIT %s
) AS found
CROSS JOIN items_item AS item ON item.id = found.id
CROSS JOIN items_search AS doc ON doc.rowid = found.id
"""


def store(documents: Iterable[Document]) -> None:
    """Index the documents, each instead of the one that its item has."""
    with connection.cursor() as cursor:
        cursor.executemany(
            _STORE,
            [
                (each.item_id, _in_scope(each), each.heading, each.gist, each.body)
                for each in documents
            ],
        )


def _in_scope(document: Document) -> str:
    scope = document.scope
    heading = set(document.heading.split())
    terms = heading.union(document.gist.split(), document.body.split())
    return " ".join(
        [
            scope,
            *sorted(f"{scope}{_TERM}{term}" for term in terms),
            *sorted(f"{scope}{_HEADING}{term}" for term in heading),
        ]
    )


def forget(item_ids: Sequence[int]) -> None:
    """Take items out of the index."""
    with connection.cursor() as cursor:
        cursor.executemany("DELETE FROM items_search WHERE rowid = %s", [(i,) for i in item_ids])


def leave_nothing() -> None:
    """Have the index keep no word of what was taken out of it.

    Without it, the words of rows taken out stay in the index's segments until SQLite
    happens to merge them. Takes time by the size of the whole index.
    """
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO items_search (items_search) VALUES ('optimize')")


def clear() -> None:
    """Take everything out of the index."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM items_search")


def frequencies(terms: Sequence[str], scopes: Sequence[str] | None) -> list[int]:
    """How many items there are in the scopes, to 10,000, and how many have each term."""
    having = ", ".join(f"(SELECT COUNT(*) {_MATCH})" for _ in terms)
    parameters = [_any([term], scopes) for term in terms]
    if scopes is None:
        everything = "SELECT 1 FROM items_item"
    else:
        everything = f"SELECT 1 {_MATCH}"
        parameters.insert(0, f"scope:({_either(scopes)})")
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT.format(everything=everything, having=having, most=MOST_COUNTED), parameters
        )
        return list(cursor.fetchone())


def matching(terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
    """The ids of the items that have one of the terms, as a part of a statement."""
    statement = f"SELECT rowid {_MATCH}"
    return RawSQL(statement, [_any(terms, scopes)])  # noqa: S611 - parameters stay apart


def candidates(
    rows: Rows,
    weights: Mapping[str, int],
    scopes: Sequence[str] | None,
    *,
    until: datetime | None,
    limit: int,
    most: int,
) -> Found:
    """The rows that have most of the terms, by weight; those changed later come last."""
    hits: list[str] = []
    parameters: list[Any] = []
    for term, weight in weights.items():
        for query in (_any([term], scopes), _heading(term, scopes)):
            hits.append(f"SELECT rowid AS id, %s AS worth {_MATCH}")
            parameters += [weight, query]
    visible = Visible.of(rows)
    statement = _FOUND.format(
        hits=" UNION ALL ".join(hits), visible=visible.sql, columns=_COLUMNS, most=most
    )
    moment = connection.ops.adapt_datetimefield_value(until)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, *visible.parameters, moment, limit])
        return Found.of(
            (item_id, _moment(changed), total, _moment(created), *rest)
            for item_id, changed, total, created, *rest in cursor.fetchall()
        )


def _moment(text: str) -> datetime:
    """A time as the table has it: UTC, without saying so."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _any(terms: Sequence[str], scopes: Sequence[str] | None) -> str:
    """The query for items in one of the scopes (None: in all) that have one of the terms."""
    if scopes is None:
        return f"{{heading gist body}}:({_either(terms)})"
    return f"scope:({_either([f'{scope}{_TERM}{term}' for scope in scopes for term in terms])})"


def _heading(term: str, scopes: Sequence[str] | None) -> str:
    if scopes is None:
        return f'heading:"{term}"'
    return f"scope:({_either([f'{scope}{_HEADING}{term}' for scope in scopes])})"


def _either(words: Sequence[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)
