"""Lists of deletion requests, everywhere or of a project, and deciding several of one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from conderis.web.deletions.rows import ShownRequest, shown_row
from conderis.web.deletions.wanting import Wanted
from privacy.access import RequestAccess, access_request
from privacy.deciding import Decision, decide_several
from privacy.queue import count_waiting, list_requests, row_of
from projects.access import ProjectAccess

PAGE: Final = 25
MOST_AT_ONCE: Final = 4 * PAGE
DONE, UNCHANGED = "done", "unchanged"
_ID: Final = re.compile(r"[0-9a-z]{1,20}")


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of a list. `total` counts all that the choice lets through."""

    rows: list[ShownRequest]
    total: int
    next_cursor: str | None

    @property
    def may_decide(self) -> bool:
        """Whether the caller can decide one of these."""
        return any(row.may_decide for row in self.rows)


@dataclass(frozen=True, slots=True)
class Failed:
    """A selected request that was not decided: its id, and why. Without an id there is none."""

    public_id: str
    because: str


@dataclass(slots=True)
class Result:
    """What came of deciding several."""

    done: int = 0
    failed: list[Failed] = field(default_factory=list)


def read_list(
    caller: Caller, wanted: Wanted, *, project_id: str | None = None, cursor: str | None = None
) -> Listed:
    """The requests that the caller may decide or has made.

    Raises:
        Invalid: the cursor is none of this list.
    """
    page = list_requests(
        caller,
        project_id=project_id,
        state=wanted.state,
        mine=True if wanted.mine else None,
        limit=PAGE,
        cursor=cursor,
    )
    return Listed([shown_row(row) for row in page.items], page.total, page.next_cursor)


def waiting_among(caller: Caller, selected: Sequence[str]) -> list[ShownRequest]:
    """Those of the selected ones that the caller may decide now, in the order sent.

    They are named once more before they are erased; nothing else may be sent on then.
    """
    found = (_found(caller, f"deletion:{each}") for each in chosen_ids(selected))
    rows = [shown_row(row_of(access)) for access in found if access is not None]
    return [row for row in rows if row.may_decide]


def chosen_ids(selected: Sequence[str]) -> list[str]:
    """The ids that a form has sent, each once; what can be none is left out."""
    return [each for each in dict.fromkeys(selected[:MOST_AT_ONCE]) if _ID.fullmatch(each)]


def decide_selected(
    caller: Caller, selected: Sequence[str], *, decision: Decision, reason: str | None = None
) -> Result:
    """Decide the selected ones, each on its own: what is refused is listed, the rest done."""
    result = Result()
    refs = [f"deletion:{each}" for each in chosen_ids(selected)]
    if not refs:
        return result
    for ref, outcome in decide_several(caller, refs, decision=decision, reason=reason):
        if outcome == DONE:
            result.done += 1
            continue
        because = _("It was decided so before.") if outcome == UNCHANGED else outcome
        result.failed.append(_failed(caller, ref, because))
    return result


def _failed(caller: Caller, ref: str, because: str) -> Failed:
    if _found(caller, ref) is None:
        return Failed("", _("There is none."))
    return Failed(ref.partition(":")[2], because)


def _found(caller: Caller, ref: str) -> RequestAccess | None:
    try:
        return access_request(caller, ref)
    except NotFound:
        return None


def done_word(decision: Decision, count: int) -> str:
    """How many were decided, as a sentence."""
    if decision is Decision.ERASE:
        said = ngettext("Erased %(count)d for good.", "Erased %(count)d for good.", count)
    else:
        said = ngettext("Refused %(count)d request.", "Refused %(count)d requests.", count)
    return said % {"count": count}


def left_word(caller: Caller, place: ProjectAccess | None = None) -> str:
    """How many wait still for this caller, as a sentence."""
    count = count_waiting(caller, place)
    if not count:
        return _("None is left.")
    return ngettext("%(count)d is left.", "%(count)d are left.", count) % {"count": count}
