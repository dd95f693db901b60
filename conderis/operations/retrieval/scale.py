"""What a search takes among many items, alone and beside other projects.

All memories are made up, the same ones every time: words by Zipf's law, as in texts.
"""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import accumulate
from random import Random
from statistics import median

from django.db import connection, transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import create_owner
from conderis.common.caller import Caller, Surface
from conderis.common.json import JsonObject
from conderis.operations.retrieval.limits import MOST_MILLISECONDS, MOST_RATIO, Sizes
from items.kinds.memory import MEMORY
from items.listing import list_items
from items.models import Item
from items.requests import ListRequest
from items.search import rebuild
from projects.models import Project
from projects.services import create_project

WORDS = 6_000  # that texts are made of
TITLE, GIST, CONTENT = 5, 14, 40  # words of a memory
QUERIES = 60
TIMES = 3  # each query is asked; the fastest counts, since other work only adds
LEAST_RANK = 20  # a query is made of no words that are more common than this one
CHUNK = 500


class Words:
    """Made-up words, the first ones the most common."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - nothing secret
        syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
        made = Random(7)  # noqa: S311 - the same words for every seed
        self.known = ["".join(made.choices(syllables, k=made.randint(2, 4))) for _ in range(WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(2, WORDS + 2)))

    def text(self, count: int) -> str:
        """So many words."""
        return " ".join(self.random.choices(self.known, cum_weights=self._weights, k=count))

    def query(self) -> str:
        """Three words, none of the most common ones."""
        return " ".join(self.random.choice(self.known[LEAST_RANK:1_500]) for _ in range(3))


def measure_scale(sizes: Sizes, settle: Callable[[], object] | None = None) -> JsonObject:
    """Search one project, then make the others and search it again.

    `settle` indexes what was made (None: as it then stands in a database of its own).
    """
    settle = settle or settled
    with transaction.atomic():
        person = create_owner(Operator(), handle="scale", display_name="Sia Scale")
    caller = caller_of_person(person, Surface.COMMAND)
    project = make_project(caller, 0, sizes.items)
    settle()
    words = Words(99)
    queries = [words.query() for _ in range(QUERIES)]
    alone = measured(caller, project, queries)
    for place in range(1, sizes.others + 1):
        make_project(caller, place, sizes.others_items)
    settle()
    beside = measured(caller, project, queries)
    ratio = round(beside["median"] / alone["median"], 2)
    return {
        "items": sizes.items,
        "others": sizes.others,
        "othersItems": sizes.others_items,
        "alone": alone,
        "beside": beside,
        "ratio": ratio,
        "kept": {
            "milliseconds": alone["processor"] <= MOST_MILLISECONDS,
            "ratio": ratio <= MOST_RATIO,
        },
    }


def make_project(caller: Caller, place: int, count: int) -> Project:
    """A project of so many memories, not yet in the index."""
    words = Words(place)
    project: Project = create_project(caller, fields={"name": f"scale-{place}"})
    start = timezone.now() - timedelta(days=300)
    Item.objects.bulk_create(
        (
            Item(
                project=project,
                number=number,
                kind=MEMORY.name,
                author_id=caller.person_id,
                visibility="shared",
                category="fact",
                weight="normal",
                title=words.text(TITLE)[:80],
                summary=words.text(GIST)[:300],
                content=words.text(CONTENT),
                created=start + timedelta(minutes=number),
                changed=start + timedelta(minutes=number),
            )
            for number in range(1, count + 1)
        ),
        CHUNK,
    )
    project.last_number = count
    project.save(update_fields=["last_number"])
    return project


def settled() -> None:
    """Index what was made, and let the database learn how much there is."""
    rebuild()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "VACUUM ANALYZE items_item, items_searchdocument"
            )  # as its own daemon does, a minute later


def measured(caller: Caller, project: Project, queries: Sequence[str]) -> JsonObject:
    """Milliseconds of a search's first page of 20, over the queries: half, and 95 of 100.

    `processor` is half of them by the time of this process's processor: PostgreSQL's server
    is another process, and not in it.
    """
    list_items(caller, _request(project, queries[0]))
    found: list[float] = []
    worked: list[float] = []
    for query in queries:
        request = _request(project, query)
        times = [_milliseconds(caller, request) for _ in range(TIMES)]
        found.append(min(wall for wall, _ in times))
        worked.append(min(processor for _, processor in times))
    found.sort()
    return {
        "median": round(median(found), 2),
        "p95": round(found[len(found) * 95 // 100], 2),
        "processor": round(median(worked), 2),
    }


def _request(project: Project, query: str) -> ListRequest:
    return ListRequest(MEMORY.name, project_id=project.path, query=query)


def _milliseconds(caller: Caller, request: ListRequest) -> tuple[float, float]:
    """Of one search: by the clock, and of the processor."""
    start, worked = time.perf_counter(), time.process_time()
    list_items(caller, request)
    return (time.perf_counter() - start) * 1000, (time.process_time() - worked) * 1000
