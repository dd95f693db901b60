"""A whole bench: servers of its own, seeded, called in the asked eras, reported."""

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from conderis.common.json import JsonObject
from conderis.operations.bench.crowd import crowd
from conderis.operations.bench.growth import growth
from conderis.operations.bench.measuring import Run, Samples, measure
from conderis.operations.bench.pages import Visitor, addresses, visit
from conderis.operations.bench.reporting import EraReport, Report, RowReport, Sizes, era_report
from conderis.operations.bench.rows import PING, Course
from conderis.operations.bench.seeding import Seeded
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.servers import Serving, trial
from conderis.operations.trial.wire import Era, Wire

MEGABYTE = 1024 * 1024
MOST_VISITS = 20  # of each page
INSIDE = "conderis.operations.bench.inside"
Say = Callable[[str], None]
ByEra = Mapping[Era, EraReport]


def bench(sizes: Sizes, *, eras: Sequence[Era], say: Say) -> Report:
    """Measure on a temporary server. `say` is told what is being done.

    Raises:
        Fault: the server does not start, refuses a call, or breaks off.
    """
    with trial() as place:
        database = "postgresql" if place.database else "sqlite"
        say(f"Making a project of {sizes.small:,} items")
        first = place.run(INSIDE, "alone", str(sizes.small))
        small = Seeded(**first["seeded"])
        say(f"Calling each row {sizes.calls:,} times in {' and '.join(eras)}")
        with place.serving() as serving:
            (taken,) = _called(serving, [small], eras, calls=sizes.calls, say=say)
        say(f"Making one of {sizes.items:,} items, and {sizes.others:,} of {sizes.small:,}")
        numbers = (sizes.items, sizes.others, sizes.small, sizes.clients)
        made = place.run(INSIDE, "beside", *map(str, numbers))
        large, queries = Seeded(**made["seeded"]), made["queries"]
        alone = _reports(taken, queries)
        say(f"Calling each row {sizes.calls:,} times in the large and in the small project")
        with place.serving() as serving:
            taken_of = _called(serving, [large, small], eras, calls=sizes.calls, say=say)
            larger, beside = (_reports(each, queries) for each in taken_of)
            say("Looking at pages")
            pages = _looked_at(serving, made, sizes, ping=larger[eras[0]].by_row[PING])
            memory = _memory(serving)
        say(f"Calling with {sizes.clients} clients at once, {sizes.workers} worker processes")
        with place.serving(workers=sizes.workers) as serving:
            crowds = {era: _crowd(serving, made, era, sizes) for era in eras}
            crowd_memory = _memory(serving)
    return Report(
        database=database,
        python=platform.python_version(),
        sizes=sizes,
        seeding=first["seconds"] + made["seconds"],
        memory=memory,
        crowd_memory=crowd_memory,
        load=os.getloadavg()[0],
        cores=len(os.sched_getaffinity(0)),
        eras=larger,
        growth={
            era: list(growth(alone[era], beside[era], larger[era], database=database))
            for era in eras
        },
        crowd=crowds,
        pages=pages,
    )


def _called(
    serving: Serving, projects: Sequence[Seeded], eras: Sequence[Era], *, calls: int, say: Say
) -> list[dict[Era, dict[str, Samples]]]:
    """The samples by era and row, for each of the projects; their calls take turns."""
    processor = Processor.of(serving.pid)
    with ExitStack() as open_wires:
        runs = [
            Run(
                open_wires.enter_context(Wire(serving.port, course.seeded.key, era)),
                processor,
                course,
            )
            for course in map(Course, projects)  # one for both eras, which change one task
            for era in eras
        ]
        taken = iter(measure(runs, calls=calls, say=say))
        return [{era: next(taken) for era in eras} for _ in projects]


def _reports(taken: Mapping[Era, dict[str, Samples]], queries: Mapping[str, int]) -> ByEra:
    return {era: era_report(era, by_row, queries) for era, by_row in taken.items()}


def _looked_at(
    serving: Serving, made: JsonObject, sizes: Sizes, *, ping: RowReport
) -> list[JsonObject]:
    """The figures of the pages of the large project, in pings too."""
    pages = visit(
        Visitor(serving.port, made["cookie"]),
        addresses(made["seeded"]),
        Processor.of(serving.pid),
        visits=min(sizes.calls, MOST_VISITS),
        queries=made["pageQueries"],
    )
    return [
        {
            **page,
            "cpuRatio": round(page["cpuMs"] / ping.processor, 2),
            "p50Ratio": round(page["p50Ms"] / ping.p50, 2),
        }
        for page in pages
    ]


def _crowd(serving: Serving, made: JsonObject, era: Era, sizes: Sizes) -> list[JsonObject]:
    return crowd(
        serving.port,
        made["keys"][: sizes.clients],
        era,
        Seeded(**made["seeded"]),
        Processor.of(serving.pid),
        seconds=sizes.seconds,
    )


def _memory(serving: Serving) -> float:
    return Processor.of(serving.pid).memory() / MEGABYTE
