"""The ratios that are kept: what has become worse, and what could not be compared."""

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from conderis.operations.bench import reference
from conderis.operations.bench.crowd import MIX
from conderis.operations.bench.reference import compared, keep, ratios, require_kept
from conderis.operations.bench.rows import PING, ROWS
from conderis.operations.bench.tables import table
from conderis.operations.faults import Fault
from conderis.operations.trial.wire import Era
from tests.operations.bench_reports import made_up_report

pytestmark = pytest.mark.no_database
SIZES = {"items": 10_000, "small": 1_000, "others": 100}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "reference.json"
    monkeypatch.setattr(reference, "FILE", place)
    return place


def lines_of(report: dict[str, Any]) -> list[str]:
    return list(table(report | compared(report)))


@pytest.mark.parametrize(
    ("database", "figure"), [("sqlite", "cpuRatio"), ("postgresql", "p50Ratio")]
)
def test_a_run_is_not_worse_than_itself_and_a_third_more_is_named(
    file: Path, database: str, figure: str
) -> None:
    report = made_up_report(database)
    keep(report)
    slightly, clearly = deepcopy(report), deepcopy(report)
    slightly["eras"]["handshake"]["rows"][1][figure] *= 1.3
    clearly["eras"]["handshake"]["rows"][1][figure] *= 1.4

    assert compared(report)["worse"] == compared(slightly)["worse"] == []
    assert [line.split(":")[0] for line in compared(clearly)["worse"]] == ["handshake, item_get"]
    assert "No ratio is more than a third above the kept one." in lines_of(report)
    assert not any(line.startswith("NOT COMPARED") for line in lines_of(report))


def test_what_is_kept_and_not_measured_is_named_and_so_is_the_reverse(file: Path) -> None:
    report = made_up_report()
    keep(report)
    kept = json.loads(file.read_text())
    for era in Era:
        kept["sqlite"]["ratios"][f"{era}, item_shred"] = 3.0
        del kept["sqlite"]["ratios"][f"{era}, recall"]
    kept["sqlite"]["ratios"]["page, old"] = 9.0
    del kept["sqlite"]["ratios"]["page, dashboard"]
    file.write_text(json.dumps(kept))

    lines = lines_of(report)

    for name in ("handshake, item_shred", "2026-07-28, item_shred", "page, old"):
        assert f"NOT COMPARED, since this run has none: {name}" in lines
    for name in ("handshake, recall", "2026-07-28, recall", "page, dashboard"):
        assert f"NOT COMPARED, since none is kept: {name}" in lines
    assert sum(line.startswith("NOT COMPARED") for line in lines) == 6
    assert lines.count("`make bench ARGS=--keep` keeps them.") == 1


def test_a_run_of_one_era_says_which_one_it_left_out_and_keeps_what_was_kept_of_it(
    file: Path,
) -> None:
    report = made_up_report()
    keep(report)
    before = json.loads(file.read_text())
    one = made_up_report(eras=[Era.HANDSHAKE])

    lines = lines_of(one)
    keep(one)

    assert "Not compared, since it was not called: 2026-07-28" in lines
    assert not any(line.startswith("NOT COMPARED") for line in lines)
    assert json.loads(file.read_text()) == before


def test_ratios_of_an_era_are_not_kept_beside_those_of_other_sizes(file: Path) -> None:
    keep(made_up_report())

    keep(made_up_report(eras=[Era.HANDSHAKE]) | {"items": 500})

    names = json.loads(file.read_text())["sqlite"]["ratios"]
    assert not any(name.startswith(Era.MODERN) for name in names)


def test_each_database_keeps_its_own(file: Path) -> None:
    keep(made_up_report("sqlite"))
    keep(made_up_report("postgresql"))

    assert json.loads(file.read_text()).keys() == {"sqlite", "postgresql"}


def test_calls_of_several_worker_processes_are_compared_with_such_alone(file: Path) -> None:
    keep(made_up_report())
    found = compared(made_up_report() | {"workers": 2})

    assert found["notKept"] == [f"{era}, mix of 8 clients on 2 workers" for era in sorted(Era)]
    assert found["notMeasured"] == [f"{era}, mix of 8 clients" for era in sorted(Era)]


def test_runs_of_other_sizes_or_databases_are_refused_with_how_to_keep_one(file: Path) -> None:
    keep(made_up_report())

    require_kept("sqlite", SIZES)
    with pytest.raises(Fault, match="Compare runs of one size"):
        require_kept("sqlite", SIZES | {"others": 7})
    with pytest.raises(Fault, match=r"No ratios are kept for postgresql\. `make bench ARGS=--keep"):
        require_kept("postgresql", SIZES)


def test_a_check_with_nothing_to_compare_ends_before_anything_is_measured(file: Path) -> None:
    said = StringIO()

    with pytest.raises(CommandError, match="No ratios are kept for"):
        call_command("bench", check=True, stdout=StringIO(), stderr=said)

    assert said.getvalue() == ""


def test_the_kept_ratios_are_of_the_sizes_that_the_command_has_without_being_told() -> None:
    kept = json.loads(reference.FILE.read_text())

    assert "sqlite" in kept
    for each in kept.values():
        assert {name: each["of"][name] for name in SIZES} == SIZES
        wanted = {f"{era}, {row.name}" for era in Era for row in ROWS}
        assert wanted - each["ratios"].keys() == set()


def test_what_is_compared_are_all_rows_but_the_ping_the_mix_and_the_pages() -> None:
    names = ratios(made_up_report()).keys()

    assert names == {
        *(f"{era}, {row.name}" for era in Era for row in ROWS),
        *(f"{era}, {MIX} of 8 clients" for era in Era),
        "page, dashboard",
        "page, task",
    }
    assert not any(PING in name.split(", ") for name in names)
