"""What statements look at: steps of SQLite's machine, or rows that PostgreSQL's plans read."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connection

Execute = Callable[..., Any]


def looked_at(ask: Callable[[], object], *, naming: str, relation: str) -> int:
    """What `ask` has the database look at, what is thrown away among it; never 0.

    On PostgreSQL rows of the table `relation`, in the statements that have the word `naming`.
    """
    if connection.vendor == "sqlite":
        return _steps(ask)
    return 1 + _rows_read(ask, naming, relation)


def _steps(ask: Callable[[], object]) -> int:
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


def _rows_read(ask: Callable[[], object], naming: str, relation: str) -> int:
    heard: list[tuple[str, Any]] = []

    def listen(execute: Execute, sql: str, params: Any, *others: Any) -> Any:
        if naming in sql:
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
        total += _rows_of(plan[0]["Plan"], relation)
    return total


def _rows_of(node: Mapping[str, Any], relation: str) -> int:
    own = 0
    if node.get("Relation Name") == relation:
        rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        own = int(rows * node["Actual Loops"])
    return own + sum(_rows_of(below, relation) for below in node.get("Plans", []))
