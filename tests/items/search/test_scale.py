"""What a search takes does not grow with what other projects hold."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.operations.retrieval import retrieving, scale
from conderis.operations.retrieval.limits import MOST_RATIO, Sizes
from items.listing import list_items
from items.requests import ListRequest
from items.search import rebuild
from tests.factories import person_caller

QUERIES = 8
Execute = Callable[..., Any]


def looked_at_on_sqlite(ask: Callable[[], object]) -> int:
    """The steps of SQLite's machine: what a search looks at, and does with it."""
    steps = [0]

    def count() -> int:
        steps[0] += 1
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(count, 1)
    try:
        ask()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return steps[0]


def looked_at_on_postgresql(ask: Callable[[], object]) -> int:
    """The rows of items that the plans look at, those thrown away among them."""
    heard: list[tuple[str, Any]] = []

    def listen(execute: Execute, sql: str, params: Any, *others: Any) -> Any:
        if "items_searchdocument" in sql:
            heard.append((sql, params))
        return execute(sql, params, *others)

    with connection.execute_wrapper(listen):
        ask()
    total = 0
    for sql, params in heard:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
            (plans,) = cursor.fetchone()
        plan = plans if isinstance(plans, list) else json.loads(plans)
        total += _rows(plan[0]["Plan"])
    return total


def _rows(node: dict[str, Any]) -> int:
    own = 0
    if node.get("Relation Name") == "items_item":
        rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        own = int(rows * node["Actual Loops"])
    return own + sum(_rows(below) for below in node.get("Plans", []))


def looked_at(ask: Callable[[], object]) -> int:
    on_sqlite = connection.vendor == "sqlite"
    return looked_at_on_sqlite(ask) if on_sqlite else looked_at_on_postgresql(ask)


@pytest.mark.slow
def test_a_search_looks_at_no_more_where_other_projects_hold_as_much(alice: Person) -> None:
    caller: Caller = person_caller(alice)
    project = scale.make_project(caller, 0, 600)
    rebuild()
    words = scale.Words(99)
    requests = [
        ListRequest("memory", project_id=project.path, query=words.query()) for _ in range(QUERIES)
    ]

    def search() -> None:
        for request in requests:
            list_items(caller, request)

    search()
    alone = looked_at(search)
    for place in range(1, 4):
        scale.make_project(caller, place, 600)
    rebuild()
    beside = looked_at(search)

    assert beside <= MOST_RATIO * alone


def test_the_bench_measures_and_says_what_is_kept(db: None) -> None:
    report = scale.measure_scale(Sizes(30, 2, 10), settle=rebuild)

    assert report["items"] == 30
    assert report["alone"].keys() == report["beside"].keys() == {"median", "p95", "processor"}
    lines = list(retrieving.scale_table({"databases": {"sqlite": report}}))
    assert lines[0].startswith("sqlite: a search in 30 memories takes ")
    assert lines[1].startswith("sqlite: with 2 more projects of 10 ")
