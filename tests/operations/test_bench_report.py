"""What a bench reports: its rows, several clients at once, growth, and each limit."""

import json
import os
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from conderis.operations.bench.crowd import LEAST, MIX, SHARES
from conderis.operations.bench.drafts import PAGE_LENGTH
from conderis.operations.bench.growth import GROWTHS, growth
from conderis.operations.bench.measuring import Samples
from conderis.operations.bench.pages import PAGES
from conderis.operations.bench.reporting import EraReport, RowReport
from conderis.operations.bench.rows import PING, ROWS
from conderis.operations.bench.tables import table
from conderis.operations.trial.wire import Era

POSITIVE = ("p50Ms", "p95Ms", "callsPerSecond", "cpuMs", "queries", "characters", "tokens",
            "p50Ratio", "p95Ratio", "cpuRatio")  # fmt: skip


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """A short run: its figures say nothing but that they are there."""
    said = StringIO()
    call_command("bench", calls="3", items="60", small="40", others="1", clients="2", seconds="1",
                 workers="2", json=True, stdout=said, stderr=StringIO())  # fmt: skip
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("era", list(Era))
def test_a_report_has_every_row_in_each_era_and_each_figure_is_positive(
    report: dict[str, Any], era: Era
) -> None:
    rows = report["eras"][era]["rows"]

    assert [row["row"] for row in rows] == [PING, *(row.name for row in ROWS)]
    for row in rows:
        assert all(row[name] > 0 for name in POSITIVE), row
        assert row["p50Ms"] <= row["p95Ms"]


@pytest.mark.slow
def test_every_figure_is_compared_with_the_ping_of_its_own_era(report: dict[str, Any]) -> None:
    for era in report["eras"].values():
        ping, *others = era["rows"]
        assert (ping["p50Ratio"], ping["p95Ratio"], ping["cpuRatio"]) == (1, 1, 1)
        for row in others:
            assert row["p50Ratio"] == pytest.approx(row["p50Ms"] / ping["p50Ms"], rel=0.02)
            assert row["cpuRatio"] == pytest.approx(row["cpuMs"] / ping["cpuMs"], rel=0.02)


@pytest.mark.slow
def test_a_report_says_what_it_was_taken_of(report: dict[str, Any]) -> None:
    on_postgresql = os.environ.get("DATABASE_URL", "").startswith("postgres")

    assert report["database"] == ("postgresql" if on_postgresql else "sqlite")
    assert (report["items"], report["small"], report["others"]) == (60, 40, 1)
    assert (report["calls"], report["clients"], report["workers"]) == (3, 2, 2)
    assert report["memoryMb"] > 10
    assert report["cores"] >= 1
    assert 0 < report["seedSeconds"] < report["seedSecondsLimit"]
    assert [era["ping"] for era in report["eras"].values()] == ["ping", "server/discover"]


@pytest.mark.slow
def test_answers_are_as_long_as_the_rows_say(report: dict[str, Any]) -> None:
    rows = {row["row"]: row for row in report["eras"][Era.MODERN]["rows"]}

    assert rows["item_get page"]["characters"] > PAGE_LENGTH
    assert rows["recall"]["characters"] <= 8_000
    assert rows["item_get"]["queries"] <= 6


@pytest.mark.slow
def test_the_table_has_a_line_for_every_row_and_the_verdict_on_item_get(
    report: dict[str, Any],
) -> None:
    lines = list(table(report))

    for row in [PING, *(row.name for row in ROWS)]:
        # Of one client and of several, in each era.
        assert sum(line.startswith(f"{row}  ") for line in lines) == 2 * len(Era)
    (verdict,) = [line for line in lines if line.startswith("item_get: ")]
    ratio = report["eras"][Era.HANDSHAKE]["rows"][1]["cpuRatio"]
    word = "within" if ratio <= 3.5 else "MORE than"
    assert verdict == f"item_get: {ratio} times ping, {word} the limit of 3.5"


@pytest.mark.slow
def test_every_page_of_the_bench_is_looked_at_and_the_dearest_is_named(
    report: dict[str, Any],
) -> None:
    pages = {page["page"]: page for page in report["pages"]}

    assert list(pages) == list(PAGES)
    for page in pages.values():
        assert all(page[name] > 0 for name in ("p50Ms", "cpuMs", "queries", "bytes")), page
    dearest = max(pages.values(), key=lambda page: page["cpuMs"])
    (verdict,) = [line for line in table(report) if line.startswith("pages: ")]
    assert verdict.startswith(f"pages: {dearest['page']} takes most, {dearest['cpuMs']} ms")


