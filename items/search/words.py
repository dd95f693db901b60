"""The terms of a text: what the index holds of it, and what a query is looked up by.

A text is cut into *runs* (`src/api/http_client.py`, `don't`, `重跑gen-itgc`), and each
run gives terms: its words in lower case as English stems, without Latin and Greek diacritics; the
parts of identifiers (`getUserById`, `http_client`) and each of them as a whole; the
names `C++`, `C#` and `.NET`; and of scripts without blanks every two characters that
stand side by side. Terms are letters, digits and marks only, so that they can stand in
any query language. Pure functions without a database.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise

import regex

from items.search.stems import stem

MAX_TERM = 64  # characters; of longer words the beginning counts
MAX_TERMS = 32  # of a query
MAX_DISTINCT = 900_000  # bytes of the different terms of a text; PostgreSQL takes 1 MB
MAX_REPEATED = 5  # more of the same in one field do not say more
_MAX_PARTS = 8  # an identifier of more parts is data
_MAX_CACHED = 100  # characters

_PAIRED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー々"
_SIGN = r"\p{L}\p{N}\p{M}"
# Soft hyphens, zero-width and direction marks, tags: not to be seen, so not to be found.
_INVISIBLE = regex.compile(r"[\p{Cf}]+")
_RUN = regex.compile(rf"[{_SIGN}\p{{Cf}}.#][{_SIGN}\p{{Cf}}_.'’+#@/\\:&‐‑-]*")
_MARKS = regex.compile(r"(?<=[A-Za-z\p{Greek}])\p{Mn}+")
_POSSESSIVE = regex.compile(r"['’]s(?![\p{L}\p{N}])", regex.IGNORECASE)
_ELIDED = regex.compile(r"(?<!\p{L})([cdjlmnst])['’](?=\p{L}\p{L})", regex.IGNORECASE)
_SEGMENT = regex.compile(r"[\s/\\:@&+#]+")
_JOINED = regex.compile(r"[_.‐‑-]+")
_PART = regex.compile(r"\.+")
_WORD = regex.compile(rf"[{_SIGN}]+")
_PAIRED_OR_NOT = regex.compile(rf"[{_PAIRED}\p{{M}}]+|[^{_PAIRED}]+")
_IS_PAIRED = regex.compile(rf"[{_PAIRED}]")
_HUMP = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})")
_NAMES = (
    (regex.compile(r"(?<![a-z\d])([cg])\+\+", regex.IGNORECASE), r"\1plusplus "),
    (regex.compile(r"(?<![a-z\d])([cfj])#", regex.IGNORECASE), r"\1sharp "),
    (regex.compile(r"(?<![a-z\d])\.net(?![a-z\d])", regex.IGNORECASE), " dotnet net "),
)

STOP_WORDS = frozenset(
    stem(word)
    for word in (
        "a about after again all also am an and any are aren't as at be because been before "
        "being between both but by can can't cannot could couldn't did didn't do does doesn't "
        "doing don't down during each few for from further had has have having he her here "
        "hers him his how i i'm i've if in into is isn't it it's its itself just me more most "
        "my no nor not now of off on once only or other our ours out over own same she should "
        "shouldn't so some such than that that's the their theirs them then there these they "
        "this those through to too under until up us very was wasn't we were weren't what "
        "what's when where which while who whom whose why will with won't would wouldn't you "
        "your yours"
    )
    .replace("'", "")
    .split()
)


def runs(text: str) -> Iterator[tuple[int, str]]:
    """Each run of a text with its offset in code points."""
    for found in _RUN.finditer(text):
        yield found.start(), found.group()


def run_terms(run: str) -> tuple[str, ...]:
    """The terms of one run in their order; a term stands as often as it occurs."""
    return _cached_terms(run) if len(run) <= _MAX_CACHED else _terms(run)


def has_term(run: str, term: str) -> bool:
    """Whether a run is found by a term."""
    return term in run_terms(run) or (
        len(term) == 1 and term in run and bool(_IS_PAIRED.search(term))
    )


def query_terms(query: str) -> list[str]:
    """The terms that a query is looked up by, at most 32, each once.

    Stop words are left out, unless there is nothing else.
    """
    found: dict[str, None] = {}
    spare: dict[str, None] = {}
    for _, run in runs(query):
        for term in run_terms(run):
            (spare if term in STOP_WORDS else found)[term] = None
        if len(found) >= MAX_TERMS:
            break
    return list(found or spare)[:MAX_TERMS]


def indexed_text(texts: Iterable[str]) -> str:
    """The texts as the index holds them: their terms, repeated as often as counts.

    Every term has a blank of its own on either side, so that counting ` term ` in it
    counts its occurrences. Of very long texts the beginning is taken.
    """
    found: Counter[str] = Counter()
    for text in texts:
        for run, times in Counter(run for _, run in runs(text)).items():
            for term, again in Counter(run_terms(run)).items():
                found[term] += times * again
    sizes = accumulate(len(term.encode()) for term in found)
    kept = {
        term: times
        for (term, times), size in zip(found.items(), sizes, strict=True)
        if size <= MAX_DISTINCT
    }
    # So that one sign finds the pairs that it stands in.
    signs = Counter(sign for term in kept if _is_pair(term) for sign in term)
    for sign, times in signs.items():
        kept.setdefault(sign, times)
    return "".join(marked(term) * min(times, MAX_REPEATED) for term, times in kept.items())


def marked(term: str) -> str:
    """A term as it stands in a text as the index holds it."""
    return f" {term} "


def occurrences(term: str, indexed: str) -> int:
    """How often a term stands in a text as the index holds it."""
    return indexed.count(marked(term))


def _is_pair(term: str) -> bool:
    return len(term) == 2 and not term.isascii() and bool(_IS_PAIRED.search(term))


@lru_cache(maxsize=50_000)
def _cached_terms(run: str) -> tuple[str, ...]:
    return _terms(run)


def _terms(run: str) -> tuple[str, ...]:
    if run.isalpha() and run.isascii() and run.islower():
        return (stem(run[:MAX_TERM]),)
    text = _folded(run)
    for name, instead in _NAMES:
        text = name.sub(instead, text)
    return tuple(
        term for segment in _SEGMENT.split(text) if segment for term in _segment_terms(segment)
    )


def _folded(text: str) -> str:
    """The text as it looks to a reader who does not mind diacritics and widths."""
    visible: str = _INVISIBLE.sub("", text)
    if "'" in visible or "’" in visible:
        visible = _ELIDED.sub(r"\1 ", _POSSESSIVE.sub("", visible))
        visible = visible.replace("'", "").replace("’", "")
    if visible.isascii():
        return visible
    plain: str = _MARKS.sub("", unicodedata.normalize("NFKD", visible))
    return unicodedata.normalize("NFC", plain)


def _segment_terms(segment: str) -> Iterator[str]:
    """The words of `http_client.py`, and what is joined in it: httpclient, httpclientpy."""
    words = _words(segment)
    for word in words:
        yield from _word_terms(word)
    if 1 < len(words) <= _MAX_PARTS:
        wholes = dict.fromkeys(_joined(_words(part)) for part in _PART.split(segment))
        wholes[_joined(words)] = None
        yield from (whole for whole in wholes if whole)


def _words(segment: str) -> list[str]:
    return [word for part in _JOINED.split(segment) for word in _WORD.findall(part)]


def _joined(words: list[str]) -> str:
    """Several words as one term, or nothing. `3.11` and `311` are two terms."""
    if len(words) < 2 or any(_IS_PAIRED.search(word) for word in words):
        return ""
    whole = words[0]
    for before, word in pairwise(words):
        numbers = before[-1].isdecimal() and word[0].isdecimal()
        whole += f"p{word}" if numbers else word
    return stem(whole.casefold()) if len(whole) <= MAX_TERM else ""


def _word_terms(word: str) -> Iterator[str]:
    if word.isascii() and (word.islower() or word.isdecimal()):
        yield stem(word[:MAX_TERM])
        return
    for piece in _PAIRED_OR_NOT.findall(word):
        yield from _pairs(piece) if _IS_PAIRED.search(piece) else _plain_terms(piece)


def _pairs(piece: str) -> list[str]:
    if len(piece) == 1:
        return [piece]
    return [piece[place : place + 2] for place in range(len(piece) - 1)]


def _plain_terms(word: str) -> list[str]:
    """A word, or the parts of `getUserById` and the whole of it."""
    whole = stem(word[:MAX_TERM].casefold())
    parts = _HUMP.split(word[: MAX_TERM + 1])
    if 1 < len(parts) <= _MAX_PARTS:
        return [*(stem(part.casefold()) for part in parts), whole]
    return [whole]
