"""A whole bench: a server of its own, seeded, called in the asked eras, reported."""

import os
import platform
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from conderis.operations.bench.measuring import measure
from conderis.operations.bench.pages import Visitor, addresses, visit
from conderis.operations.bench.reporting import EraReport, Report, row_report
from conderis.operations.bench.rows import Course
from conderis.operations.bench.seeding import Seeded
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.servers import trial
from conderis.operations.trial.wire import Era, Wire

MEGABYTE = 1024 * 1024
MOST_VISITS = 20  # of each page


def bench(*, items: int, calls: int, eras: Sequence[Era], say: Callable[[str], None]) -> Report:
    """Measure on a temporary server. `say` is told what is being done.

    Raises:
        Fault: the server does not start, refuses a call, or breaks off.
    """
    with trial() as place, ExitStack() as open_wires:
        say(f"Making a project of {items:,} items")
        made = place.run("conderis.operations.bench.inside", str(items))
        seeded = Seeded(**made["seeded"])
        serving = open_wires.enter_context(place.serving())
        say(f"Calling each row {calls:,} times in {' and '.join(eras)}")
        wires = [open_wires.enter_context(Wire(serving.port, seeded.key, era)) for era in eras]
        processor = Processor.of(serving.pid)
        taken = measure(wires, processor, Course(seeded), calls=calls, say=say)
        say("Looking at pages")
        visitor = Visitor(serving.port, made["cookie"])
        pages = visit(
            visitor,
            addresses(made["seeded"]),
            processor,
            visits=min(calls, MOST_VISITS),
            queries=made["pageQueries"],
        )
        memory = processor.memory() / MEGABYTE
    return Report(
        database="postgresql" if place.database else "sqlite",
        python=platform.python_version(),
        items=items,
        calls=calls,
        memory=memory,
        load=os.getloadavg()[0],
        pages=pages,
        eras={
            era: EraReport(era, [
                row_report(name, samples, by_row, made["queries"])
                for name, samples in by_row.items()
            ])
            for era, by_row in zip(eras, taken, strict=True)
        },
    )  # fmt: skip
