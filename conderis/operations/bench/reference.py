"""The ratios that were measured once and are kept, and whether a run has become worse.

They are in `reference.json`, by database, all in pings, so that they hold on any machine.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from conderis.common.json import JsonObject
from conderis.operations.bench.crowd import MIX
from conderis.operations.bench.rows import PING
from conderis.operations.faults import Fault

FILE = Path(__file__).with_name("reference.json")
WORSE = 4 / 3  # times the kept ratio
SIZES = ("items", "small", "others")  # that two runs must share to be compared
HOW_TO_KEEP = "`make bench ARGS=--keep` keeps them."


def ratios(answer: JsonObject) -> dict[str, float]:
    """What of a report is compared, by name; more is worse. Without `ping`, which is 1."""
    # PostgreSQL's own processor time is not counted: there the client's waiting stands for it.
    figure = "cpuRatio" if answer["database"] == "sqlite" else "p50Ratio"
    found: dict[str, float] = {}
    for era, report in answer["eras"].items():
        for row in report["rows"]:
            if row["row"] != PING:
                found[f"{era}, {row['row']}"] = row[figure]
    # Two worker processes do what one does in other times: they are kept by another name.
    on_workers = f" on {answer['workers']} workers" if answer["workers"] > 1 else ""
    for era, rows in answer["crowd"].items():
        for row in rows:
            if row["row"] == MIX:
                name = f"{era}, {MIX} of {answer['clients']} clients{on_workers}"
                found[name] = row["pingsPerCall"]
    found |= {f"page, {page['page']}": page[figure] for page in answer["pages"]}
    return found


def keep(answer: JsonObject) -> None:
    """Make a report's ratios those that later runs are compared with, on its database.

    Of an era that was not called the kept ones stay, where the sizes are the same.
    """
    kept = _kept()
    before = kept.get(answer["database"])
    stays = _not_called(before["ratios"], answer) if before and _is_of(before, answer) else {}
    kept[answer["database"]] = {
        "of": {name: answer[name] for name in (*SIZES, "calls", "python")},
        "ratios": stays | ratios(answer),
    }
    FILE.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")


def require_kept(database: str, sizes: JsonObject) -> None:
    """Refuse to measure what then can be compared with nothing.

    Raises:
        Fault: nothing is kept for the database, or of a run of other sizes.
    """
    reference = _kept().get(database)
    if reference is None:
        raise Fault(f"No ratios are kept for {database}. {HOW_TO_KEEP}")
    for name in SIZES:
        if reference["of"][name] != sizes[name]:
            raise Fault(
                f"The kept ratios are of a run with --{name} {reference['of'][name]}, and this "
                f"one has {sizes[name]}. Compare runs of one size."
            )


def compared(answer: JsonObject, kept: Mapping[str, JsonObject] | None = None) -> JsonObject:
    """A report beside the kept ratios, which are of its database and sizes.

    `worse` has a line for each ratio that is more than a third above the kept one, `notKept`
    the names that nothing is kept of, and `notMeasured` the kept ones that the run has not.
    Of an era that was not called nothing is looked for: `erasNotCalled`.
    """
    reference = (_kept() if kept is None else kept)[answer["database"]]["ratios"]
    now, not_called = ratios(answer), _not_called(reference, answer)
    return {
        "worse": list(_worse(now, reference)),
        "notKept": sorted(now.keys() - reference.keys()),
        "notMeasured": sorted(reference.keys() - now.keys() - not_called.keys()),
        "erasNotCalled": sorted({name.partition(", ")[0] for name in not_called}),
    }


def _worse(now: Mapping[str, float], reference: Mapping[str, float]) -> Iterator[str]:
    for name, was in reference.items():
        if name in now and now[name] > was * WORSE:
            yield f"{name}: {now[name]} pings, and {was} are kept"


def _not_called(reference: Mapping[str, float], answer: JsonObject) -> dict[str, float]:
    """The kept ratios of eras that the run left out."""
    called = {*answer["eras"], "page"}
    return {
        name: ratio for name, ratio in reference.items() if name.partition(", ")[0] not in called
    }


def _is_of(reference: JsonObject, answer: JsonObject) -> bool:
    return all(reference["of"][name] == answer[name] for name in SIZES)


def _kept() -> dict[str, JsonObject]:
    if not FILE.exists():
        return {}
    kept: dict[str, JsonObject] = json.loads(FILE.read_text())
    return kept
