"""What says nearly the same as a memory: a hint, never a refusal.

The index gives the rows that share most of its terms; their words decide, in Python, so
that both databases answer alike. Two say nearly the same where most words that carry a
meaning are in both, and not each has one that the other lacks: another port, service or
day makes it another fact, half a sentence more does not. Paraphrases in other words are
beyond it. `manage.py bench_recall` prints what it finds of pairs labelled by hand.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.common.text import cut_at_word, without_heading
from items.access import Place, place_of, reference_of
from items.change import Change
from items.entries import MAX_BEGINNING
from items.expiry import SESSION_DAYS, expired_q
from items.kinds.base import Kind
from items.kinds.memory import MEMORY
from items.kinds.registry import kind_of
from items.models import Item
from items.search import personal_scopes, project_scopes
from items.search.backends import backend
from items.search.relevance import Rarity
from items.search.stems import stem
from items.search.words import STOP_WORDS, query_terms, run_terms, runs
from projects.capabilities import Use

FIELDS = frozenset(("title", "summary", "content"))  # a change of one of these asks
MOST = 3  # that are shown
LEAST = 0.6  # the share of words in common from which on two say nearly the same
TERMS = 12  # of the text, the longest, by which the rows are found
CANDIDATES = 20  # rows that are compared
MAX_COMPARED = 300  # characters of the content, where there is no summary
MIN_BEGUN = 5  # letters of a word that another one begins with, to count as that word
_LOADED = 4 * MAX_COMPARED + 4  # of it, since runs of blanks count as one
_WORD = re.compile(r"[^\W_]+")
# Words that are put for one another without making another fact.
_WORDS = """
always amount count every first get give go instead keep latest live make name new number
one put run see set since still sure take thing use way whenever
"""
_EMPTY = STOP_WORDS | frozenset(map(stem, _WORDS.split()))


@dataclass(frozen=True, slots=True)
class Said:
    """What an item says, as far as it is compared and shown."""

    title: str
    summary: str
    content: str  # how it begins

    @property
    def text(self) -> str:
        """The title, and the summary or the content's beginning, to be compared."""
        return f"{self.title}\n{self._gist(MAX_COMPARED)}"

    @property
    def shown(self) -> JsonObject:
        """Title and summary as lists show them."""
        gist = self._gist(MAX_BEGINNING)
        return {"title": self.title, **({"summary": gist} if gist else {})}

    def _gist(self, limit: int) -> str:
        return self.summary or cut_at_word(without_heading(self.content, self.title), limit)


def similar_to(
    caller: Caller,
    project_id: str | None,
    *,
    title: str,
    summary: str = "",
    content: str = "",
    number: int | None = None,
) -> list[JsonObject]:
    """At most three memories there that say nearly the same as this text, best first.

    Each has `number` or `ref`, `title` and `summary`. Of the project, or without one the
    caller's own. `number` is the memory that the text is of, if it is stored: neither it
    nor its bag or children are shown.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key has not the scope to read, or no personal memories.
    """
    place = place_of(caller, project_id, use=Use.READ)
    item = Item(kind=MEMORY.name)
    if number is not None:
        item = place.items().filter(number=number, kind=MEMORY.name).first() or item
    return _similar(place, item, Said(title, summary, content))


def similar_after(change: Change) -> JsonObject:
    """`similar`: at most three that say nearly the same as what was stored, best first.

    Nothing where there is none, where the kind is not compared, or where the change left
    the words alone. Costs three statements at most.
    """
    item = change.item
    if not change.kind.compared or not (change.creates or FIELDS.intersection(change.content)):
        return {}
    entries = _similar(change.place, item, Said(item.title, item.summary, item.content))
    return {"similar": entries} if entries else {}


