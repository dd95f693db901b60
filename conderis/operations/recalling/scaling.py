"""How long a recall takes in a project of many memories."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from statistics import median
from time import perf_counter, process_time

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.operations.bench.texts import Writer
from conderis.operations.recalling.storing import make_caller
from items.kinds.memory import TYPES
from items.models import Item, Relation
from items.recall import recall
from items.requests import RecallRequest
from items.search import rebuild
from items.similar import similar_to
from projects.models import Project
from projects.services import create_project

MOST_MS = 30  # of the server's processor, of a recall with 10,000 memories
MOST_QUERIES = 14
RUNS = 30
TASKS, PAGES, BAGS, CRITICAL, LINKED = 300, 100, 60, 20, 40  # beside or among the memories
DAYS = 400
CHUNK = 500
FOCI = (
    "stale cache after a release",
    "Why do webhooks arrive twice in staging, and who retries them?",
    "time zone of the scheduler",
)


@dataclass(frozen=True, slots=True)
class Timed:
    """A call at scale: wall and processor milliseconds, and its statements.

    `least` is the fastest of each text's runs, for the slowest text: other work on the
    machine makes a call longer, never shorter. `processor` is this process's alone.
    """

    name: str
    median: float
    least: float
    processor: float
    queries: int


def time_recall(memories: int) -> JsonObject:
    """The times of recall and similar in a project of so many memories."""
    with transaction.atomic():
        caller = make_caller()
        project = _store(caller, memories)
    rebuild()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # As its own daemon does, a minute later; in a transaction it cannot vacuum.
            cursor.execute("ANALYZE" if connection.in_atomic_block else "VACUUM ANALYZE")
    rows = [_timed(name, call) for name, call in _calls(caller, project)]
    return {
        "memories": memories,
        "rows": [
            {
                "call": row.name,
                "p50Ms": row.median,
                "leastMs": row.least,
                "cpuMs": row.processor,
                "queries": row.queries,
            }
            for row in rows
        ],
        "reached": all(
            row.processor < MOST_MS and row.queries <= MOST_QUERIES
            for row in rows
            if row.name.startswith("recall")
        ),
    }


def _calls(caller: Caller, project: Project) -> Iterator[tuple[str, Callable[[int], object]]]:
    def ask(turn: int, *, focus: bool, length: int) -> str:
        words = FOCI[turn % len(FOCI)] if focus else None
        request = RecallRequest(project_id=project.path, max_chars=length, focus=words)
        return recall(caller, request)

    yield "recall", lambda turn: ask(turn, focus=False, length=8_000)
    yield "recall with a focus", lambda turn: ask(turn, focus=True, length=8_000)
    yield "recall, 2,000 characters", lambda turn: ask(turn, focus=True, length=2_000)
    texts = Writer(7)
    said = [(texts.fact_title(), texts.sentence()[:300]) for _ in range(RUNS + 2)]
    yield (
        "similar",
        lambda turn: similar_to(caller, project.path, title=said[turn][0], summary=said[turn][1]),
    )


def _timed(name: str, call: Callable[[int], object]) -> Timed:
    for turn in range(len(FOCI)):  # fills what is kept between calls
        call(turn)
    wall: dict[int, list[float]] = {}
    processor: dict[int, list[float]] = {}
    gc.collect()
    for turn in range(RUNS):
        began, worked = perf_counter(), process_time()
        call(turn)
        processor.setdefault(turn % len(FOCI), []).append(process_time() - worked)
        wall.setdefault(turn % len(FOCI), []).append(perf_counter() - began)
    with CaptureQueriesContext(connection) as heard:
        call(0)
    return Timed(
        name=name,
        median=_milliseconds(median(chain(*wall.values()))),
        least=_milliseconds(max(map(min, wall.values()))),
        processor=_milliseconds(max(map(min, processor.values()))),
        queries=len(heard),
    )


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)


def _store(caller: Caller, memories: int) -> Project:
    project: Project = create_project(caller, fields={"name": "scale"})
    writer, now = Writer(20_261_130), timezone.now()

    def row(number: int, kind: str, **columns: object) -> Item:
        changed = now - timedelta(days=DAYS) * (1 - number / (memories + TASKS + PAGES + 1))
        return Item(
            project=project, kind=kind, number=number, author_id=caller.person_id,
            created=changed, changed=changed, rank=number, **columns,
        )  # fmt: skip

    def memory(number: int, parent: Item | None) -> Item:
        return row(
            number, "memory", title=writer.fact_title()[:80], tags=writer.tags(),
            summary=writer.sentence()[:300], content=writer.text(300), visibility="shared",
            category=TYPES[number % len(TYPES)],
            weight="critical" if number % (memories // CRITICAL + 1) == 7 else "normal",
            parent=parent,
        )  # fmt: skip

    bags = [memory(number, None) for number in range(1, BAGS + 1)]
    for bag in bags:
        bag.weight = "normal"
    Item.objects.bulk_create(bags, CHUNK)
    others = [
        memory(number, bags[number // 10 % BAGS] if number % 10 == 3 else None)
        for number in range(BAGS + 1, memories + 1)
    ]
    for other in others:
        if other.parent is not None:
            other.weight = "normal"
    tasks = [
        row(memories + place, "task", title=writer.task_title(), content=writer.text(200),
            status="open" if place % 3 else "done", priority=place % 4)
        for place in range(1, TASKS + 1)
    ]  # fmt: skip
    pages = [
        row(memories + TASKS + place, "page", title=f"{writer.page_title()} {place}"[:200],
            content=writer.page(1_000))
        for place in range(1, PAGES + 1)
    ]  # fmt: skip
    Item.objects.bulk_create([*others, *tasks, *pages], CHUNK)
    Relation.objects.bulk_create(
        Relation(source=other, target=done_or_not, relation="documents")
        for other, done_or_not in zip(others[:: len(others) // LINKED], tasks, strict=False)
    )  # fmt: skip
    project.last_number = memories + TASKS + PAGES
    project.save(update_fields=["last_number"])
    return project
