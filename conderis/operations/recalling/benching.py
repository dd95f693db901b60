"""A whole bench of recall: on SQLite, and on PostgreSQL where that is in use."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from conderis.common.json import JsonObject
from conderis.operations.retrieval.dataset import read_conversations
from conderis.operations.retrieval.retrieving import USUAL_FILE
from conderis.operations.trial.servers import Trial, trial

INSIDE = "conderis.operations.recalling.inside"


def bench_recall(file: str | None, *, say: Callable[[str], None]) -> JsonObject:
    """What recall shows, with a focus and without one. `say` is told what is being done.

    Without a file, and without the usual one beside the checkout, no focus is measured.

    Raises:
        Fault: the file named is not there or of another form, or no database can be made.
    """
    path = Path(file).resolve() if file else USUAL_FILE
    is_there = bool(file) or path.is_file()
    if is_there:
        read_conversations(path)
    else:
        say(f"No {path}: recall with a focus is not measured")
    measured: JsonObject = {}
    with _places() as places:
        for name, place in places.items():
            say(f"Recalling on {name}")
            measured[name] = place.run(INSIDE, str(path) if is_there else "-")
    return {"file": path.name if is_there else None, "databases": measured}


def bench_scale(memories: int, *, say: Callable[[str], None]) -> JsonObject:
    """What a recall takes in a project of so many memories.

    Raises:
        Fault: no database can be made.
    """
    measured: JsonObject = {}
    with _places() as places:
        for name, place in places.items():
            say(f"Recalling among {memories:,} memories on {name}")
            measured[name] = place.run(INSIDE, "--scale", str(memories))
    return {"memories": memories, "load": round(os.getloadavg()[0], 1), "databases": measured}


@contextmanager
def _places() -> Iterator[dict[str, Trial]]:
    with trial() as place:
        places = {"sqlite": replace(place, database="")}
        if place.database:
            places["postgresql"] = place
        yield places
