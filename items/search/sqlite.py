"""The index on SQLite: an FTS5 table (rowid = item id) that holds terms ready made.

Its tokenizer `ascii` parts at blanks and leaves every other sign alone. Terms are
letters, digits and marks (`items.search.words`), and stand in quotes besides, so that
nothing of a query is read as syntax.

Each term of an item stands in the column of what it is worth there, which has the
grade's sign (`items.search.relevance`). `items_search_hits` reads a term's list out of
the same index: the items with their columns. So a search scores all that match by a
sequential read, and no text is kept or looked at.

Each term stands there once more behind the item's scope, as one word: a search in one
place reads the lists of that place's words alone, however much others hold. Searches in
all places go by the plain terms. The column `scope` holds the scope alone, and of what is in
one of the scopes of what is gone, their common mark.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models.expressions import RawSQL

from items.search.candidates import (
    COLUMNS,
    MOST_COUNTED,
    Candidates,
    Found,
    Rows,
    Visible,
)
from items.search.documents import Document
from items.search.relevance import GRADES, Rarity, grades_of
from items.search.scopes import AFTER_SCOPE, GONE
from items.search.totals import Totals

_STORE = "INSERT OR REPLACE INTO items_search (rowid, scope, {columns}) VALUES (%s, %s, {values})"
_STORE = _STORE.format(
    columns=", ".join(f'"{grade}"' for grade in GRADES), values=", ".join("%s" for _ in GRADES)
)
MERGED_PAGES = 250  # at once
BREATH_SECONDS = 0.01  # between two steps: a writer that waits tries again by then
_MATCH = "FROM items_search WHERE items_search MATCH %s"
GONE_IDS = f"SELECT rowid FROM items_search WHERE items_search MATCH '\"{GONE}{AFTER_SCOPE}\"'"  # noqa: S608
# The terms' lists, and how many items there are in the scopes.
_HITS = """
WITH hits (items, grades) AS ({lists})
SELECT items, grades FROM hits
UNION ALL
SELECT total, {readable} FROM (SELECT {total} AS total)
"""
_TOTAL = "(SELECT COUNT(*) FROM ({everything} LIMIT {most}))"
_LIST = """
SELECT group_concat(doc), group_concat(col, '') FROM items_search_hits
WHERE term IN (SELECT value FROM json_each(%s))
"""
# What may be read as a whole, where there is not many times as much as has the terms.
_READABLE = """
CASE WHEN total < MIN({most}, {times} * (SELECT SUM(LENGTH(grades)) FROM hits))
THEN (SELECT COALESCE(group_concat(id), '') FROM ({visible})) END
"""
_TIMES = 4  # rows of an index that are read in the time in which one is looked up
# Otherwise each is looked up. CROSS JOIN keeps the order, first what matches, the best first,
# so that no more is looked up than is counted; LEFT JOIN has the total come in any case.
_FOUND = """
WITH readable AS (
    SELECT matching.key AS place, visible.id, visible.changed
    FROM json_each(%s) AS matching CROSS JOIN ({visible}) AS visible
    ON visible.id = matching.value
    LIMIT {most}
)
SELECT counted.total, item.id, {columns}
FROM (SELECT COUNT(*) AS total FROM readable) AS counted
LEFT JOIN (
    SELECT id FROM readable WHERE (changed > %s) IS NOT TRUE ORDER BY place LIMIT %s
) AS found
LEFT JOIN items_item AS item ON item.id = found.id
"""
_TRIES = 8  # times as many are tried first
_KNOWN = """
SELECT item.id, {columns}
FROM json_each(%s) AS found CROSS JOIN items_item AS item ON item.id = found.value
"""
_BEST = """
SELECT item.id, {columns}
FROM json_each(%s) AS found CROSS JOIN ({{visible}}) AS item ON item.id = found.value
"""
# Times as text: reading them as Django's columns takes longer than the search of the index.
_ITEM = COLUMNS.format(
    changed="CAST(item.changed AS TEXT)",
    created="CAST(item.created AS TEXT)",
    links="group_concat(link.target_id)",
)
_BEST = _BEST.format(columns=_ITEM)

_totals = Totals()

Hits = Mapping[str, Mapping[int, str]]  # by term and item what it is worth there


def store(documents: Iterable[Document]) -> None:
    """Index the documents, each instead of the one that its item has."""
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, [row_of(each) for each in documents])


def row_of(document: Document) -> tuple[int | str, ...]:
    """The document as the table holds it: the item's id, the scope, the terms by grade."""
    graded: dict[str, list[str]] = defaultdict(list)
    for term, grade in grades_of(document).items():
        graded[grade] += [term, _word(document.scope, term)]
    columns = (" ".join(sorted(graded.get(grade, ()))) for grade in GRADES)
    scope = _word(document.scope)
    if document.scope.startswith(GONE):
        scope += f" {_word(GONE)}"
    return (document.item_id, scope, *columns)


