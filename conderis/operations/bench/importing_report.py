"""A whole bench of importing: on SQLite, and on PostgreSQL where that is in use; its table."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from conderis.common.json import JsonObject
from conderis.operations.trial.servers import trial


def bench_importing(*, items: int, say: Callable[[str], None]) -> JsonObject:
    """Import so many issues into temporary databases, and say what it takes.

    Raises:
        Fault: a database cannot be made.
    """
    measured: JsonObject = {}
    with trial() as place:
        places = {"sqlite": replace(place, database="")}
        if place.database:
            places["postgresql"] = place
        for name, one in places.items():
            say(f"Importing {items:,} items on {name}")
            measured[name] = one.run("conderis.operations.bench.importing", str(items))
    return {"items": items, "databases": measured}


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield f"{answer['items']:,} items; ms of CPU an item, MB of memory, seconds that others waited"
    yield f"{'':<12}{'new':>8}{'known':>8}{'memory':>9}{'reader':>9}{'writer':>9}"
    for name, report in answer["databases"].items():
        waits = report["waits"]
        yield (
            f"{name:<12}{report['cpuAnItem']:>8.2f}{report['cpuAnItemKnown']:>8.2f}"
            f"{report['memoryGrowth']:>9.1f}{waits['reader']:>9.2f}{waits['writer']:>9.2f}"
        )
