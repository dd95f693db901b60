"""The figures of a bench, as JSON and as a table. Times are in milliseconds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from conderis.common.json import JsonObject, without_nulls
from conderis.operations.bench.measuring import Samples
from conderis.operations.bench.rows import PING, ROWS
from conderis.operations.trial.wire import Era

_BY_NAME = {row.name: row for row in ROWS}


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

    def as_answer(self) -> JsonObject:
        """The figures as JSON."""
        return without_nulls({
            "row": self.name,
            "p50Ms": round(self.p50, 3),
            "p95Ms": round(self.p95, 3),
            "callsPerSecond": round(self.calls_per_second, 1),
            "cpuMs": round(self.processor, 3),
            "queries": self.queries,
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


@dataclass(frozen=True, slots=True)
class Report:
    """A whole bench. `memory` is that of the server's processes at its end, in MB.

    `load` is how many processes of the machine wanted a processor in its last minute.
    """

    database: str
    python: str
    items: int
    calls: int
    memory: float
    load: float
    eras: Mapping[Era, EraReport]
    pages: Sequence[JsonObject] = ()

    def as_answer(self) -> JsonObject:
        """The figures as JSON."""
        return {
            "database": self.database,
            "python": self.python,
            "items": self.items,
            "calls": self.calls,
            "memoryMb": round(self.memory, 1),
            "load": round(self.load, 1),
            "eras": {
                era.value: {
                    "protocol": era.protocol,
                    "ping": era.ping,
                    "rows": [row.as_answer() for row in report.rows],
                }
                for era, report in self.eras.items()
            },
            "pages": list(self.pages),
        }


def row_report(
    name: str, samples: Samples, by_row: Mapping[str, Samples], queries: Mapping[str, int]
) -> RowReport:
    """The figures of one row of `by_row`, whose ping they are compared with."""
    ping = by_row[PING]
    row = _BY_NAME.get(name)
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
        limit=row.ratio if row is not None else None,
    )


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield (
        f"{answer['database']}, {answer['items']:,} items, {answer['calls']:,} calls of each row, "
        f"one client, server {answer['memoryMb']:.0f} MB, Python {answer['python']}, "
        f"load of the machine {answer['load']}"
    )
    for era, report in answer["eras"].items():
        yield ""
        yield f"{era} (protocol {report['protocol']}; ping is {report['ping']})"
        yield (
            f"{'':<20}{'p50 ms':>8}{'× ping':>7}{'p95 ms':>9}{'× ping':>7}{'calls/s':>9}"
            f"{'CPU ms':>8}{'× ping':>7}{'limit':>6}{'queries':>9}{'chars':>8}{'tokens':>8}"
        )
        for row in report["rows"]:
            yield (
                f"{row['row']:<20}{row['p50Ms']:>8.2f}{row['p50Ratio']:>7.1f}"
                f"{row['p95Ms']:>9.2f}{row['p95Ratio']:>7.1f}{row['callsPerSecond']:>9,.0f}"
                f"{row['cpuMs']:>8.2f}{row['cpuRatio']:>7.1f}{row.get('cpuRatioLimit', ''):>6}"
                f"{row['queries']:>9}{row['characters']:>8,}{row['tokens']:>8,}"
            )
    yield ""
    yield f"{'pages':<20}{'p50 ms':>8}{'p95 ms':>9}{'CPU ms':>8}{'queries':>9}{'bytes':>9}"
    for page in answer["pages"]:
        yield (
            f"{page['page']:<20}{page['p50Ms']:>8.1f}{page['p95Ms']:>9.1f}{page['cpuMs']:>8.1f}"
            f"{page['queries']:>9}{page['bytes']:>9,}"
        )
    yield ""
    yield from _verdicts(answer)
    yield from _page_verdicts(answer["pages"])


def _verdicts(answer: JsonObject) -> Iterator[str]:
    """Whether each row keeps to its limit, in the era that limits are set for."""
    report = answer["eras"].get(Era.HANDSHAKE.value)
    if report is None:
        return
    for row in report["rows"]:
        limit = row.get("cpuRatioLimit")
        if limit is not None:
            word = "within" if row["cpuRatio"] <= limit else "MORE than"
            yield f"{row['row']}: {row['cpuRatio']} times ping, {word} the limit of {limit:g}"


def _page_verdicts(pages: Sequence[JsonObject]) -> Iterator[str]:
    """Whether every page keeps to its limit; the dearest one is named."""
    if not pages:
        return
    dearest = max(pages, key=lambda page: float(page["cpuMs"]))
    limit = dearest["cpuMsLimit"]
    word = "within" if dearest["cpuMs"] <= limit else "MORE than"
    yield f"pages: {dearest['page']} takes most, {dearest['cpuMs']} ms, {word} the limit of {limit}"
