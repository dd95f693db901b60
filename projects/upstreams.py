"""The project that a project is a fork of."""

from django.db import connection

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.text import expect_text
from projects.access import access_project
from projects.models import Project

# Any number of our own: transactions that set an upstream wait for each other by it.
_LOCK = 7_305_114_902_001


def find_upstream(caller: Caller, project: Project, value: Json) -> int:
    """The key of the project that the value names, if it can be the project's upstream.

    Holds up other calls that set an upstream until the transaction ends, so that two of
    them cannot meet in a circle.

    Raises:
        Invalid: it names no project, or would form a circle.
        NotFound: there is none that the caller may read.
    """
    upstream = access_project(caller, expect_text(value, field="upstream"), field="upstream")
    if project.pk is not None:
        _take_turns()
        _refuse_circle(project.pk, upstream.project.pk)
    return upstream.project.pk


def _take_turns() -> None:
    # SQLite has one writing transaction at a time anyway.
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _refuse_circle(project: int, upstream: int) -> None:
    at: int | None = upstream
    while at is not None:
        if at == project:
            raise Invalid(
                "upstream would form a circle: it is this project or, over its own upstreams, "
                "a fork of it.",
                field="upstream",
            )
        at = Project.objects.values_list("upstream", flat=True).get(pk=at)
