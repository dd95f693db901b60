"""How much of what one must know a recall without a focus holds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from conderis.common.json import JsonObject
from conderis.operations.recalling.storing import Stored
from conderis.operations.recalling.worlds.kestrel import KESTREL
from conderis.operations.recalling.worlds.lumen import LUMEN
from conderis.operations.recalling.worlds.tidewater import TIDEWATER
from items.recall import recall
from items.requests import RecallRequest

WORLDS = (TIDEWATER, LUMEN, KESTREL)
LENGTHS = (2_000, 4_000, 8_000)
_HEAD = re.compile(r"#([0-9]+) v[0-9]+ ")


def shown_numbers(text: str) -> frozenset[int]:
    """The items that have a line, or a place among the titles of a bag."""
    return frozenset(int(number) for number in _HEAD.findall(text))


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one project: how many one must know, and how many are shown at each length."""

    project: str
    must: int
    shown: dict[int, int]

    @property
    def shares(self) -> dict[int, float]:
        """The share shown at each length."""
        return {length: shown / self.must for length, shown in self.shown.items()}


def coverage_of(stored: Stored) -> Coverage:
    """How much of the project's must a recall without a focus shows at each length."""
    shown = {}
    for length in LENGTHS:
        request = RecallRequest(project_id=stored.project.path, max_chars=length)
        shown[length] = len(stored.must & shown_numbers(recall(stored.caller, request)))
    return Coverage(stored.project.name, len(stored.must), shown)


def figures(coverages: Sequence[Coverage]) -> JsonObject:
    """The share of each project and of all, by length."""
    every = sum(each.must for each in coverages)
    return {
        "projects": {each.project: {"must": each.must, "coverage": _named(each.shares)}
                     for each in coverages},
        "must": every,
        "coverage": _named({
            length: sum(each.shown[length] for each in coverages) / every for length in LENGTHS
        }),
    }  # fmt: skip


def _named(shares: dict[int, float]) -> JsonObject:
    return {f"within{length}": round(share, 4) for length, share in shares.items()}
