"""Searching rows: which of them match a query, which are the best, page after page.

A list by relevance begins with the ten items that fit best together with what stands
beside them (`items.search.context`); all others follow by their own words.

A walk holds while others write: a cursor carries which ten come first, the rarities of
the words, the moment of the first page and the place of the last entry. Items changed
since that moment are left out, and what all others score by themselves stays what it
was: an item that nobody touched keeps its place and is shown once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nsmallest
from itertools import islice
from operator import neg
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from conderis.common.cursors import Binding, Value, read_cursor, write_cursor
from conderis.common.json import Json
from conderis.common.paging import MAX_TOTAL, Page, read_limit
from conderis.common.text import expect_text, refuse_long
from items.models import Item
from items.search.backends import backend
from items.search.candidates import Found, Rows
from items.search.context import scores_in_context
from items.search.relevance import Rarity
from items.search.words import query_terms

MAX_QUERY = 5000  # characters
BEST = 200  # where a list by relevance ends
HEAD = 10  # entries that come first by context, few enough for a cursor
CANDIDATES = BEST  # items that are scored
# Matching items that are looked at where they are counted: of more, lists say "more".
COUNTED = MAX_TOTAL + 1
# What the values of a cursor mean; another scoring needs another name.
_ORDER = ("relevance", "3")
_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_MARK = 4  # signs of an item's mark
_PAIRS = [one + other for other in _SIGNS for one in _SIGNS]
_BITS = 12  # that two signs stand for
_LAST = len(_PAIRS) - 1

Scopes = Sequence[str] | None


class Hit(NamedTuple):
    """An item that matches; the higher the score, the better. Ties go by id."""

    item_id: int
    score: int

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands; smaller places come first."""
        return (-self.score, self.item_id)


@dataclass(frozen=True, slots=True)
class _Walk:
    """Where a walk by relevance stands, behind the entries that were shown.

    `head` are the marks of those that come first, of which `passed` are behind; `last` is
    the last one shown of those that follow, and `left` how many may yet be shown.
    """

    rarity: Rarity
    until: datetime
    head: tuple[str, ...]
    passed: int = 0
    last: Hit | None = None
    left: int = BEST

    def behind(self, shown: Sequence[Hit]) -> "_Walk":
        """The walk, some hits (never none) later."""
        mark, left = _mark(shown[-1].item_id), self.left - len(shown)
        if self.last is None and mark in self.head:
            return replace(self, passed=self.head.index(mark) + 1, left=left)
        return replace(self, passed=len(self.head), last=shown[-1], left=left)

    def following(self, hits: Sequence[Hit]) -> list[Hit]:
        """Those of all hits, best first, that are not yet behind, in the walk's order."""
        marked = {_mark(hit.item_id): hit for hit in hits}
        first = [marked[mark] for mark in self.head[self.passed :] if mark in marked]
        last = self.last
        others = [
            hit
            for mark, hit in marked.items()
            if mark not in self.head and (last is None or last.place < hit.place)
        ]
        return [*first, *others][: self.left]

    def values(self, terms: Sequence[str]) -> list[Value]:
        """The walk as a cursor carries it."""
        score, place = (self.last.score, self.last.item_id) if self.last else (None, self.passed)
        packed = self.rarity.packed(terms) + "".join(self.head)
        return [packed, self.until, score, place, self.left]

    @classmethod
    def read(cls, terms: Sequence[str], values: Sequence[Any]) -> "_Walk":
        """As `values` has written it for the same terms."""
        packed, until, score, place, left = values
        marks = packed[len(terms) :]
        head = tuple(marks[at : at + _MARK] for at in range(0, len(marks), _MARK))
        rarity = Rarity.unpacked(terms, packed[: len(terms)])
        if score is None:
            return cls(rarity, until, head, passed=place, left=left)
        return cls(rarity, until, head, len(head), Hit(place, score), left)


def read_query(value: Json) -> str | None:
    """The query sent; None where it is missing or blank.

    Raises:
        Invalid: it is no text.
        TooLarge: it is longer than 5,000 characters.
    """
    if value is None:
        return None
    query = expect_text(value, field="query")
    refuse_long(query, field="query", limit=MAX_QUERY)
    return query if query.strip() else None