def forget(item_ids: Sequence[int]) -> None:
    """Take items out of the index."""
    with connection.cursor() as cursor:
        cursor.executemany("DELETE FROM items_search WHERE rowid = %s", [(i,) for i in item_ids])


def merge() -> None:
    """Merge what was written one after the other, in steps that writers get between.

    A search then reads one list of each word. As `optimize` does in one; until then SQLite
    merges some of it at a time, as more is written.
    """
    statement = "INSERT INTO items_search (items_search, rank) VALUES ('merge', %s)"
    with connection.cursor() as cursor:
        cursor.execute(statement, [-MERGED_PAGES])
        while _changes(cursor, statement) > 1:
            time.sleep(BREATH_SECONDS)


def _changes(cursor: CursorWrapper, statement: str) -> int:
    """How many rows of the index one step has written."""
    cursor.execute("SELECT total_changes()")
    before = cursor.fetchone()[0]
    cursor.execute(statement, [MERGED_PAGES])
    cursor.execute("SELECT total_changes()")
    return int(cursor.fetchone()[0]) - int(before)


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
    _totals.forget()


def matching(terms: Sequence[str], scopes: Sequence[str] | None) -> RawSQL:
    """The ids of the items that have one of the terms, as a part of a statement."""
    statement = f"SELECT rowid {_MATCH}"
    words = [word for term in terms for word in _words(term, scopes)]
    return RawSQL(statement, [_either(words)])  # noqa: S611 - parameters stay apart


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
    """The rows that fit the terms best; those changed after `until` are counted alone."""
    visible = Visible.of(rows)
    whole = visible.whole and until is None
    asked = terms if rarity is None else [*rarity.levels]
    read_all = visible.covered and until is None and not whole
    read = _read(asked, scopes, visible if read_all else None)
    if rarity is None:
        rarity = Rarity.of(read.total, {term: len(items) for term, items in read.hits.items()})
    scores = _scores(read.hits, rarity)
    if whole:
        total, items = _whole(scores, visible, limit, most)
    elif read.readable is None:
        total, items = _looked_up(scores, visible, until, limit, most)
    else:
        readable = {each: scores[each] for each in scores if each in read.readable}
        total, items = min(len(readable), most), _known(_best(readable, limit))
    if not items:
        return Found(rarity, total=total)
    ids = [row[0] for row in items]
    grades = [[*map(read.hits[term].get, ids)] for term in rarity.levels]
    candidates = Candidates.of([*map(scores.__getitem__, ids)], grades, items)
    return Found(rarity, candidates, total)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the index has: `total` items in the scopes, to 10,000, and those with each term.

    `readable` are the ids of all that may be read, None where they are to be looked up.
    """

    hits: Hits
    total: int
    readable: set[int] | None


def _read(terms: Sequence[str], scopes: Sequence[str] | None, visible: Visible | None) -> _Read:
    """The terms' lists; with `visible`, what it shows where to read it all is worth it."""
    known = _totals.find(scopes)
    total, counted = ("%s", [known]) if known is not None else _counting(scopes)
    readable, parameters = "NULL", []
    if visible is not None:
        readable = _READABLE.format(visible=visible.sql, most=MOST_COUNTED, times=_TIMES)
        parameters = [*visible.parameters]
    statement = _HITS.format(
        lists=" UNION ALL ".join(_LIST for _ in terms),
        readable=readable,
        total=total,
    )
    lists = [json.dumps([*_words(term, scopes)]) for term in terms]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*lists, *parameters, *counted])
        *found, (many, ids) = cursor.fetchall()
    _totals.keep(scopes, many)
    hits = {
        term: dict(zip(_numbers(items), grades or "", strict=True))
        for term, (items, grades) in zip(terms, found, strict=True)
    }
    return _Read(hits, many, None if ids is None else set(_numbers(ids)))


