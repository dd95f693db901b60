"""Deciding from the pages: one proposal, or those that were selected."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from conderis.web.moderation.queue import PAGE, proposal_here
from conderis.web.moderation.rows import hides_something
from conderis.web.moderation.words import PENDING, approved_word, heading_word
from conderis.web.projects.frame import ProjectFrame
from conderis.web.refusals import in_words
from proposals.access import is_locked
from proposals.preview import preview_of
from proposals.reviewing import approve, reject
from proposals.sources import count_pending
from proposals.withdrawing import withdraw

APPROVE, REJECT, WITHDRAW = "approve", "reject", "withdraw"
MOST_AT_ONCE: Final = 4 * PAGE
_ID: Final = re.compile(r"[0-9a-z]{1,20}")


class StaleError(Exception):
    """What stands is not what the reviewer saw."""


class UnreadError(Exception):
    """Approving would publish what the queue does not show; says what to look at."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A selected proposal that was not decided: its title, its id, and why."""

    title: str
    public_id: str
    because: str


@dataclass(slots=True)
class Result:
    """What came of deciding several."""

    done: int = 0
    failed: list[Failed] = field(default_factory=list)


def decide_one(
    frame: ProjectFrame,
    public_id: str,
    action: str,
    *,
    version: int | None,
    reason: str,
    leave_out: Collection[int] = (),
) -> str:
    """Decide a proposal; answers the sentence that says what has come of it.

    `leave_out` are the items of a batch that approving does not make.

    Raises:
        StaleError: it is to be approved and was shown as a new one, but something stands.
        DomainError: as the services refuse.
    """
    row = proposal_here(frame, public_id)
    if action == APPROVE:
        _refuse_unseen(frame, row.ref, version)
        answer = approve(
            frame.caller, row.ref, version=version, reason=reason or None, leave_out=leave_out
        )
        return approved_word(row.action, answer)
    return _END[action](frame, row.ref, reason)


def decide_several(frame: ProjectFrame, action: str, selected: list[str], *, reason: str) -> Result:
    """Decide the selected ones, each on its own: what is refused is listed, the rest done.

    Each is an id with the version that it was shown over (`abc@7`).
    """
    result = Result()
    for each in dict.fromkeys(selected[:MOST_AT_ONCE]):
        public_id, _at, version = each.partition("@")
        if not _ID.fullmatch(public_id):
            result.failed.append(Failed(_("A proposal that is gone"), "", _("There is none.")))
            continue
        shown = (
            int(version) if version.isascii() and version.isdigit() and len(version) < 9 else None
        )
        try:
            if action == APPROVE:
                _refuse_unread(frame, public_id, shown)
            decide_one(frame, public_id, action, version=shown, reason=reason)
        except UnreadError as unread:
            _fail(frame, result, public_id, str(unread))
        except StaleError:
            _fail(frame, result, public_id, _("It has changed since you looked."))
        except DomainError as refusal:
            _fail(frame, result, public_id, in_words(refusal))
        else:
            result.done += 1
    return result


def left_word(frame: ProjectFrame) -> str:
    """How many wait still, as a sentence."""
    count = count_pending(frame.access)
    if not count:
        return _("None is left.")
    return ngettext("%(count)d is left.", "%(count)d are left.", count) % {"count": count}


def done_word(action: str, count: int) -> str:
    """How many were decided, as a sentence."""
    if action == APPROVE:
        said = ngettext("Approved %(count)d proposal.", "Approved %(count)d proposals.", count)
    else:
        said = ngettext("Rejected %(count)d proposal.", "Rejected %(count)d proposals.", count)
    return said % {"count": count}


def _refuse_unseen(frame: ProjectFrame, ref: str, version: int | None) -> None:
    """Without a version the service would approve over whatever stands.

    Raises:
        StaleError: no version was shown, but there is one.
    """
    if version is not None:
        return
    seen = preview_of(frame.caller, ref)
    if seen.proposal["state"] == PENDING and seen.current_version is not None:
        raise StaleError


def _refuse_unread(frame: ProjectFrame, public_id: str, version: int | None) -> None:
    """A list shows neither a merge nor what hides in a text: those need their own page.

    Raises:
        UnreadError: approving it from the queue would publish either.
    """
    row = proposal_here(frame, public_id)
    if row.state != PENDING or is_locked(row):
        return
    seen = preview_of(frame.caller, row.ref)
    if seen.current_version != version:
        return  # it has changed since the list was shown, which is refused as such
    if (seen.current_version or 0) != (row.base_version or 0):
        raise UnreadError(_("Open it: the item has changed since, and its page shows the merge."))
    proposed = [seen.proposed, *(entry.fields for entry in seen.entries)]
    if any(hides_something(fields, seen.current or {}) for fields in proposed):
        raise UnreadError(_("Open it: it holds what a list does not show."))


def _reject(frame: ProjectFrame, ref: str, reason: str) -> str:
    answer = reject(frame.caller, ref, reason=reason)
    return _outcome(answer, _("Rejected."), _("You had rejected it already."))


def _withdraw(frame: ProjectFrame, ref: str, reason: str) -> str:
    answer = withdraw(frame.caller, ref, reason=reason or None)
    return _outcome(answer, _("Withdrawn."), _("It was withdrawn already."))


def _outcome(answer: JsonObject, done: str, unchanged: str) -> str:
    return unchanged if answer["outcome"] == "unchanged" else done


def _fail(frame: ProjectFrame, result: Result, public_id: str, because: str) -> None:
    try:
        row = proposal_here(frame, public_id)
    except DomainError:
        result.failed.append(Failed(_("A proposal that is gone"), "", because))
        return
    title = heading_word("" if is_locked(row) else row.title, row.kind, row.count)
    result.failed.append(Failed(title, row.public_id, because))


_END: dict[str, Callable[[ProjectFrame, str, str], str]] = {REJECT: _reject, WITHDRAW: _withdraw}
