"""A whole bench of erasing: on SQLite, and on PostgreSQL where that is in use; its table."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from conderis.common.json import JsonObject
from conderis.operations.trial.servers import trial

PARTS = ("erasing", "clearing")


def bench_erasing(*, items: int, say: Callable[[str], None]) -> JsonObject:
    """Erase one item of so many on temporary databases, and time what it takes.

    Raises:
        Fault: a database cannot be made.
    """
    measured: JsonObject = {}
    with trial() as place:
        places = {"sqlite": replace(place, database="")}
        if place.database:
            places["postgresql"] = place
        for name, one in places.items():
            say(f"Erasing one of {items:,} items on {name}")
            measured[name] = one.run("conderis.operations.bench.erasing", str(items))
    return {"items": items, "databases": measured}


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield f"{answer['items']:,} items; seconds, and how long a reader and a writer waited at most"
    yield f"{'':<12}{'':<10}{'seconds':>9}{'reader':>9}{'writer':>9}"
    for name, report in answer["databases"].items():
        for part in PARTS:
            figures = report[part]
            waits = [figures[f"longest wait of a {who}"] for who in ("reader", "writer")]
            shown = "".join(f"{value:>9.2f}" for value in (figures["seconds"], *waits))
            yield f"{name:<12}{part:<10}{shown}"
