"""The check of near-duplicates: memories that repeat an earlier one in nearly the same words.

Only the latest 500 are compared, and of those only pairs that share a rare word:
what says nearly the same shares nearly all of its words, the rare ones too. A pair that
somebody has related is settled, whatever the relation.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from django.db.models import Case, CharField, Q, QuerySet, Value, When
from django.db.models.functions import Left

from conderis.common.prepared import Prepared
from items.hygiene.base import Found
from items.hygiene.rows import shared_rows
from items.hygiene.survey import Survey
from items.hygiene.wording import words
from items.kept import MOST_KEPT
from items.kinds.memory import MEMORY
from items.models import Item, Relation
from items.similar import MAX_COMPARED, Said, nearly_the_same

MOST_COMPARED = 500  # memories with the latest change
RARE_WORDS = 4  # of each memory, by which pairs are found
NEIGHBOURS = 4  # that each memory is compared with among those that share a word
MOST_PAIRS = 10_000
MOST_MEASURED = 500  # pairs that are measured as similar ones are
WORDS_IN_COMMON = 0.4  # share of their words, below which they need not be measured


class _Memory(NamedTuple):
    pk: int
    number: int
    parent: int | None
    text: str
    words: frozenset[str]


class _Compared(NamedTuple):
    """Which pairs were alike, later and earlier, and how much; and the numbers of both.

    `of` stands for all that was compared: what says the same again need not be. No text.
    """

    of: int
    alike: Mapping[tuple[int, int], float]
    numbers: Mapping[int, int]


_compared: OrderedDict[int, _Compared] = OrderedDict()
_lock = Lock()


def near_duplicates(survey: Survey) -> Sequence[Found]:
    """Memories that repeat an earlier one, each with the earlier one that is most like it."""
    said = _said(survey)
    found = _compared.get(survey.project.pk)
    if found is None or found.of != hash(said):
        found = _compare(said)
        _keep(survey.project.pk, found)
    alike, numbers = found.alike, found.numbers
    settled = _settled(alike)
    best: dict[int, tuple[float, int]] = {}
    for (later, earlier), share in alike.items():
        if (later, earlier) not in settled:
            best[later] = min(best.get(later, (0.0, 0)), (-share, numbers[earlier]))
    return sorted(Found(numbers[pk], (number,)) for pk, (_, number) in best.items())


def compared(survey: Survey) -> int:
    """How many memories are compared."""
    return min(survey.memories, MOST_COMPARED)


def _said(survey: Survey) -> tuple[tuple[Any, ...], ...]:
    """The memories to compare: key, number, parent, and what each says."""
    if survey.memories < 2:
        return ()
    rows = _texts().rows(project=survey.project.pk)
    return tuple(row for row in rows if row[1] in survey.numbers)


def _compare(memories: tuple[tuple[Any, ...], ...]) -> _Compared:
    alike: dict[tuple[int, int], float] = {}
    numbers: dict[int, int] = {}
    measured = 0
    for one, other in _pairs(_sorted(memories)):
        first, second = sorted((one, other), key=lambda memory: memory.number)
        share = 1.0
        if one.text != other.text:
            measured += 1
            share = nearly_the_same(one.text, other.text) if measured <= MOST_MEASURED else 0.0
        if share:
            alike[second.pk, first.pk] = share
            numbers |= {first.pk: first.number, second.pk: second.number}
    return _Compared(hash(memories), alike, numbers)


def _keep(project: int, found: _Compared) -> None:
    with _lock:
        _compared[project] = found
        _compared.move_to_end(project)
        while len(_compared) > MOST_KEPT:
            _compared.popitem(last=False)


def _sorted(memories: tuple[tuple[Any, ...], ...]) -> list[_Memory]:
    """The memories with their words, by their text."""
    found = []
    for pk, number, parent, *said in memories:
        text = Said(*said).text.casefold()
        found.append(_Memory(pk, number, parent, text, words(text)))
    return sorted(found, key=lambda each: (each.text, each.number))


def _pairs(memories: Sequence[_Memory]) -> Iterator[tuple[_Memory, _Memory]]:
    """Pairs worth comparing: neighbours by text, and those that share a rare word."""
    common = Counter(word for each in memories for word in each.words)
    sharing: dict[str, list[_Memory]] = {}
    for each in memories:
        shared = sorted((common[word], word) for word in each.words if common[word] > 1)
        for _, word in shared[:RARE_WORDS]:
            sharing.setdefault(word, []).append(each)
    seen: set[tuple[int, int]] = set()
    for group in (memories, *sharing.values()):
        for place, one in enumerate(group):
            for other in group[place + 1 : place + 1 + NEIGHBOURS]:
                pair = (one.pk, other.pk)
                if pair in seen:
                    continue
                seen.add(pair)
                if len(seen) > MOST_PAIRS:
                    return
                if _may_be_alike(one, other):
                    yield one, other


def _may_be_alike(one: _Memory, other: _Memory) -> bool:
    if other.pk == one.parent or one.pk == other.parent:
        return False  # a bag's summary says what is in it
    both = len(one.words & other.words)
    return both >= WORDS_IN_COMMON * (len(one.words) + len(other.words) - both)


def _settled(pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of the pairs that have a relation, in either order."""
    ids = sorted({pk for pair in pairs for pk in pair}) or [0]
    related = _related().rows(ids=ids)
    return {pair for one, other in related for pair in ((one, other), (other, one))}


@cache
def _related() -> Prepared[tuple[Any, ...]]:
    def build(ids: Sequence[int]) -> QuerySet[Relation, tuple[Any, ...]]:
        rows = Relation.objects.filter(source__in=ids, target__in=ids)
        return rows.order_by().values_list("source_id", "target_id")

    return Prepared(build, ids=list)


@cache
def _texts() -> Prepared[tuple[Any, ...]]:
    def build(project: int) -> QuerySet[Item, tuple[Any, ...]]:
        beginning = Case(
            When(Q(summary=""), then=Left("content", 4 * MAX_COMPARED)),
            default=Value(""),
            output_field=CharField(),
        )
        rows = shared_rows(project).filter(kind=MEMORY.name).order_by("-changed", "-pk")
        found = rows.annotate(beginning=beginning)
        return found.values_list("pk", "number", "parent_id", "title", "summary", "beginning")[
            :MOST_COMPARED
        ]

    return Prepared(build, project=int)
