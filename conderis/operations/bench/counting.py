"""How many statements a call takes: counted exactly, in process, the key check included."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from conderis.accounts.authentication import caller_of_key
from conderis.common.caller import Surface
from conderis.operations.bench.rows import ROWS, STANDING, Course, Row
from conderis.operations.bench.seeding import Seeded
from conderis.operations.faults import Fault
from mcp_surface.dispatch import call_tool

# They frame a transaction and look nothing up; SQLite sends them as statements, and
# PostgreSQL's driver does so by itself.
_FRAMES = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")
Execute = Callable[..., Any]


def count_queries(seeded: Seeded) -> dict[str, list[str]]:
    """For each row, the statements of one call, after one that warms up.

    Raises:
        Fault: a call is refused.
    """
    course = Course(seeded)
    _statements(STANDING, course)
    counted: dict[str, list[str]] = {}
    for row in ROWS:
        for _ in range(2):
            counted[row.name] = _statements(row, course)
    return counted


def _statements(row: Row, course: Course) -> list[str]:
    arguments = row.arguments(course)
    with _listening() as statements:
        caller = caller_of_key(course.seeded.key, surface=Surface.MCP)
        answer = call_tool(caller, row.tool, arguments)
    if answer.is_error:
        raise Fault(f"{row.name} was refused: {answer.text}")
    if row.learn is not None:
        row.learn(course, json.loads(answer.text))
    return statements


@contextmanager
def _listening() -> Iterator[list[str]]:
    heard: list[str] = []

    def listen(execute: Execute, sql: str, *others: Any) -> Any:
        if not sql.lstrip().upper().startswith(_FRAMES):
            heard.append(sql)
        return execute(sql, *others)

    with connection.execute_wrapper(listen):
        yield heard