def similarity(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1; `LEAST` says the same.

    0 where each says something that the other does not say.
    """
    mine, others = _stems(one), _stems(other)
    both = mine & others
    if not both or (_lacking(mine - both, others) and _lacking(others - both, mine)):
        return 0.0
    return len(both) / len(mine | others)


def nearly_the_same(one: str, other: str) -> float:
    """Their `similarity` where it is `LEAST` or more, else 0: most pairs cost a look at once."""
    mine, others = _stems(one), _stems(other)
    if len(mine & others) < LEAST * len(mine | others):
        return 0.0
    share = similarity(one, other)
    return share if share >= LEAST else 0.0


def likeness(one: str, other: str) -> float:
    """The share of trigrams that two texts have in common, from 0 to 1, as in `pg_trgm`."""
    trigrams, others = _trigrams(one), _trigrams(other)
    return len(trigrams & others) / (len(trigrams | others) or 1)


def _similar(place: Place, item: Item, said: Said) -> list[JsonObject]:
    terms = sorted(query_terms(said.text), key=lambda term: (-len(term), term))[:TERMS]
    if not terms:
        return []
    # Plain counts of shared terms: who says nearly the same has most of them, however
    # rare each may be. Asking for their rarity would cost a statement more.
    rows = _comparable(place, item)
    found = backend().found(
        rows,
        terms,
        _scopes(place, kind_of(item.kind)),
        rarity=Rarity(dict.fromkeys(terms, 1)),
        until=None,
        limit=CANDIDATES,
        most=CANDIDATES,
    )
    if not found.candidates.ids:
        return []
    return _nearest(said, rows.filter(pk__in=found.candidates.ids))


def _comparable(place: Place, item: Item) -> QuerySet[Item]:
    """The rows that the caller may be shown: live ones, and no kin of the item."""
    days = place.project.session_days if place.project is not None else SESSION_DAYS
    rows = place.items().filter(
        ~expired_q(timezone.now(), days),
        kind=item.kind,
        archived_at__isnull=True,
        locked_at__isnull=True,
    )
    kin = [pk for pk in (item.pk, item.parent_id) if pk is not None]
    rows = rows.exclude(pk__in=kin)
    return rows if item.is_new else rows.exclude(parent=item.pk)


def _scopes(place: Place, kind: Kind) -> list[str]:
    closed_too = bool(kind.statuses)
    if place.project is None:
        return personal_scopes(place.caller, [kind], everything=closed_too)
    return project_scopes(place.caller, [place.project.pk], [kind], everything=closed_too)


def _nearest(said: Said, rows: QuerySet[Item]) -> list[JsonObject]:
    near: list[tuple[float, int, int, JsonObject]] = []
    rows = rows.order_by().annotate(beginning=Substr("content", 1, _LOADED))
    columns = ("pk", "number", "public_id", "kind", "title", "summary", "beginning")
    for pk, number, public_id, kind, title, summary, beginning in rows.values_list(*columns):
        other = Said(title, summary, beginning)
        share = nearly_the_same(said.text, other.text)
        if share:
            row = Item(number=number, public_id=public_id, kind=kind)
            entry = {**reference_of(row), **other.shown}
            like = share + likeness(said.text, other.text)
            near.append((-like, number or 0, pk, entry))
    return [entry for *_, entry in sorted(near, key=lambda each: each[:3])[:MOST]]


@lru_cache(maxsize=100)
def _stems(text: str) -> frozenset[str]:
    """The terms of a text that carry a meaning; all of them where none does."""
    terms = frozenset(term for _, run in runs(text) for term in run_terms(run))
    return terms - STOP_WORDS or terms


def _lacking(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one of the words says something that the other text does not say."""
    return any(word not in _EMPTY and not _begun(word, other) for word in words)


def _begun(word: str, others: frozenset[str]) -> bool:
    """Whether a word is in another form among others; numbers have none."""
    return word.isalpha() and any(
        other.isalpha()
        and min(len(word), len(other)) >= MIN_BEGUN
        and (word.startswith(other) or other.startswith(word))
        for other in others
    )


def _trigrams(text: str) -> frozenset[str]:
    """The trigrams of a text's words, each padded with two blanks before and one behind."""
    return frozenset().union(*map(_of_word, _WORD.findall(text.casefold())))


@lru_cache(maxsize=10_000)
def _of_word(word: str) -> tuple[str, ...]:
    padded = f"  {word} "
    return tuple(padded[at : at + 3] for at in range(len(word) + 1))
