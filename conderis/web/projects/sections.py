"""The settings of a project: the pages beside their navigation, and who it names them to.

The navigation only spares people refusals. What they may do is decided by the services.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.web.projects.frame import ProjectFrame


def _managers(frame: ProjectFrame) -> bool:
    return frame.may_manage


def _members(frame: ProjectFrame) -> bool:
    return frame.role is not None


def _readers(_frame: ProjectFrame) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the settings; `route` is its name in `urls`."""

    route: str
    label: Promise
    icon: str
    named_to: Callable[[ProjectFrame], bool] = _managers


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A page of the settings as the navigation shows it."""

    label: Promise
    icon: str
    href: str
    current: bool


SECTIONS: Final = (
    Section("project-settings", _("General"), "settings"),
    Section("project-members", _("Members"), "people", _members),
    Section("project-instructions", _("Instructions"), "instructions", _readers),
    Section("project-exchange", _("Import and export"), "archive", _readers),
    Section("project-policies", _("Policies"), "check"),
    Section("project-visibility", _("Visibility"), "eye"),
    Section("project-ending", _("Transfer and delete"), "go"),
)


def sections_of(frame: ProjectFrame, current: str) -> list[ShownSection]:
    """The pages that the navigation names to this caller."""
    return [
        ShownSection(
            section.label, section.icon, frame.path(section.route), section.route == current
        )
        for section in SECTIONS
        if section.named_to(frame)
    ]


def first_section(frame: ProjectFrame) -> str:
    """The route of the first page that the navigation names to this caller."""
    return next(section.route for section in SECTIONS if section.named_to(frame))
