"""The index on PostgreSQL: a table with the terms as text and as a `tsvector`.

The vector is made of ready terms, past PostgreSQL's parsers and dictionaries, so that
both databases find the same. Terms are letters, digits and marks (`items.search.words`),
and stand in quotes besides, so that nothing of a query is read as syntax.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models.expressions import RawSQL

from items.search.candidates import COLUMNS, MOST_COUNTED, Candidates, Found, Rows, Visible
from items.search.documents import Document
from items.search.relevance import Rarity, grades_in
from items.search.scopes import GONE
from items.search.words import marked

_STORE = """
INSERT INTO items_searchdocument (item_id, scope, heading, gist, body, words)
VALUES (%s, %s, %s, %s, %s, array_to_tsvector(%s::text[]))
ON CONFLICT (item_id) DO UPDATE SET
    scope = EXCLUDED.scope, heading = EXCLUDED.heading, gist = EXCLUDED.gist,
    body = EXCLUDED.body, words = EXCLUDED.words
"""
GONE_IDS = f"SELECT doc.item_id FROM items_searchdocument AS doc WHERE doc.scope LIKE '{GONE}%%'"  # noqa: S608
_HAS = "doc.words @@ %s::tsquery"
_COUNT = """
SELECT ({everything}), {counts}
FROM items_searchdocument AS doc WHERE {scoped} AND {has}
"""
_ALL = "SELECT COUNT(*) FROM (SELECT 1 FROM items_searchdocument LIMIT {most}) AS counted"
_IN_SCOPES = """
SELECT COUNT(*) FROM (
    SELECT 1 FROM items_searchdocument AS doc WHERE doc.scope = ANY(%s) LIMIT {most}
) AS counted
"""
_MATCHING = "SELECT doc.item_id FROM items_searchdocument AS doc WHERE {scoped} AND {has}"
_COLUMNS = COLUMNS.format(
    changed="item.changed", created="item.created", links="string_agg(link.target_id::text, ',')"
)
# Materialized, so that the join and the sort carry no texts; lateral, so that only what
# matches is looked up, and never a whole project.
_FOUND = """
WITH matching AS MATERIALIZED (
    SELECT doc.item_id AS id, {worth} AS worth
    FROM items_searchdocument AS doc WHERE {scoped} AND {has}
)
SELECT found.total, doc.heading, doc.gist, doc.body,
    found.id, {columns}
FROM (
    SELECT readable.id, readable.changed, COUNT(*) OVER () AS total
    FROM (
        SELECT matching.id, visible.changed, matching.worth
        FROM (
            SELECT id, worth FROM matching ORDER BY worth DESC, id DESC OFFSET 0
        ) AS matching
        CROSS JOIN LATERAL (
            SELECT looked_up.changed FROM ({visible}) AS looked_up
            WHERE looked_up.id = matching.id OFFSET 0
        ) AS visible
        LIMIT {most}
    ) AS readable
    ORDER BY readable.changed > %s, readable.worth DESC, readable.id DESC
    LIMIT %s
) AS found
JOIN items_item AS item ON item.id = found.id
JOIN items_searchdocument AS doc ON doc.item_id = found.id
"""
_WORTH = """
CASE WHEN doc.words @@ %s::tsquery
THEN CASE WHEN strpos(doc.heading, %s) > 0 THEN %s ELSE %s END ELSE 0 END
"""


def store(documents: Iterable[Document]) -> None:
    """Index the documents, each instead of the one that its item has."""
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, [_row(each) for each in documents])


def _row(document: Document) -> tuple[Any, ...]:
    texts = (document.heading, document.gist, document.body)
    words = sorted({term for text in texts for term in text.split()})
    return (document.item_id, document.scope, *texts, words)


def forget(item_ids: Sequence[int]) -> None:
    """Take items out of the index."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM items_searchdocument WHERE item_id = ANY(%s)", [list(item_ids)])


def merge() -> None:
    """Nothing to do here: each word has one list."""


def leave_nothing() -> None:
    """Nothing to do here: dead rows go with the next vacuum of the tables."""


def clear() -> None:
    """Take everything out of the index; writers wait until the transaction has ended.

    Otherwise one that forgets an item meanwhile would find nothing to forget, and the
    text would be put in again.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE items_searchdocument IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute("DELETE FROM items_searchdocument")


def _rarity(terms: Sequence[str], scopes: Sequence[str] | None) -> Rarity:
    """How rare the terms are, among at most 10,000 items in the scopes."""
    scoped, scope_parameters = _scoped(scopes)
    counts = ", ".join(f"COUNT(*) FILTER (WHERE {_HAS})" for _ in terms)
    everything = (_ALL if scopes is None else _IN_SCOPES).format(most=MOST_COUNTED)
    statement = _COUNT.format(everything=everything, scoped=scoped, counts=counts, has=_HAS)
    with connection.cursor() as cursor:
        cursor.execute(
            statement,
            [*scope_parameters, *map(_quoted, terms), *scope_parameters, _any(terms)],
        )
        total, *having = cursor.fetchone()
    return Rarity.of(total, dict(zip(terms, having, strict=True)))


def matching(terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
    """The ids of the items that have one of the terms, as a part of a statement."""
    scoped, scope_parameters = _scoped(scopes)
    statement = _MATCHING.format(scoped=scoped, has=_HAS)
    parameters = [*scope_parameters, _any(terms)]
    return RawSQL(statement, parameters)  # noqa: S611 - parameters stay apart


def found(
    rows: Rows,
    terms: Sequence[str],
    scopes: Sequence[str] | None,
    *,
    rarity: Rarity | None,
    until: datetime | None,
    limit: int,
    most: int,
) -> Found:
    """The rows that fit the terms best; those changed after `until` are counted alone.

    They are chosen by the terms they have, twice where in a heading, and scored then.
    """
    rarity = rarity or _rarity(terms, scopes)
    weights = rarity.levels
    if not weights:
        return Found(rarity)
    scoped, scope_parameters = _scoped(scopes)
    visible = Visible.of(rows)
    statement = _FOUND.format(
        worth="+".join(_WORTH for _ in weights),
        scoped=scoped,
        has=_HAS,
        visible=visible.sql,
        columns=_COLUMNS,
        most=most,
    )
    worths = [
        parameter
        for term, weight in weights.items()
        for parameter in (_quoted(term), marked(term), 2 * weight, weight)
    ]
    matching = [*worths, *scope_parameters, _any(list(weights))]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*matching, *visible.parameters, until, limit])
        answer = cursor.fetchall()
    needles = [*map(marked, weights)]
    items: list[Sequence[Any]] = []
    having: list[Sequence[str | None]] = []
    for _total, heading, gist, body, *row in answer:
        if until is None or row[1] <= until:
            items.append(row)
            having.append(grades_in(heading, gist, body, needles))
    total = answer[0][0] if answer else 0
    if not items:
        return Found(rarity, total=total)
    scores = [*map(rarity.score, having)]
    return Found(rarity, Candidates.of(scores, [*zip(*having, strict=True)], items), total)


def _scoped(scopes: Sequence[str] | None) -> tuple[str, list[list[str]]]:
    return ("TRUE", []) if scopes is None else ("doc.scope = ANY(%s)", [list(scopes)])


def _quoted(term: str) -> str:
    return f"'{term}'"


def _any(terms: Sequence[str]) -> str:
    return " | ".join(_quoted(term) for term in terms)
