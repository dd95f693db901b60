"""How long judging a project takes, and reading it with its hygiene."""

import time
from collections.abc import Callable
from statistics import median

from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.hygiene import assess
from items.project_view import project_get
from projects.models import Project

MOST_MILLISECONDS = 150


def timed(caller: Caller, project: Project, times: int) -> JsonObject:
    """Milliseconds of each, over so many runs.

    The fastest counts, since other work of the machine only adds; beside it half of them.
    """
    assessed = assess(project)
    with CaptureQueriesContext(connection) as queries:
        assess(project)
    judged = _milliseconds(lambda: assess(project), times)
    read = _milliseconds(lambda: project_get(caller, project.path), times)
    return {
        "score": assessed.score,
        "findings": {each.check.name: each.count for each in assessed.findings},
        "queries": len(queries),
        "assess": judged,
        "projectGet": read,
        "kept": judged["fastest"] <= MOST_MILLISECONDS,
    }


def _milliseconds(run: Callable[[], object], times: int) -> dict[str, float]:
    run()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1000)
    return {"fastest": round(min(found), 1), "median": round(median(found), 1)}
