"""The tabs of a project: one row each, in their order. A new tab is a row here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.sections import first_section
from privacy.queue import count_waiting
from proposals.sources import count_pending


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: its word, its icon, where it leads, what waits there, and who is shown it.

    `waiting` None is a tab without a count.
    """

    name: str
    label: Promise
    icon: str
    leads: Callable[[ProjectFrame], str]
    waiting: Callable[[ProjectFrame], int | None] = lambda _frame: None
    shown_to: Callable[[ProjectFrame], bool] = lambda _frame: True


@dataclass(frozen=True, slots=True)
class ShownTab:
    """A tab as the head shows it."""

    label: Promise
    icon: str
    href: str
    current: bool
    waiting: int | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in a project: proposals that the caller sees, deletions that it decides."""

    proposals: int
    deletions: int

    @property
    def total(self) -> int:
        """Both."""
        return self.proposals + self.deletions


def waiting_in(frame: ProjectFrame) -> Waiting:
    """What waits in the Moderation tab."""
    return Waiting(count_pending(frame.access), count_waiting(frame.caller, frame.access))


def _people(frame: ProjectFrame) -> bool:
    return not frame.caller.is_nobody


TABS: Final = (
    Tab("overview", _("Overview"), "list", lambda frame: frame.path()),
    Tab("task", _("Tasks"), "task", lambda frame: frame.path("project-tasks")),
    Tab("memory", _("Memories"), "memory", lambda frame: frame.path("project-memories")),
    Tab("page", _("Docs"), "page", lambda frame: frame.path("project-docs")),
    Tab(
        "moderation",
        _("Moderation"),
        "moderation",
        lambda frame: frame.path("moderation"),
        lambda frame: waiting_in(frame).total,
        shown_to=_people,
    ),
    Tab(
        "activity",
        _("Activity"),
        "activity",
        lambda frame: frame.path("project-activity"),
    ),
    Tab(
        "settings",
        _("Settings"),
        "settings",
        lambda frame: frame.path(first_section(frame)),
        shown_to=_people,
    ),
)


def tabs_of(frame: ProjectFrame, current: str) -> list[ShownTab]:
    """The tabs that the project shows to this caller, of which one is the current one."""
    return [
        ShownTab(tab.label, tab.icon, tab.leads(frame), tab.name == current, tab.waiting(frame))
        for tab in TABS
        if tab.shown_to(frame)
    ]
