"""The place in an item that a query has found, as one short line.

Of a long text only as much is read as it takes to find a place: its first 32,000
characters come with the list, and what follows in larger steps, where nothing before has
a word of the query.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from django.db.models.functions import Substr

from conderis.common.json import JsonObject
from conderis.common.text import cut_at_word
from items import parts
from items.models import Item
from items.search.documents import GIST, HEADING
from items.search.words import has_term, run_terms, runs
from items.state import searchable

MAX_EXCERPT = 160  # characters
BEFORE = 40  # of them before the match
LONG = 1000  # characters of a text of which the section is told
FIRST = 32_000  # characters of a content that come with the list
STEP = 160_000  # that are read at once after them
_EDGE = 400  # at the end of what was read, looked at again with what follows
_REACH = 120  # characters within which matches count together
_LOOKED = 8_000  # characters of a text that are looked through word by word
_TRIES = 8  # places of a word that are looked at
_PLAIN_WORD = re.compile(r"[A-Za-z]{1,64}(?=[\s,;!?)]|[.:]?(?:\s|\Z))")
_RUN = 100  # characters around a place within which its run lies
# How names are spelled whose terms are no beginnings of them.
_SPELLED = {"cplusplu": "c++", "gplusplu": "g++", "csharp": "c#", "fsharp": "f#", "jsharp": "j#",
            "dotnet": ".net"}  # fmt: skip


class _Place(NamedTuple):
    offset: int
    term: str


@dataclass(slots=True)
class _Reading:
    """A content of which nothing that was read so far has a word of the query."""

    texts: Mapping[str, str]
    read: str = field(default="")


def excerpts_of(rows: Sequence[Item], terms: Collection[str]) -> dict[int, JsonObject]:
    """By primary key `match`, and in a long text the `section` it stands in.

    The rows' content may be its first 32,000 characters alone; the rest is read where it
    has to be, for all of them at once.
    """
    found: dict[int, JsonObject] = {}
    reading: dict[int, _Reading] = {}
    for row in rows:
        texts = searchable(row)
        shown = _found_in(texts, terms)
        if shown is not None:
            found[row.pk] = shown
        else:
            reading[row.pk] = _Reading(texts, texts.get("content", ""))
    unfinished = {pk: each for pk, each in reading.items() if len(each.read) >= FIRST}
    while unfinished:
        found |= _read_on(unfinished, terms)
    for pk, each in reading.items():
        if pk not in found:
            found[pk] = _otherwise(each.texts, terms)
    return found


def _read_on(reading: dict[int, _Reading], terms: Collection[str]) -> dict[int, JsonObject]:
    """What is found in the next step of these contents, all of them read as far.

    Leaves in `reading` what has neither been found nor ended.
    """
    start = len(next(iter(reading.values())).read)
    rows = Item.objects.filter(pk__in=list(reading), locked_at__isnull=True)
    steps = dict(rows.values_list("pk", Substr("content", start + 1, STEP)))
    found: dict[int, JsonObject] = {}
    for pk, each in list(reading.items()):
        step = steps.get(pk, "")
        ended = len(step) < STEP
        before = each.read[-FIRST:]
        again = before[-_EDGE - _RUN :]
        places = _spelled_alike(again + step, terms)
        if not ended:
            places = _before(places, len(again) + len(step) - _EDGE)
        if places:
            found[pk] = _shown(before + step, _best(places) + len(before) - len(again))
        each.read += step
        if places or ended:
            del reading[pk]
    return found


def _found_in(texts: Mapping[str, str], terms: Collection[str]) -> JsonObject | None:
    """The body goes first, since summary and title are shown beside it."""
    for text in _bodies_first(texts):
        places = _spelled_alike(text, terms)
        if text is texts.get("content") and len(text) >= FIRST:
            places = _before(places, len(text) - _EDGE)
        if places:
            return _shown(text, _best(places))
    return None


def _before(places: Iterable[_Place], end: int) -> list[_Place]:
    """The places before an edge: behind it, what follows them has not been read."""
    return [place for place in places if place.offset < end]


def _otherwise(texts: Mapping[str, str], terms: Collection[str]) -> JsonObject:
    """Where words stand that are spelled otherwise than their terms; else the beginning.

    The place may not be found again, since the item may just have been changed.
    """
    ordered = _bodies_first(texts)
    for text in ordered:
        places = _word_by_word(text[:_LOOKED], terms)
        if places:
            return _shown(text, _best(places))
    others = [texts[name] for name in (*GIST, *HEADING) if name in texts]
    return {"match": excerpt(next(filter(None, [*others, *ordered]), ""), 0)}


def _bodies_first(texts: Mapping[str, str]) -> list[str]:
    bodies = [text for name, text in texts.items() if name not in (*HEADING, *GIST)]
    return [*bodies, *(texts[name] for name in (*GIST, *HEADING) if name in texts)]


def _shown(text: str, offset: int) -> JsonObject:
    section = _section(text, offset) if len(text) > LONG else None
    return {"match": excerpt(text, offset)} | ({"section": section} if section else {})


def excerpt(text: str, offset: int) -> str:
    """A line of at most 160 characters around the offset, cut at words."""
    head = " ".join(text[max(0, offset - 4 * BEFORE) : offset].split())
    if text[offset - 1 : offset].isspace():
        head += " "
    if len(head) > BEFORE or offset > 4 * BEFORE:
        head = head[-BEFORE:]
        head = "…" + head[head.find(" ") + 1 :]
    return head.lstrip() + cut_at_word(text[offset:], MAX_EXCERPT - len(head))


def _best(places: Sequence[_Place]) -> int:
    """The offset of the first of where most of the terms stand together."""
    if len(places) == 1:
        return places[0].offset
    ordered = sorted(places)
    many = len({term for _, term in ordered})
    near: Counter[str] = Counter()
    best, offset, end = 0, 0, 0
    for at, term in ordered:
        while end < len(ordered) and ordered[end][0] < at + _REACH:
            near[ordered[end][1]] += 1
            end += 1
        if len(near) > best:
            best, offset = len(near), at
            if best == many:
                break
        near[term] -= 1
        if not near[term]:
            del near[term]
    return offset


def _spelled_alike(text: str, terms: Collection[str]) -> list[_Place]:
    """Some places where the text goes on as a term begins, in a run that has it.

    Not all: some words begin otherwise than their stems.
    """
    lowered = text.lower()
    if not lowered.isascii():
        lowered = lowered.translate(_plain_letters())
    if len(lowered) != len(text):
        return []
    places: list[_Place] = []
    for term in terms:
        beginning = _beginning(term)
        at = lowered.find(beginning)
        for _ in range(_TRIES):
            if at < 0:
                break
            if has_term(_run_at(text, at), term):
                places.append(_Place(at, term))
                if len(terms) == 1:
                    return places  # the first is the best
            at = lowered.find(beginning, at + 1)
    return places


@lru_cache(maxsize=1_000)
def _beginning(term: str) -> str:
    """How words begin that have this term: their stem, without an ending of its own."""
    if term in _SPELLED:
        return _SPELLED[term]
    return term[:-1] if len(term) > 3 and term[-1] in "ei" else term


@cache
def _plain_letters() -> dict[int, str]:
    """For Latin letters with diacritics those without."""
    plain: dict[int, str] = {}
    for point in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        letter = unicodedata.normalize("NFKD", chr(point))[0]
        if letter.isascii() and letter.isalpha():
            plain[point] = letter
    return plain


def _run_at(text: str, at: int) -> str:
    """The run that goes through a place, as far as it is near."""
    if at == 0 or text[at - 1] in " \n":
        plain = _PLAIN_WORD.match(text, at)
        if plain is not None:
            return plain.group()
    start = max(text.rfind(blank, max(0, at - _RUN), at) + 1 for blank in " \n")
    start = max(start, at - _RUN, 0)
    for offset, run in runs(text[start : at + _RUN]):
        if start + offset + len(run) > at:
            return run if start + offset <= at else ""
    return ""


def _word_by_word(text: str, terms: Collection[str]) -> list[_Place]:
    wanted = frozenset(terms)
    return [
        _Place(offset, term)
        for offset, run in runs(text)
        for term in wanted.intersection(run_terms(run))
    ]


def _section(text: str, offset: int) -> str | None:
    """The heading that the place stands under."""
    line_end = text.find("\n", offset)
    headings = parts.outline(text[: line_end if line_end >= 0 else len(text)])
    return headings[-1].title if headings else None