def matching(rows: QuerySet[Item], query: str, scopes: Scopes) -> QuerySet[Item]:
    """Those of the rows that have a word of the query."""
    terms = query_terms(query)
    if not terms or _nowhere(scopes):
        return rows.none()
    return rows.filter(pk__in=backend().matching(terms, scopes))


def ranked(rows: Rows, query: str, scopes: Scopes) -> list[Hit]:
    """The best 200 of the rows, best first, each with what stands beside it."""
    terms = query_terms(query)
    if not terms or _nowhere(scopes):
        return []
    found = backend().found(
        rows, terms, scopes, rarity=None, until=None, limit=CANDIDATES, most=CANDIDATES
    )
    return _in_context(found)[:BEST]


def page_by_relevance(
    rows: Rows,
    query: str,
    scopes: Scopes,
    *,
    binding: Binding,
    limit: int | None = None,
    cursor: str | None = None,
) -> Page[int]:
    """The ids of the first `limit` rows that fit the query best, or those after the cursor.

    Raises:
        Invalid: the limit is out of bounds, or the cursor is not one of this list.
    """
    size = read_limit(limit)
    terms = query_terms(query)
    if cursor is None:
        walk, hits, total = _first_page(rows, terms, scopes, size)
    else:
        # Sealed, so what it holds is what `_Walk.values` has written.
        walk = _Walk.read(terms, read_cursor(binding, cursor, order=_ORDER))
        hits, total = _next_page(rows, walk, scopes)
    shown = hits[:size]
    next_cursor = None
    if walk is not None and len(hits) > size:
        next_cursor = write_cursor(binding, walk.behind(shown).values(terms), order=_ORDER)
    return Page(
        items=[hit.item_id for hit in shown],
        total=min(total, MAX_TOTAL),
        more=total > MAX_TOTAL,
        next_cursor=next_cursor,
    )


def _first_page(
    rows: Rows, terms: Sequence[str], scopes: Scopes, size: int
) -> tuple[_Walk | None, list[Hit], int]:
    """So many hits in their order, one more if there is one, and the walk they begin."""
    if not terms or _nowhere(scopes):
        return None, [], 0
    now = timezone.now()
    found = backend().found(
        rows, terms, scopes, rarity=None, until=None, limit=CANDIDATES, most=COUNTED
    )
    ids = found.candidates.ids
    if not ids:
        return None, [], found.total
    # A clock that is ahead of ours must not hide what this page has shown.
    until = max(now, found.newest)
    scores = scores_in_context(found.rarity, found.candidates)
    beside = zip(map(neg, scores), ids, strict=True)
    first = [item_id for _, item_id in nsmallest(HEAD, beside)]
    alone = sorted(zip(map(neg, found.candidates.scores), ids, strict=True))
    lower = {item_id: low for low, item_id in alone}
    ordered = dict.fromkeys((*first, *lower))
    walk = _Walk(found.rarity, until, tuple(map(_mark, first)))
    shown = islice(ordered, min(size + 1, BEST))
    return walk, [Hit(item_id, -lower[item_id]) for item_id in shown], found.total


def _next_page(rows: Rows, walk: _Walk, scopes: Scopes) -> tuple[list[Hit], int]:
    """The hits that are not yet behind."""
    rarity = walk.rarity
    found = backend().found(
        rows,
        [*rarity.levels],
        scopes,
        rarity=rarity,
        until=walk.until,
        limit=CANDIDATES,
        most=COUNTED,
    )
    return walk.following(_by_words(found)), found.total


def _by_words(found: Found) -> list[Hit]:
    """All that was found by its own words, best first."""
    return _hits(found, found.candidates.scores)


def _in_context(found: Found) -> list[Hit]:
    """The same with what stands beside each."""
    return _hits(found, scores_in_context(found.rarity, found.candidates))


def _hits(found: Found, scores: Sequence[int]) -> list[Hit]:
    """What was found, with these scores, best first."""
    ordered = sorted(zip(map(neg, scores), found.candidates.ids, strict=True))
    return [Hit(item_id, -lower) for lower, item_id in ordered]


def _mark(item_id: int) -> str:
    """An item's mark in a cursor: four signs that no two of some 16 million ids share.

    Of two among the candidates that did, one would be left out of a walk.
    """
    return _PAIRS[item_id & _LAST] + _PAIRS[item_id >> _BITS & _LAST]


def _nowhere(scopes: Scopes) -> bool:
    return scopes is not None and not scopes
