"""What the first page of a project shows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conderis.common.json import JsonObject
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.instructions import Text, read_first_part
from conderis.web.projects.words import counted_word
from items.beside import holds_items
from items.project_view import project_get
from projects.capabilities import Role, Use
from projects.members import MemberRow, project_members


@dataclass(frozen=True, slots=True)
class About:
    """A project's first page. `members` is empty for who has no role there.

    `is_empty` where nothing that the caller may read is kept there.
    """

    summary: JsonObject
    is_empty: bool
    may_propose: bool
    counts: list[tuple[str, int]]
    instructions: Text
    members: Sequence[MemberRow]


def about(frame: ProjectFrame) -> About:
    """All of it, as far as the caller may read it."""
    summary = project_get(frame.caller, frame.project_id)
    counts = [(counted_word(name, many), many) for name, many in summary["counts"].items()]
    return About(
        summary=summary,
        is_empty=not holds_items(frame.caller, project_id=frame.project_id),
        may_propose=frame.access.may(Use.PROPOSE),
        counts=counts,
        instructions=read_first_part(frame.caller, frame.project_id),
        members=_strongest(project_members(frame.caller, frame.project_id)) if frame.role else (),
    )


def _strongest(rows: Iterable[MemberRow]) -> list[MemberRow]:
    """Everybody who can act once, with the role that counts; owners first."""
    weakest_first = list(Role)
    found: dict[str, MemberRow] = {}
    for row in rows:
        known = found.get(row.person_id)
        stronger = known is None or weakest_first.index(row.role) > weakest_first.index(known.role)
        if row.active and stronger:
            found[row.person_id] = row
    return sorted(
        found.values(),
        key=lambda row: (-weakest_first.index(row.role), row.display_name, row.handle),
    )
