"""The pages that are measured, and their measuring: a person who looks, page after page."""

import http.client
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from conderis.common.json import JsonObject
from conderis.operations.bench.measuring import SETTLE_SECONDS
from conderis.operations.faults import Fault
from conderis.operations.trial.processor import Processor

MOST_MS = 150  # of processor time that a page may take, with 10,000 items
TURN = 5  # visits of one page in a row
TIMEOUT_SECONDS = 60

PAGES = {
    "dashboard": "/",
    "search": "/search/?q=webhook+timeout+retry",
    "projects": "/projects/",
    "project": "{project}/",
    "tasks": "{project}/tasks/",
    "tasks found": "{project}/tasks/?q=webhook+timeout+retry",
    "tasks overdue": "{project}/tasks/?due=overdue",
    "memories": "{project}/memories/",
    "docs": "{project}/docs/",
    "task": "{project}/items/{task}/",
    "page": "{project}/items/{page}/",
    "form": "{project}/items/{page}/edit/",
    "history": "{project}/items/{page}/history/",
    "moderation": "{project}/moderation/",
    "activity": "{project}/activity/",
    "hygiene": "{project}/hygiene/",
    "picture": "{project}/picture/",
    "deletions": "/deletions/",
    "visibility": "{project}/settings/visibility/",
    "settings": "/settings/",
}


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person's signed-in browser: the server's port, and the cookie (a secret)."""

    port: int
    cookie: str


def addresses(seeded: Mapping[str, object]) -> dict[str, str]:
    """The address of each page, by its name, for what was seeded."""
    words = {"project": f"/{seeded['project']}", "task": seeded["task"], "page": seeded["page"]}
    return {name: address.format(**words) for name, address in PAGES.items()}


def visit(
    visitor: Visitor,
    pages: Mapping[str, str],
    processor: Processor,
    *,
    visits: int,
    queries: Mapping[str, int],
) -> list[JsonObject]:
    """Each page so many times, in turns; one row of figures for each.

    Raises:
        Fault: a page is not shown.
    """
    wall: dict[str, list[float]] = {name: [] for name in pages}
    spent: dict[str, list[float]] = {name: [] for name in pages}
    lengths: dict[str, int] = {}
    for name, address in pages.items():
        _visit(visitor, name, address, 1, [])  # fills what is kept between visits
    for done in range(0, visits, TURN):
        for name, address in pages.items():
            calls = min(TURN, visits - done)
            time.sleep(SETTLE_SECONDS)
            before = processor.seconds()
            lengths[name] = _visit(visitor, name, address, calls, wall[name])
            time.sleep(SETTLE_SECONDS)
            spent[name].append((processor.seconds() - before) / calls)
    return [
        _row(name, wall[name], spent[name], lengths[name], queries.get(name, 0)) for name in pages
    ]


def _visit(visitor: Visitor, name: str, address: str, calls: int, wall: list[float]) -> int:
    connection = http.client.HTTPConnection("localhost", visitor.port, timeout=TIMEOUT_SECONDS)
    length = 0
    try:
        for _ in range(calls):
            began = time.perf_counter()
            connection.request("GET", address, headers={"Cookie": visitor.cookie})
            answer = connection.getresponse()
            length = len(answer.read())
            wall.append(time.perf_counter() - began)
            if answer.status != http.client.OK:
                raise Fault(f"The page {name} answered {answer.status}.")
    except (OSError, http.client.HTTPException) as error:
        raise Fault(f"The page {name} broke off: {type(error).__name__}.") from error
    finally:
        connection.close()
    return length


def _row(
    name: str, wall: Sequence[float], spent: Sequence[float], length: int, queries: int
) -> JsonObject:
    ordered = sorted(wall)
    processor = median(spent) * 1000
    return {
        "page": name,
        "p50Ms": round(median(ordered) * 1000, 1),
        "p95Ms": round(ordered[max(0, ceil(0.95 * len(ordered)) - 1)] * 1000, 1),
        "cpuMs": round(processor, 1),
        "cpuMsLimit": MOST_MS,
        "queries": queries,
        "bytes": length,
    }
