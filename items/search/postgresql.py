"""The index on PostgreSQL: a table with the terms as text and as a `tsvector`.

The vector is made of ready terms and the scope, past PostgreSQL's parsers and dictionaries, so
that both databases find the same. Terms are letters, digits and marks (`items.search.words`),
and stand in quotes besides, so that nothing of a query is read as syntax.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import mul
from typing import Any

from django.db import connection
from django.db.models.expressions import RawSQL

from items.search.candidates import COLUMNS, MOST_COUNTED, Candidates, Found, Rows, Visible
from items.search.documents import Document
from items.search.relevance import Rarity, grades_in
from items.search.scopes import AFTER_SCOPE, GONE
from items.search.totals import Totals
from items.search.words import marked

_STORE = """
INSERT INTO items_searchdocument (item_id, scope, heading, gist, body, words)
VALUES (%s, %s, %s, %s, %s, array_to_tsvector(%s::text[]))
ON CONFLICT (item_id) DO UPDATE SET
    scope = EXCLUDED.scope, heading = EXCLUDED.heading, gist = EXCLUDED.gist,
    body = EXCLUDED.body, words = EXCLUDED.words
"""
GONE_IDS = f"SELECT doc.item_id FROM items_searchdocument AS doc WHERE doc.scope LIKE '{GONE}%%'"  # noqa: S608
_MATCHING = "SELECT doc.item_id FROM items_searchdocument AS doc WHERE doc.words @@ %s::tsquery"
_ALL = "SELECT COUNT(*) FROM (SELECT 1 FROM items_searchdocument LIMIT {most}) AS counted"
_IN_SCOPES = """
SELECT COUNT(*) FROM (
    SELECT 1 FROM items_searchdocument AS doc WHERE doc.scope = ANY(%s) LIMIT {most}
) AS counted
"""
# Of each item which terms it has, as a number of three digits' values: not, or in its body or
# gist alone, or in its heading. Those with the same come together.
_HITS = """
SELECT {having} AS having, array_agg(doc.item_id)
FROM items_searchdocument AS doc WHERE doc.words @@ %s::tsquery GROUP BY 1
"""
_HAVING = """
CASE WHEN doc.words @@ %s::tsquery
THEN CASE WHEN strpos(doc.heading, %s) > 0 THEN {twice} ELSE {once} END ELSE 0 END
"""
_IN_BODY, _IN_HEADING = 1, 2
_COLUMNS = COLUMNS.format(
    changed="item.changed", created="item.created", links="string_agg(link.target_id::text, ',')"
)
# The best ones first; lateral, so that only what matches is looked up, and never a whole
# project, and no more than is counted.
_FOUND = """
SELECT found.total, doc.heading, doc.gist, doc.body,
    found.id, {columns}
