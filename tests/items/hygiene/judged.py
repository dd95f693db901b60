"""What the checks find, as tests ask for it."""

from items.hygiene import assess
from projects.models import Project


def found(project: Project, check: str) -> list[tuple[int, ...]]:
    """The numbers that a check names, each with those beside it; none where it is silent."""
    for finding in assess(project).findings:
        if finding.check.name == check:
            return [(each.number, *each.others) for each in finding.found]
    return []


def findings(project: Project) -> dict[str, int]:
    """How many items each check found."""
    return {each.check.name: each.count for each in assess(project).findings}
