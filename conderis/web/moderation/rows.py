"""A row of the queue: what a moderator sees of a proposal before opening it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.web.comparing.finding import findings_of
from conderis.web.comparing.marking import Marking, Piece
from conderis.web.moderation.words import (
    PENDING,
    STATE_ICONS,
    STATES,
    heading_word,
    several_fields,
    what_word,
)
from conderis.web.projects.frame import ProjectFrame
from proposals.access import ProposalAccess, is_locked
from proposals.batching.titles import titles_of

MOST_READ: Final = 20_000
"""Characters of a proposed text that a row looks through for hidden ones."""
MOST_QUOTED: Final = 240


@dataclass(frozen=True, slots=True)
class Flag:
    """What changes the decision, in a word; `tone` is wait, stop or plain."""

    tone: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A proposal in the queue.

    `value` is what the form sends of it: its id and the version that it is shown over;
    empty where the caller cannot decide it from here. Of a locked or erased one no text is
    shown.
    """

    public_id: str
    href: str
    number: int | None
    title: str
    marked_title: tuple[Piece, ...]
    icon: str
    what: str
    titles: tuple[tuple[Piece, ...], ...]
    size: str
    who: str
    agent: str
    created: datetime
    quote: tuple[Piece, ...]
    state: str
    state_word: str
    state_icon: str
    flags: tuple[Flag, ...]
    value: str
    own: bool
    erased: bool
    decided_by: str
    decided_at: datetime | None
    decision_reason: tuple[Piece, ...]


def row_of(frame: ProjectFrame, proposal: Any) -> QueueRow:
    """The row of a proposal that `proposals.access.whole` has loaded; makes no query."""
    access = ProposalAccess(proposal, frame.access, frame.caller)
    locked, pending = is_locked(proposal), proposal.state == PENDING
    item, agent = proposal.item, proposal.proposer_agent
    decides = pending and not locked and not access.is_own and frame.access.may(access.review_use)
    title = "" if locked else heading_word(proposal.title, proposal.kind, proposal.count)
    return QueueRow(
        public_id=proposal.public_id,
        href=frame.path("moderation-proposal", proposal=proposal.public_id),
        number=item.number if item is not None else None,
        title=title,
        marked_title=pieces_of(title),
        icon=proposal.kind,
        what=what_word(proposal.action, proposal.kind, proposal.count),
        titles=() if locked else tuple(pieces_of(each) for each in titles_of(proposal)),
        size="" if locked else _size(proposal),
        who=proposal.proposer.display_name,
        agent=agent.name if agent is not None else "",
        created=proposal.created,
        quote=() if locked else pieces_of(_cut(proposal.reason)),
        state=proposal.state,
        state_word=str(STATES[proposal.state]),
        state_icon=STATE_ICONS[proposal.state],
        flags=tuple(_flags(proposal)) if pending else (),
        value=seen_value(proposal) if decides else "",
        own=access.is_own,
        erased=proposal.erased_at is not None,
        decided_by=proposal.decided_by.display_name if proposal.decided_by is not None else "",
        decided_at=proposal.decided_at,
        decision_reason=() if locked else pieces_of(_cut(proposal.decision_reason)),
    )


def seen_value(proposal: Any) -> str:
    """The proposal's id and the version of the item that it is shown over: `abc@7`."""
    version = proposal.item.version if proposal.item is not None else ""
    return f"{proposal.public_id}@{version}"


def hides_something(proposed: Mapping[str, Any], stands: Mapping[str, Any]) -> bool:
    """Whether the proposed fields, read whole, bring what reading them does not show."""
    for name, value in proposed.items():
        before = " ".join(texts_in(stands.get(name)))
        for text in texts_in(value):
            found = findings_of(text, since=before)
            marks = (*found.unseen, *found.mixed, *found.comments)
            if any(each.is_new for each in marks):
                return True
            if any(each.is_new for each in found.misleading_links):
                return True
    return False


def texts_in(value: Any) -> Iterator[str]:
    """Every text inside a field's value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)


def pieces_of(text: str) -> tuple[Piece, ...]:
    """A short text that somebody wrote, with marks for what cannot be seen."""
    return tuple(Marking(text).pieces(0, len(text)))


def _size(proposal: Any) -> str:
    """What it would change, or how long a new text is."""
    text = str(proposal.fields.get("content") or "")
    length = ngettext("%(count)d character", "%(count)d characters", len(text)) % {
        "count": len(text)
    }
    if proposal.item is None:
        return length if text else ""
    return several_fields(proposal.fields)


def _flags(proposal: Any) -> Iterator[Flag]:
    """At most two, the weightiest first."""
    found = [*_warnings(proposal), *_drifts(proposal)]
    yield from found[:2]


def _warnings(proposal: Any) -> Iterator[Flag]:
    if is_locked(proposal):
        yield Flag("stop", "lock", _("Locked"))
        return
    texts = [text for text in texts_in(proposal.fields) if text]
    found = [findings_of(text[:MOST_READ]) for text in texts]
    hidden = sum(each.unseen_count for each in found)
    if hidden:
        said = ngettext("%(count)d hidden character", "%(count)d hidden characters", hidden)
        yield Flag("stop", "hidden", said % {"count": hidden})
    comments = sum(len(each.comments) for each in found)
    if comments:
        said = ngettext("%(count)d comment", "%(count)d comments", comments)
        yield Flag("stop", "hidden", said % {"count": comments})
    if any(each.mixed or each.misleading_links for each in found):
        yield Flag("stop", "warn", _("Look-alike letters or links"))
    if any(len(text) > MOST_READ for text in texts):
        yield Flag("plain", "eye", _("Long: looked through in part"))


def _drifts(proposal: Any) -> Iterator[Flag]:
    item = proposal.item
    if item is None or is_locked(proposal):
        return
    if item.archived_at is not None and proposal.action != "restore":
        yield Flag("wait", "archive", _("Archived since"))
    elif proposal.base_version is not None and item.version != proposal.base_version:
        yield Flag("wait", "history", _("Changed since"))


def _cut(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_QUOTED else f"{line[:MOST_QUOTED]}…"
