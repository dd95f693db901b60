"""A whole hygiene bench: on SQLite, and on PostgreSQL where that is in use; its table."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from conderis.common.json import JsonObject
from conderis.operations.trial.servers import trial

MOST_MILLISECONDS = 150


def bench_hygiene(*, items: int, times: int, say: Callable[[str], None]) -> JsonObject:
    """Judge a made-up project of so many items on temporary databases.

    Raises:
        Fault: a database cannot be made.
    """
    measured: JsonObject = {}
    with trial() as place:
        places = {"sqlite": replace(place, database="")}
        if place.database:
            places["postgresql"] = place
        for name, one in places.items():
            say(f"Judging {items:,} items on {name}")
            measured[name] = one.run("conderis.operations.hygiene.inside", str(items), str(times))
    return {"items": items, "times": times, "databases": measured}


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield f"{answer['items']:,} items, {answer['times']} runs; milliseconds: fastest, half"
    yield f"{'':<12}{'assess':>16}{'project_get':>16}{'queries':>9}{'score':>7}"
    for name, report in answer["databases"].items():
        yield (
            f"{name:<12}{_pair(report['assess'])}{_pair(report['projectGet'])}"
            f"{report['queries']:>9}{report['score']:>7}"
        )
    for name, report in answer["databases"].items():
        word = "keeps" if report["kept"] else "MISSES"
        yield f"{name}: {word} {MOST_MILLISECONDS} ms"


def _pair(figures: JsonObject) -> str:
    return f"{figures['fastest']:>9.1f}{figures['median']:>7.1f}"