FROM (
    SELECT readable.id, readable.place, readable.changed, COUNT(*) OVER () AS total
    FROM (
        SELECT matching.id, matching.place, visible.changed
        FROM unnest(%s::bigint[]) WITH ORDINALITY AS matching (id, place)
        CROSS JOIN LATERAL (
            SELECT looked_up.changed FROM ({visible}) AS looked_up
            WHERE looked_up.id = matching.id OFFSET 0
        ) AS visible
        LIMIT {most}
    ) AS readable
    ORDER BY readable.changed > %s, readable.place
    LIMIT %s
) AS found
JOIN items_item AS item ON item.id = found.id
JOIN items_searchdocument AS doc ON doc.item_id = found.id
"""
_TRIES = 8  # times as many as are counted are looked up first

_totals = Totals()

Having = Sequence[int]  # by term: 0, or where an item has it


def store(documents: Iterable[Document]) -> None:
    """Index the documents, each instead of the one that its item has."""
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, [_row(each) for each in documents])


def _row(document: Document) -> tuple[Any, ...]:
    texts = (document.heading, document.gist, document.body)
    words = {term for text in texts for term in text.split()}
    return (document.item_id, document.scope, *texts, sorted({_mark(document.scope), *words}))


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
    _totals.forget()


def matching(terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
    """The ids of the items that have one of the terms, as a part of a statement."""
    return RawSQL(_MATCHING, [_query(terms, scopes)])  # noqa: S611 - parameters stay apart


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
    asked = terms if rarity is None else [*rarity.levels]
    hits = _read(asked, scopes) if asked else {}
    if rarity is None:
        rarity = Rarity.of(_total(scopes), _counts(asked, hits))
    total, answer = _looked_up(
        _best_first(hits, asked, rarity), Visible.of(rows), until, limit, most
    )
    needles = [*map(marked, rarity.levels)]
    items: list[Sequence[Any]] = []
    having: list[Sequence[str | None]] = []
    for _, heading, gist, body, *row in answer:
        if until is None or row[1] <= until:
            items.append(row)
            having.append(grades_in(heading, gist, body, needles))
    if not items:
        return Found(rarity, total=total)
    scores = [*map(rarity.score, having)]
    return Found(rarity, Candidates.of(scores, [*zip(*having, strict=True)], items), total)


def _read(terms: Sequence[str], scopes: Sequence[str] | None) -> dict[Having, list[int]]:
    """The items that have one of the terms, by which of them they have."""
    base = _IN_HEADING + 1
    having = "+".join(
        _HAVING.format(once=_IN_BODY * base**place, twice=_IN_HEADING * base**place)
        for place in range(len(terms))
    )
    each = [parameter for term in terms for parameter in (_quoted(term), marked(term))]
    with connection.cursor() as cursor:
        cursor.execute(_HITS.format(having=having), [*each, _query(terms, scopes)])
        found = cursor.fetchall()
    return {
        tuple(number // base**place % base for place in range(len(terms))): items
        for number, items in found
    }


def _total(scopes: Sequence[str] | None) -> int:
    """How many items there are in the scopes, to 10,000."""
    known = _totals.find(scopes)
    if known is not None:
        return known
    statement = (_ALL if scopes is None else _IN_SCOPES).format(most=MOST_COUNTED)
    with connection.cursor() as cursor:
        cursor.execute(statement, [] if scopes is None else [list(scopes)])
        total = int(cursor.fetchone()[0])
    _totals.keep(scopes, total)
    return total


def _counts(terms: Sequence[str], hits: Mapping[Having, Sequence[int]]) -> dict[str, int]:
    """How many items have each of the terms."""
    return {
        term: sum(len(items) for having, items in hits.items() if having[place])
        for place, term in enumerate(terms)
    }


def _best_first(
    hits: Mapping[Having, Sequence[int]], terms: Sequence[str], rarity: Rarity
) -> list[int]:
    """The items by the terms they have, twice where in a heading; of equal ones the oldest."""
    levels = [rarity.levels.get(term, 0) for term in terms]
    worth = {having: sum(map(mul, having, levels)) for having in hits}
    equal: dict[int, list[int]] = defaultdict(list)
    for having, items in hits.items():
        equal[worth[having]] += items
    return [each for points in sorted(equal, reverse=True) for each in sorted(equal[points])]


def _looked_up(
    items: Sequence[int], visible: Visible, until: datetime | None, limit: int, most: int
) -> tuple[int, list[tuple[Any, ...]]]:
    """How many of the items there are, to `most`, and the columns of the best ones."""
    if not items:
        return 0, []
    statement = _FOUND.format(visible=visible.sql, columns=_COLUMNS, most=most)
    answer: list[tuple[Any, ...]] = []
    # Nearly always there are enough among the first ones.
    for count in dict.fromkeys((min(_TRIES * most, len(items)), len(items))):
        with connection.cursor() as cursor:
            cursor.execute(statement, [[*items[:count]], *visible.parameters, until, limit])
            answer = cursor.fetchall()
        if answer and answer[0][0] >= most:
            break
    return answer[0][0] if answer else 0, answer


def _query(terms: Sequence[str], scopes: Sequence[str] | None) -> str:
    """What has one of the terms, in one of the scopes.

    A scope stands among the words: the index goes through those of the few items in it then,
    and not through all that have a word anywhere.
    """
    either = " | ".join(map(_quoted, terms))
    if scopes is None:
        return either
    return f"({' | '.join(_quoted(_mark(scope)) for scope in scopes)}) & ({either})"


def _mark(scope: str) -> str:
    """A scope as it stands among the words."""
    return f"{scope}{AFTER_SCOPE}"


def _quoted(term: str) -> str:
    return f"'{term}'"
