"""Whether calls stay as cheap when the store grows: the same rows, in other company or size.

A figure is compared in pings of its own run, so that it says nothing of the machine's mood.
On SQLite it is processor time; on PostgreSQL, whose server's time is not counted, wall time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from conderis.common.json import JsonObject
from conderis.operations.bench.reporting import EraReport, RowReport

BESIDE = "other projects beside it"
LARGER = "a larger project"


@dataclass(frozen=True, slots=True)
class Growth:
    """How many times as much a row may cost in the second case as in the first."""

    row: str
    case: str
    limit: float


GROWTHS = (
    Growth("item_list", BESIDE, 1.5),
    Growth("item_list query", BESIDE, 1.5),
    Growth("recall", BESIDE, 1.5),
    Growth("item_store create", BESIDE, 1.5),
    Growth("item_store change", BESIDE, 1.5),
    Growth("item_get", LARGER, 1.3),
    Growth("item_get page", LARGER, 1.3),
    Growth("item_list", LARGER, 1.3),
)


def growth(
    alone: EraReport, beside: EraReport, larger: EraReport, *, database: str
) -> Iterator[JsonObject]:
    """One object for each row and case: the small project alone, beside others, the large one."""
    for each in GROWTHS:
        before, after = (alone, beside) if each.case == BESIDE else (beside, larger)
        first, second = (_cost(report.by_row[each.row], database) for report in (before, after))
        yield {
            "row": each.row,
            "case": each.case,
            "ratio": round(second / first, 2),
            "limit": each.limit,
        }


def _cost(row: RowReport, database: str) -> float:
    return row.processor_ratio if database == "sqlite" else row.p50_ratio