@pytest.mark.slow
def test_several_clients_call_several_worker_processes_and_all_of_them_are_counted(
    report: dict[str, Any],
) -> None:
    # A supervisor and two workers, against the one process that one client calls.
    assert report["crowdMemoryMb"] > 1.5 * report["memoryMb"]
    for row in report["crowd"][Era.HANDSHAKE]:
        taken = row["cpuMs"] / 1000 * row["callsPerSecond"]
        assert row["serverCores"] == pytest.approx(taken, abs=0.02)
        assert 0 < row["clientCores"] <= 1.1  # its threads share one at most
    mix = report["crowd"][Era.HANDSHAKE][1]
    (verdict,) = [line for line in table(report) if line.startswith("handshake, mix of 2 clients")]
    assert verdict.endswith(
        f"; the server took {mix['serverCores']} of {report['cores']}, "
        f"the clients {mix['clientCores']}"
    )


@pytest.mark.slow
def test_several_clients_ping_mix_and_call_each_row(report: dict[str, Any]) -> None:
    rows = report["crowd"][Era.HANDSHAKE]

    assert [row["row"] for row in rows] == [PING, MIX, *(row.name for row in ROWS)]
    for row in rows:
        assert all(row[name] > 0 for name in ("callsPerSecond", "p50Ms", "cpuMs")), row
        assert row["p50Ms"] <= row["p95Ms"] <= row["worstMs"]
    assert rows[1]["callsPerSecondLeast"] == LEAST[Era.HANDSHAKE] == 300
    assert sum(SHARES.values()) == 100


@pytest.mark.slow
def test_growth_is_measured_of_every_row_that_has_a_limit(report: dict[str, Any]) -> None:
    measured = report["growth"][Era.HANDSHAKE]

    assert [(each["row"], each["case"]) for each in measured] == [
        (each.row, each.case) for each in GROWTHS
    ]
    assert all(each["ratio"] > 0 for each in measured)


@pytest.mark.slow
def test_each_limit_stands_in_the_table_with_whether_it_is_met(report: dict[str, Any]) -> None:
    lines = list(table(report))

    for row in report["eras"][Era.HANDSHAKE]["rows"]:
        line = next(line for line in lines if line.startswith(f"{row['row']}  "))
        limit = row.get("cpuRatioLimit")
        if limit is not None:
            met = "met" if row["cpuRatio"] <= limit else "MISSED"
            assert f"{limit:g} {met}" in line
    assert sum("calls/s, " in line for line in lines) == len(Era)
    assert sum(" with " in line and "the limit of" in line for line in lines) == len(Era) * len(
        GROWTHS
    )


def row(name: str, *, cpu: float, p50: float) -> RowReport:
    return RowReport(name, 1, 1, 1, 1, 1, 1, 1, p50, 1, cpu, None, None)


def era_of(cpu: float, p50: float) -> EraReport:
    return EraReport(Era.HANDSHAKE, [row(each.name, cpu=cpu, p50=p50) for each in ROWS])


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("database", "beside", "larger"), [("sqlite", 1.5, 2.0), ("postgresql", 2.5, 0.6)]
)
def test_growth_is_of_the_small_project_beside_others_and_of_the_large_against_the_small(
    database: str, beside: float, larger: float
) -> None:
    found = list(growth(era_of(2, 2), era_of(3, 5), era_of(6, 3), database=database))

    assert {each["ratio"] for each in found if "beside" in each["case"]} == {beside}
    assert {each["ratio"] for each in found if "larger" in each["case"]} == {larger}


def test_a_quarter_of_the_turns_took_less_than_what_stands_for_a_row() -> None:
    turns = [9.0, 1.0, 5.0, 2.0, 3.0, 8.0, 4.0, 7.0, 6.0, 30.0]

    assert Samples(processor=turns).processor_seconds == 3.0
    assert Samples(processor=[2.0]).processor_seconds == 2.0
    assert Samples(processor=[2.0, 1.0]).processor_seconds == 1.0


@pytest.mark.slow
def test_limits_of_time_are_those_of_the_era_they_are_set_for(report: dict[str, Any]) -> None:
    for era in Era:
        limited = {row["row"] for row in report["eras"][era]["rows"] if row.get("cpuRatioLimit")}
        wanted = {row.name for row in ROWS if row.ratio is not None}
        assert limited == (wanted if era is Era.HANDSHAKE else set())
