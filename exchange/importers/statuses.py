"""Words by which other systems say where a task stands and how much it presses."""

import re
from typing import Final

from exchange.importers.values import line_of

_WORDS: Final = {
    "open": "to do, todo, open, new, backlog, product backlog, sprint backlog, ready, next, inbox, "
    "pending, not started, reopened, selected for development, deferred, later, "
    "offen, zu erledigen, neu",
    "in_progress": "in progress, doing, started, working, wip, in review, review, code review, "
    "in testing, testing, qa, in qa, in development, under review, in arbeit, in bearbeitung",
    "blocked": "blocked, on hold, waiting, impeded, blockiert",
    "done": "done, closed, complete, completed, resolved, finished, fixed, released, shipped, "
    "erledigt, fertig, abgeschlossen",
    "canceled": "canceled, cancelled, won't do, wont do, won't fix, wontfix, rejected, abandoned, "
    "declined, abgebrochen",
}  # fmt: skip
_STATUS: Final = {word.strip(): key for key, words in _WORDS.items() for word in words.split(",")}
# Resolutions of what was closed without being done.
_NOT_DONE: Final = frozenset({
    "won't do", "wont do", "won't fix", "wont fix", "duplicate", "cannot reproduce", "declined",
    "incomplete", "canceled", "cancelled", "rejected", "obsolete", "invalid", "not a bug",
    "abandoned", "not planned",
})  # fmt: skip
_PRIORITY: Final = {
    "highest": "urgent", "blocker": "urgent", "critical": "urgent", "urgent": "urgent",
    "high": "high", "major": "high",
    "medium": "normal", "normal": "normal", "none": "normal",
    "low": "low", "minor": "low", "lowest": "low", "trivial": "low",
}  # fmt: skip
_BESIDE_WORDS = re.compile(r"[^\w']+|_+")


def status_of(words: str) -> str | None:
    """The status that these words mean; None where they are not known."""
    return _STATUS.get(_plain(words))


def priority_of(words: str) -> str | None:
    """The priority that these words mean; None where they are not known."""
    return _PRIORITY.get(_plain(words))


def is_not_done(resolution: str) -> bool:
    """Whether a resolution says that nothing was done."""
    return _plain(resolution) in _NOT_DONE


def _plain(words: str) -> str:
    return _BESIDE_WORDS.sub(" ", line_of(words).replace("’", "'")).strip().casefold()
