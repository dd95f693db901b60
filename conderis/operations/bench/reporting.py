"""The figures of a bench, as JSON. Times are in milliseconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conderis.common.json import JsonObject, without_nulls
from conderis.operations.bench.measuring import Samples
from conderis.operations.bench.rows import BY_NAME, PING
from conderis.operations.trial.wire import Era

SEED_SECONDS = 300  # that making all projects may take


@dataclass(frozen=True, slots=True)
class RowReport:
    """One row's figures. The ratios are to the ping of the same run and era.

    A ping takes no statements of a tool: its `queries` is the check of the key.
    """

    name: str
    p50: float
    p95: float
    calls_per_second: float
    processor: float
    queries: int
    characters: int
    tokens: int
    p50_ratio: float
    p95_ratio: float
    processor_ratio: float
    limit: float | None
    queries_limit: int | None

    def as_answer(self) -> JsonObject:
        """The figures as JSON."""
        return without_nulls({
            "row": self.name,
            "p50Ms": round(self.p50, 3),
            "p95Ms": round(self.p95, 3),
            "callsPerSecond": round(self.calls_per_second, 1),
            "cpuMs": round(self.processor, 3),
            "queries": self.queries,
            "queriesLimit": self.queries_limit,
            "characters": self.characters,
            "tokens": self.tokens,
            "p50Ratio": round(self.p50_ratio, 2),
            "p95Ratio": round(self.p95_ratio, 2),
            "cpuRatio": round(self.processor_ratio, 2),
            "cpuRatioLimit": self.limit,
        })  # fmt: skip


@dataclass(frozen=True, slots=True)
class EraReport:
    """The rows of one era, the ping first."""

    era: Era
    rows: Sequence[RowReport]

    @property
    def by_row(self) -> dict[str, RowReport]:
        """The rows by their names."""
        return {row.name: row for row in self.rows}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured.

    Items of the large and of the small project, how many others of the small one's size, calls
    of each row, clients at once, seconds of their mix, and worker processes of their server.
    """

    items: int
    small: int
    others: int
    calls: int
    clients: int
    seconds: int
    workers: int

    def as_answer(self) -> JsonObject:
        """The sizes as JSON."""
        return {
            "items": self.items,
            "small": self.small,
            "others": self.others,
            "calls": self.calls,
            "clients": self.clients,
            "seconds": self.seconds,
            "workers": self.workers,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """A whole bench. `memory` is that of the server's processes at its end, in MB.

    `load` is how many processes of the machine wanted a processor in its last minute, and
    `cores` how many processors there are.
    `eras` are of the large project, `crowd` of several clients in it.
    """

    database: str
    python: str
    sizes: Sizes
    seeding: float
    memory: float
    load: float
    cores: int
    eras: Mapping[Era, EraReport]
    growth: Mapping[Era, Sequence[JsonObject]]
    crowd: Mapping[Era, Sequence[JsonObject]]
    crowd_memory: float
    pages: Sequence[JsonObject] = ()

    def as_answer(self) -> JsonObject:
        """The figures as JSON."""
        return {
            "database": self.database,
            "python": self.python,
            **self.sizes.as_answer(),
            "seedSeconds": round(self.seeding, 1),
            "seedSecondsLimit": SEED_SECONDS,
            "memoryMb": round(self.memory, 1),
            "crowdMemoryMb": round(self.crowd_memory, 1),
            "load": round(self.load, 1),
            "cores": self.cores,
            "eras": {
                era.value: {
                    "protocol": era.protocol,
                    "ping": era.ping,
                    "rows": [row.as_answer() for row in report.rows],
                }
                for era, report in self.eras.items()
            },
            "growth": {era.value: list(rows) for era, rows in self.growth.items()},
            "crowd": {era.value: list(rows) for era, rows in self.crowd.items()},
            "pages": list(self.pages),
        }


def era_report(era: Era, by_row: Mapping[str, Samples], queries: Mapping[str, int]) -> EraReport:
    """The figures of all rows of one run."""
    return EraReport(era, [row_report(era, name, by_row, queries) for name in by_row])


def row_report(
    era: Era, name: str, by_row: Mapping[str, Samples], queries: Mapping[str, int]
) -> RowReport:
    """The figures of one row of `by_row`, whose ping they are compared with.

    Limits of time are those of the handshake era: the ping of the other one says more.
    """
    ping, samples = by_row[PING], by_row[name]
    row = BY_NAME.get(name)
    return RowReport(
        name=name,
        p50=samples.share(0.5) * 1000,
        p95=samples.share(0.95) * 1000,
        calls_per_second=samples.calls_per_second,
        processor=samples.processor_seconds * 1000,
        queries=queries.get(name, 1),
        characters=len(samples.text),
        tokens=samples.tokens,
        p50_ratio=samples.share(0.5) / ping.share(0.5),
        p95_ratio=samples.share(0.95) / ping.share(0.95),
        processor_ratio=samples.processor_seconds / ping.processor_seconds,
        limit=row.ratio if row is not None and era is Era.HANDSHAKE else None,
        queries_limit=row.queries if row is not None else None,
    )
