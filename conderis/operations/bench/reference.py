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


def ratios(answer: JsonObject) -> dict[str, float]:
    """What of a report is compared, by name; more is worse. Without `ping`, which is 1."""
    # PostgreSQL's own processor time is not counted: there the client's waiting stands for it.
    figure = "cpuRatio" if answer["database"] == "sqlite" else "p50Ratio"
    found: dict[str, float] = {}
    for era, report in answer["eras"].items():
        for row in report["rows"]:
            if row["row"] != PING:
                found[f"{era}, {row['row']}"] = row[figure]
    for era, rows in answer["crowd"].items():
        for row in rows:
            if row["row"] == MIX:
                found[f"{era}, {MIX} of {answer['clients']} clients"] = row["pingsPerCall"]
    found |= {f"page, {page['page']}": page[figure] for page in answer["pages"]}
    return found


def keep(answer: JsonObject) -> None:
    """Make a report's ratios those that later runs are compared with, on its database."""
    kept = _kept()
    kept[answer["database"]] = {
        "of": {name: answer[name] for name in ("items", "small", "others", "calls", "python")},
        "ratios": ratios(answer),
    }
    FILE.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n")


def worse(answer: JsonObject, kept: Mapping[str, JsonObject] | None = None) -> Iterator[str]:
    """A line for each ratio of a report that is more than a third above the kept one.

    Raises:
        Fault: nothing is kept for its database, or of a run of other sizes.
    """
    reference = (_kept() if kept is None else kept).get(answer["database"])
    if reference is None:
        raise Fault(f"No ratios are kept for {answer['database']}. `bench --keep` keeps them.")
    for name in ("items", "small", "others"):
        if reference["of"][name] != answer[name]:
            raise Fault(
                f"The kept ratios are of a run with --{name} {reference['of'][name]}, and this "
                f"one had {answer[name]}. Compare runs of one size."
            )
    now = ratios(answer)
    for name, was in reference["ratios"].items():
        if name in now and now[name] > was * WORSE:
            yield f"{name}: {now[name]} pings, and {was} are kept"


def _kept() -> dict[str, JsonObject]:
    if not FILE.exists():
        return {}
    kept: dict[str, JsonObject] = json.loads(FILE.read_text())
    return kept
