"""A source of records that a test makes: an importer that reads what it is given."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from conderis.common.caller import Caller
from exchange.importers.base import Importer, Options
from exchange.records import Credit, Found, Record
from exchange.sources import Source
from exchange.writing.running import Order
from projects.models import Project

LONG_AGO = datetime(2019, 5, 4, 12, 30, tzinfo=UTC)


def record(key: str, kind: str = "task", **values: Any) -> Record:
    """A record of its key; what is no member of a record is a field."""
    members = {name: values.pop(name) for name in list(values) if name in _MEMBERS}
    fields = {"title": f"Title of {key}", **values}
    return Record(key=key, place=f"row {key}", kind=kind, fields=fields, **members)


_MEMBERS = frozenset(Record.__slots__) - {"key", "place", "kind", "fields"}


def order_of(
    project: Project, found: Sequence[Found], *, name: str = "test", store_anyway: bool = False
) -> Order:
    """The order to import exactly this."""

    def read(_source: Source, _options: Options) -> Iterator[Found]:
        yield from found

    importer = Importer(name, "Test", "", lambda _source: True, read)
    return Order(
        project.public_id, importer, Source("test", ()), Options(), store_anyway=store_anyway
    )


def ann() -> Credit:
    """An author of somewhere else."""
    return Credit(name="Ann Other")


__all__ = ["LONG_AGO", "Caller", "ann", "order_of", "record"]
