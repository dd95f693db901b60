"""What is asked of a recall: who asks, for which project, on what, within what length."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from conderis.common.caller import Caller
from items.kept import State
from projects.access import ProjectAccess
from projects.models import Project

SHORT_NAME = 40  # characters up to which a project is named by `owner/name` in calls


@dataclass(frozen=True, slots=True)
class Asking:
    """One call of recall, read and checked.

    Without `access` it is about the caller's own; `personal` says whether the caller's
    personal memories are open to this key; `upstream` is there only where the caller
    may read it now. `max_chars` counts the whole answer.
    `state` is that of the project, by which what was worked out of it is kept.
    `ranks` are the items that fit the focus by primary key, the best one at 0.
    """

    caller: Caller
    access: ProjectAccess | None
    personal: bool
    upstream: Project | None
    max_chars: int
    now: datetime
    state: State | None = None
    ranks: Mapping[int, int] = field(default_factory=dict)

    @property
    def project(self) -> Project | None:
        """The project, if it is about one."""
        return self.access.project if self.access is not None else None

    def call(self, text: str) -> str:
        """A call that reads more, with the project it is for."""
        return text if self.project is None else f"{text} projectId={short_name(self.project)}"


def short_name(project: Project) -> str:
    """What a call names the project by: `owner/name`, or where that is long its id."""
    name = project.full_name
    return name if len(name) <= SHORT_NAME else project.public_id
