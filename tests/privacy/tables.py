"""Looks for a text in every column of every table, those of the search index too."""

from collections.abc import Iterable

from django.db import connection


def places_of(marker: str) -> set[str]:
    """The tables and columns (`table.column`) that hold the text, in whatever case."""
    found: set[str] = set()
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 - no value in it
            names = [column[0] for column in cursor.description or ()]
            for row in cursor.fetchall():
                found.update(f"{table}.{name}" for name in _with(marker, names, row))
    return found


def _with(marker: str, names: Iterable[str], row: Iterable[object]) -> Iterable[str]:
    for name, value in zip(names, row, strict=True):
        if isinstance(value, bytes | memoryview):
            if marker.lower().encode() in bytes(value).lower():
                yield name
        elif marker.lower() in str(value).lower():
            yield name
