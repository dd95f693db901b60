"""A bench's report as it might be, without a bench: every figure is one."""

from collections.abc import Sequence
from typing import Any

from conderis.operations.bench.crowd import MIX
from conderis.operations.bench.rows import PING, ROWS
from conderis.operations.trial.wire import Era

_ROW = ("p50Ms", "p95Ms", "callsPerSecond", "cpuMs", "queries", "characters", "tokens",
        "p50Ratio", "p95Ratio", "cpuRatio")  # fmt: skip
_TOGETHER = ("callsPerSecond", "callsPerSecondLeast", "pingsPerCall", "p50Ms", "p95Ms", "worstMs",
             "cpuMs", "cpuRatio", "serverCores", "clientCores")  # fmt: skip
_PAGE = ("p50Ms", "p95Ms", "cpuMs", "cpuMsLimit", "queries", "bytes", "p50Ratio", "cpuRatio")


def made_up_report(database: str = "sqlite", *, eras: Sequence[Era] = tuple(Era)) -> dict[str, Any]:
    """The JSON of a report of the default sizes; its pages are two."""
    names = [PING, *(row.name for row in ROWS)]
    return {
        "database": database,
        "python": "3.11.7",
        "items": 10_000, "small": 1_000, "others": 100, "calls": 100, "clients": 8,
        "seconds": 10, "workers": 1, "seedSeconds": 1.0, "seedSecondsLimit": 300,
        "memoryMb": 1.0, "crowdMemoryMb": 1.0, "load": 1.0, "cores": 2,
        "eras": {
            era.value: {
                "protocol": era.protocol,
                "ping": era.ping,
                "rows": [{"row": name, **dict.fromkeys(_ROW, 1)} for name in names],
            }
            for era in eras
        },
        "growth": {era.value: [] for era in eras},
        "crowd": {
            era.value: [{"row": name, **dict.fromkeys(_TOGETHER, 1)} for name in (PING, MIX)]
            for era in eras
        },
        "pages": [{"page": name, **dict.fromkeys(_PAGE, 1)} for name in ("dashboard", "task")],
    }  # fmt: skip
