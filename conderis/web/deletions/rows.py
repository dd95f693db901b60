"""A deletion request as lists and its own page show it; nothing of the content is in it."""

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from conderis.web.comparing.marking import Marking, Piece
from conderis.web.deletions.words import (
    ERASING,
    PENDING,
    PERSONAL,
    PROPOSAL,
    STATE_ICONS,
    STATE_TONES,
    STATES,
    asked_name,
    short_name,
    thing_word,
)
from privacy.queue import RequestRow

MOST_QUOTED: Final = 240


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """A deletion request in words; `quote` and `decision_quote` are the two reasons."""

    row: RequestRow
    quote: tuple[Piece, ...]
    decision_quote: tuple[Piece, ...]

    @property
    def public_id(self) -> str:
        """The id without its word."""
        return self.row.ref.partition(":")[2]

    @property
    def href(self) -> str:
        """The address of its page."""
        return reverse("deletion", args=[self.public_id])

    @property
    def number(self) -> str:
        """The number of what it is of, `#12`; empty where that has none."""
        return self.row.subject if self.row.subject.startswith("#") else ""

    @property
    def address(self) -> str:
        """How the form that asks names what it is of, without a version."""
        if self.is_personal or self.is_of_proposal:
            return self.row.subject
        place = self.row.project or f"@{self.row.organization}"
        return f"{place}#{self.row.subject.removeprefix('#')}"

    @property
    def title(self) -> str:
        """What is to be erased."""
        return thing_word(self.row.subject, self.row.kind, self.row.version)

    @property
    def name(self) -> str:
        """The same, short."""
        return short_name(self.row.subject, self.row.version)

    @property
    def asked_name(self) -> str:
        """The same in the midst of a sentence."""
        return asked_name(self.row.subject, self.row.kind, self.row.version)

    @property
    def is_personal(self) -> bool:
        """Whether it is of a memory across projects."""
        return self.row.subject.startswith(PERSONAL)

    @property
    def is_of_proposal(self) -> bool:
        """Whether it is of a proposal."""
        return self.row.subject.startswith(PROPOSAL)

    @property
    def icon(self) -> str:
        """The icon of what it is of."""
        return "proposal" if self.is_of_proposal else self.row.kind

    @property
    def state_word(self) -> str:
        """How far it has come."""
        return str(STATES[self.row.state])

    @property
    def state_icon(self) -> str:
        """The icon of that."""
        return STATE_ICONS[self.row.state]

    @property
    def tone(self) -> str:
        """The tone of that."""
        return STATE_TONES[self.row.state]

    @property
    def is_pending(self) -> bool:
        """Whether it waits for a decision."""
        return self.row.state == PENDING

    @property
    def is_erasing(self) -> bool:
        """Whether the content is gone and the files are not yet checked."""
        return self.row.state == ERASING

    @property
    def may_decide(self) -> bool:
        """Whether the caller can decide it now."""
        return self.is_pending and self.row.may_decide


def shown_row(row: RequestRow) -> ShownRequest:
    """The row of a list: reasons cut to one line."""
    return ShownRequest(row, pieces_of(_cut(row.reason)), pieces_of(_cut(row.decision_reason)))


def shown_whole(row: RequestRow) -> ShownRequest:
    """The same with whole reasons."""
    return ShownRequest(row, pieces_of(row.reason), pieces_of(row.decision_reason))


def pieces_of(text: str | None) -> tuple[Piece, ...]:
    """A text that somebody wrote, with marks for what cannot be seen."""
    return tuple(Marking(text).pieces(0, len(text))) if text else ()


def _cut(text: str | None) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= MOST_QUOTED else f"{line[:MOST_QUOTED]}…"