def _counting(scopes: Sequence[str] | None) -> tuple[str, list[str]]:
    """What counts the items in the scopes, with its parameters."""
    if scopes is None:
        return _TOTAL.format(everything="SELECT 1 FROM items_item", most=MOST_COUNTED), []
    everything = f"SELECT 1 {_MATCH}"
    return _TOTAL.format(everything=everything, most=MOST_COUNTED), [_either(map(_word, scopes))]


def _best(scores: Mapping[int, int], count: int) -> list[int]:
    """The items with the highest scores, best first; of equal ones the oldest."""
    items: Iterable[int] = scores
    if len(scores) > 2 * count:
        least = sorted(scores.values(), reverse=True)[count]
        items = [item for item, score in scores.items() if score >= least]
    return sorted(sorted(items), key=scores.__getitem__, reverse=True)[:count]


def _whole(
    scores: Mapping[int, int], visible: Visible, limit: int, most: int
) -> tuple[int, list[tuple[Any, ...]]]:
    """The same where all of the items are visible: no more than the best ones is looked up."""
    best = _best(scores, limit)
    with connection.cursor() as cursor:
        cursor.execute(_BEST.format(visible=visible.sql), [json.dumps(best), *visible.parameters])
        items: list[tuple[Any, ...]] = cursor.fetchall()
    if len(items) < len(best):  # the index is behind
        return _looked_up(scores, visible, None, limit, most)
    return min(len(scores), most), items


def _looked_up(
    scores: Mapping[int, int], visible: Visible, until: datetime | None, limit: int, most: int
) -> tuple[int, list[tuple[Any, ...]]]:
    """How many of the items there are, to `most`, and the columns of the best ones."""
    if not scores:
        return 0, []
    statement = _FOUND.format(visible=visible.sql, columns=_ITEM, most=most)
    moment = connection.ops.adapt_datetimefield_value(until)
    answer: list[tuple[Any, ...]] = []
    # Nearly always there are enough among the first ones.
    for count in dict.fromkeys((min(_TRIES * most, len(scores)), len(scores))):
        best = json.dumps(_best(scores, count))
        with connection.cursor() as cursor:
            cursor.execute(statement, [best, *visible.parameters, moment, limit])
            answer = cursor.fetchall()
        if answer[0][0] >= most:
            break
    return answer[0][0], [row[1:] for row in answer if row[1] is not None]


def _known(item_ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """The columns of items that may be read."""
    if not item_ids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN.format(columns=_ITEM), [json.dumps(item_ids)])
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _numbers(joined: str | None) -> list[int]:
    """Numbers that SQLite has joined with commas, read in the fastest way there is."""
    numbers: list[int] = json.loads(f"[{joined or ''}]")
    return numbers


def _scores(hits: Hits, rarity: Rarity) -> dict[int, int]:
    """What each item with one of the terms scores."""
    scores: dict[int, int] = {}
    for term in rarity.levels:
        points, items = rarity.points(term), hits[term]
        if not scores:
            scores = {item_id: points[grade] for item_id, grade in items.items()}
            continue
        for item_id, grade in items.items():
            scores[item_id] = scores.get(item_id, 0) + points[grade]
    return scores


def _words(term: str, scopes: Sequence[str] | None) -> Iterable[str]:
    """The term as the index holds it in each of the scopes; None: in all of them."""
    return [term] if scopes is None else [_word(scope, term) for scope in scopes]


def _word(scope: str, term: str = "") -> str:
    """A term in a scope, or the scope alone."""
    return f"{scope}{AFTER_SCOPE}{term}"


def _either(words: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)
