"""The places of a recall's sections, with their shares of its characters.

One table, so that the shares are seen together. A section of an app above has its slot
here too; a section whose slot stays empty takes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from items.recall.asking import Asking
from items.recall.budget import WHOLE


class Part(Protocol):
    """What stands in a slot: a text of any length from `least` on, complete at `need`."""

    @property
    def total(self) -> int:
        """How many entries there are."""

    @property
    def least(self) -> int:
        """Characters of its shortest form."""

    @property
    def floor(self) -> int:
        """Characters from which it also says where the rest is read."""

    @property
    def need(self) -> int:
        """Characters of all of it."""

    def render(self, room: int) -> str:
        """As much of it as `room` characters hold, `least` at least."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a recall; `here` says whether it holds what is stored in the project.

    `place` orders the sections as they are read, `turn` the handing on of what others
    leave. `share` and `most` are thousandths (see `budget`); those `first` are served
    before the others share.
    """

    name: str
    place: int
    turn: int
    share: int
    most: int = WHOLE
    first: bool = False
    here: bool = True


@dataclass(frozen=True, slots=True)
class Section:
    """A slot with what stands in it."""

    slot: Slot
    part: Part


Source = Callable[[Asking], Sequence[Section]]

INSTRUCTIONS = Slot("instructions", place=1, turn=1, share=200, most=300)
CRITICAL = Slot("critical", place=2, turn=0, share=0, most=500, first=True)
PERSONAL = Slot("personal", place=3, turn=7, share=100, here=False)
MEMORIES = Slot("memories", place=4, turn=2, share=300)
TASKS = Slot("tasks", place=5, turn=3, share=250)
PAGES = Slot("pages", place=6, turn=4, share=70)
PROPOSALS = Slot("proposals", place=8, turn=5, share=30)
UPSTREAM = Slot("upstream", place=9, turn=6, share=50, here=False)
# Without a project there are no others than these and the caller's own memories.
PROJECTS = Slot("projects", place=10, turn=3, share=400)


def slot_of_kind(name: str) -> Slot:
    """The place of a kind that has no section of its own making."""
    return Slot(name, place=7, turn=4, share=50)
