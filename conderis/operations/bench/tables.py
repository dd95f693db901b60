"""A bench's report as lines for people, each limit beside its figure."""

from collections.abc import Iterator, Sequence

from conderis.common.json import JsonObject
from conderis.operations.bench.crowd import MIX
from conderis.operations.bench.reference import HOW_TO_KEEP
from conderis.operations.trial.wire import Era


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield (
        f"{answer['database']}, a project of {answer['items']:,} items, one of "
        f"{answer['small']:,}, and {answer['others']:,} others of {answer['small']:,}; "
        f"Python {answer['python']}, load of the machine {answer['load']}"
    )
    yield (
        f"made in {answer['seedSeconds']:,} s"
        f"{_limit(answer['seedSeconds'], answer['seedSecondsLimit'], 's')}; "
        f"server {answer['memoryMb']:.0f} MB, "
        f"{answer['crowdMemoryMb']:.0f} MB after {answer['clients']} clients"
    )
    for era, report in answer["eras"].items():
        yield ""
        yield (
            f"{era} (protocol {report['protocol']}; ping is {report['ping']}), one client, "
            f"{answer['calls']:,} calls of each row in the project of {answer['items']:,}"
        )
        yield from _rows(report["rows"])
    for era, rows in answer["crowd"].items():
        yield ""
        yield (
            f"{era}, {answer['clients']} clients at once, worker processes: {answer['workers']}; "
            f"cores that the server and the clients took, of {answer['cores']}"
        )
        yield from _crowd(rows)
    yield ""
    yield from _pages(answer["pages"])
    yield ""
    yield from _verdicts(answer)


def _rows(rows: Sequence[JsonObject]) -> Iterator[str]:
    yield (
        f"{'':<20}{'p50 ms':>8}{'× ping':>7}{'p95 ms':>9}{'× ping':>7}{'calls/s':>9}"
        f"{'CPU ms':>8}{'× ping':>7}{'limit':>11}{'queries':>9}{'limit':>10}"
        f"{'chars':>8}{'tokens':>8}"
    )
    for row in rows:
        ratio = _held(row["cpuRatio"], row.get("cpuRatioLimit"))
        queries = _held(row["queries"], row.get("queriesLimit"))
        yield (
            f"{row['row']:<20}{row['p50Ms']:>8.2f}{row['p50Ratio']:>7.1f}"
            f"{row['p95Ms']:>9.2f}{row['p95Ratio']:>7.1f}{row['callsPerSecond']:>9,.0f}"
            f"{row['cpuMs']:>8.2f}{row['cpuRatio']:>7.1f}{ratio:>11}"
            f"{row['queries']:>9}{queries:>10}{row['characters']:>8,}{row['tokens']:>8,}"
        )


def _crowd(rows: Sequence[JsonObject]) -> Iterator[str]:
    yield (
        f"{'':<20}{'calls/s':>9}{'pings/call':>11}{'p50 ms':>9}{'p95 ms':>9}{'worst ms':>10}"
        f"{'CPU ms':>8}{'× ping':>7}{'server':>8}{'clients':>9}"
    )
    for row in rows:
        yield (
            f"{row['row']:<20}{row['callsPerSecond']:>9,.0f}{row['pingsPerCall']:>11.1f}"
            f"{row['p50Ms']:>9.2f}{row['p95Ms']:>9.2f}{row['worstMs']:>10.1f}"
            f"{row['cpuMs']:>8.2f}{row['cpuRatio']:>7.1f}"
            f"{row['serverCores']:>8.2f}{row['clientCores']:>9.2f}"
        )


def _pages(pages: Sequence[JsonObject]) -> Iterator[str]:
    yield (
        f"{'pages':<20}{'p50 ms':>8}{'× ping':>7}{'p95 ms':>9}{'CPU ms':>8}{'× ping':>7}"
        f"{'limit':>12}{'queries':>9}{'bytes':>9}"
    )
    for page in pages:
        yield (
            f"{page['page']:<20}{page['p50Ms']:>8.1f}{page['p50Ratio']:>7.1f}{page['p95Ms']:>9.1f}"
            f"{page['cpuMs']:>8.1f}{page['cpuRatio']:>7.1f}"
            f"{_held(page['cpuMs'], page['cpuMsLimit']):>12}{page['queries']:>9}{page['bytes']:>9,}"
        )


def _held(figure: float, limit: float | None) -> str:
    """The limit, and whether the figure keeps it."""
    if limit is None:
        return ""
    return f"{limit:g} {'met' if figure <= limit else 'MISSED'}"


def _limit(figure: float, limit: float, unit: str) -> str:
    return f", {'within' if figure <= limit else 'MORE than'} the limit of {limit:g} {unit}"


def _verdicts(answer: JsonObject) -> Iterator[str]:
    """Whether the limits are kept: of rows in the era that they are set for, and of the rest."""
    report = answer["eras"].get(Era.HANDSHAKE.value, {"rows": []})
    for row in report["rows"]:
        limit = row.get("cpuRatioLimit")
        if limit is not None:
            word = "within" if row["cpuRatio"] <= limit else "MORE than"
            yield f"{row['row']}: {row['cpuRatio']} times ping, {word} the limit of {limit:g}"
    for era, growth in answer["growth"].items():
        for each in growth:
            word = "within" if each["ratio"] <= each["limit"] else "MORE than"
            yield (
                f"{era}, {each['row']} with {each['case']}: {each['ratio']} times, "
                f"{word} the limit of {each['limit']:g}"
            )
    for era, rows in answer["crowd"].items():
        for row in rows:
            if row["row"] == MIX:
                least = row["callsPerSecondLeast"]
                word = "reaching" if row["callsPerSecond"] >= least else "LESS than"
                yield (
                    f"{era}, mix of {answer['clients']} clients: "
                    f"{row['callsPerSecond']:,.0f} calls/s, {word} the {least} wanted on 2 cores; "
                    f"the server took {row['serverCores']} of {answer['cores']}, "
                    f"the clients {row['clientCores']}"
                )
    yield from _page_verdicts(answer["pages"])
    if "worse" in answer:
        yield from _compared(answer)


def _compared(answer: JsonObject) -> Iterator[str]:
    """Which ratios are more than a third above the kept ones, and which had none to compare."""
    for era in answer["erasNotCalled"]:
        yield f"Not compared, since it was not called: {era}"
    for name in answer["notKept"]:
        yield f"NOT COMPARED, since none is kept: {name}"
    if answer["notKept"]:
        yield HOW_TO_KEEP
    for name in answer["notMeasured"]:
        yield f"NOT COMPARED, since this run has none: {name}"
    if not answer["worse"]:
        yield "No ratio is more than a third above the kept one."
    for line in answer["worse"]:
        yield f"WORSE by more than a third: {line}"


def _page_verdicts(pages: Sequence[JsonObject]) -> Iterator[str]:
    """Whether every page keeps to its limit; the dearest one is named."""
    if not pages:
        return
    dearest = max(pages, key=lambda page: float(page["cpuMs"]))
    limit = dearest["cpuMsLimit"]
    word = "within" if dearest["cpuMs"] <= limit else "MORE than"
    yield f"pages: {dearest['page']} takes most, {dearest['cpuMs']} ms, {word} the limit of {limit}"
