"""A project's score and what brought it down.

Each check costs at most its weight, by the square root of the share of items that it
found: the first cases weigh most, since one wrong memory among a hundred is read as true
like the others. All in whole thousandths, rounded against the project: 100 means that
nothing was found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isqrt

from django.utils import timezone

from conderis.common.json import Json, JsonObject
from items.hygiene.base import Check, Found
from items.hygiene.clock import clock_at
from items.hygiene.registry import all_checks
from items.hygiene.survey import Survey, survey
from projects.models import Project

BEST = 100
WHOLE = 1_000  # thousandths in a point
SHOWN_FINDINGS = 5  # in an answer to an agent
SHOWN_ITEMS = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: how many items, which, and the thousandths of points that it costs."""

    check: Check
    found: Sequence[Found]
    lost: int

    @property
    def count(self) -> int:
        """How many items it found."""
        return len(self.found)

    @property
    def points(self) -> int:
        """The points to gain, rounded, at least one."""
        return max(1, round(self.lost / WHOLE))

    def as_answer(self) -> JsonObject:
        """The finding for an agent, with the numbers of the first items."""
        return {
            "check": self.check.name,
            "count": self.count,
            "items": [_named(each) for each in self.found[:SHOWN_ITEMS]],
            "do": self.check.do,
        }


@dataclass(frozen=True, slots=True)
class Assessment:
    """A score from 0 to 100, and the findings, those that cost most first."""

    score: int
    findings: Sequence[Finding]

    @property
    def count(self) -> int:
        """How many items were found, by all checks together."""
        return sum(each.count for each in self.findings)

    def as_answer(self) -> JsonObject:
        """The score with the worst findings, and how many more there are."""
        worst = [each.as_answer() for each in self.findings[:SHOWN_FINDINGS]]
        more = len(self.findings) - len(worst)
        return {"score": self.score, "findings": worst} | ({"more": more} if more else {})


def assess(project: Project, now: datetime | None = None) -> Assessment:
    """The project's shared items, judged; the same for everybody who may read it.

    The same state gives the same answer all day (UTC). Who may ask is the caller's matter.
    """
    clock = clock_at(now or timezone.now(), project.session_days)
    checks = all_checks()
    marks = [(check.name, check.mark) for check in checks if check.mark is not None]
    read = survey(project, clock, marks)
    findings = [finding for check in checks if (finding := _finding(check, read)) is not None]
    score = max(0, BEST * WHOLE - sum(each.lost for each in findings)) // WHOLE
    return Assessment(score, sorted(findings, key=lambda each: -each.lost))


def cost(weight: int, count: int, of: int) -> int:
    """The thousandths of points that `count` of `of` items cost: weight x sqrt(share)."""
    share = isqrt(WHOLE * WHOLE * min(count, of) // of) if of else WHOLE
    return weight * max(share, 1)


def _finding(check: Check, read: Survey) -> Finding | None:
    if check.find is not None:
        found = check.find(read)
    else:
        found = [Found(row.number) for row in read.marked(check.name)]
    return Finding(check, found, cost(check.weight, len(found), check.of(read))) if found else None


def _named(found: Found) -> Json:
    return [found.number, *found.others] if found.others else found.number
