"""What becomes readable when a project turns public, in the words of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.words import counted_word
from items.exposure import Finding, Hidden, Suspicion, exposure_of

ONE: Final[dict[str, Promise]] = {
    "memory": _("Memory"),
    "page": _("Page"),
    "task": _("Task"),
    "instructions": _("Instructions"),
    "project": _("The project itself"),
}
HIDDEN: Final[dict[Hidden, Promise]] = {
    Hidden.PRIVATE_MEMORIES: _("Private memories"),
    Hidden.PROPOSALS: _("Proposals"),
    Hidden.DELETION_REQUESTS: _("Deletion requests"),
    Hidden.LOCKED: _("Content that a deletion request has locked"),
}
SUSPECTED: Final[dict[Suspicion, Promise]] = {
    Suspicion.SECRET: _("looks like it holds a secret"),
    Suspicion.ADDRESS: _("holds an email address"),
}


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A text to look at first, in words; nothing of what it holds."""

    kind: Promise | str
    number: int | None
    title: str
    version: int | None
    suspected: Promise
    detail: str


@dataclass(frozen=True, slots=True)
class ShownExposure:
    """The page's counts, what stays hidden, and the texts to look at first."""

    counts: Sequence[tuple[str, int]]
    versions: int
    locked: int
    hidden: Sequence[Promise]
    findings: Sequence[ShownFinding]
    findings_total: int
    complete: bool
    looked: int


def exposed(frame: ProjectFrame, *, quick: bool) -> ShownExposure:
    """What everybody would read; `quick` looks through the first texts alone.

    Raises:
        Denied: the caller may not manage the project.
    """
    found = exposure_of(frame.caller, frame.project_id, quick=quick)
    return ShownExposure(
        counts=[(counted_word(kind, many), many) for kind, many in found.counts.items()],
        versions=found.versions,
        locked=found.locked,
        hidden=[HIDDEN[each] for each in found.hidden],
        findings=[_shown(each) for each in found.findings],
        findings_total=found.findings_total,
        complete=found.complete,
        looked=found.looked,
    )


def _shown(finding: Finding) -> ShownFinding:
    return ShownFinding(
        kind=ONE.get(finding.kind, finding.kind),
        number=finding.number,
        title=finding.title,
        version=finding.version,
        suspected=SUSPECTED[finding.suspicion],
        detail=finding.detail,
    )
