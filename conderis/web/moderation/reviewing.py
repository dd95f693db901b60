"""The page of one proposal: what it would make, who proposes it, and what can be done."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.common.errors import Conflict as Refused
from conderis.common.json import JsonObject
from conderis.web.comparing.choosing import View, comparing
from conderis.web.comparing.marking import Piece
from conderis.web.items.linking import linker_of
from conderis.web.moderation.batches import BatchEntry, entries_of
from conderis.web.moderation.matter import Conflict, Matter, conflicts_of, matter_of
from conderis.web.moderation.queue import Place, place_of, proposal_here
from conderis.web.moderation.rows import pieces_of
from conderis.web.moderation.wanting import Wanted
from conderis.web.moderation.words import (
    PENDING,
    STATE_ICONS,
    STATES,
    approve_word,
    field_word,
    heading_word,
    in_sentence,
    kind_word,
    several_fields,
    what_word,
)
from conderis.web.projects.frame import ProjectFrame
from items.kinds.registry import kind_of
from proposals.access import is_locked
from proposals.preview import Preview, Standing, preview_of


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal as its page shows it.

    `matter` is what approving would change in what stands; where it cannot be approved, or
    has been decided, what it wanted to change in what it was worked out from.
    """

    public_id: str
    preview: Preview
    kind: str
    kind_word: str
    what: str
    number: int | None
    title: tuple[Piece, ...]
    state: str
    state_word: str
    state_icon: str
    locked: bool
    erased: bool
    created: datetime
    base_version: int | None
    left: str
    right: str
    matter: Matter
    conflicts: tuple[Conflict, ...]
    merged: str
    dropped: str
    reason: tuple[Piece, ...]
    decision_reason: tuple[Piece, ...]
    approve_word: str
    place: Place | None
    batch: tuple[BatchEntry, ...] = ()

    @property
    def is_pending(self) -> bool:
        """Whether it still waits."""
        return self.state == PENDING

    @property
    def may_be_erased(self) -> bool:
        """Whether asking for its erasure is of use."""
        return not self.locked

    @property
    def may_decide(self) -> bool:
        """Whether the caller may approve or reject it."""
        return not self.locked and (self.preview.may_approve or self.preview.may_reject)

    @property
    def is_new(self) -> bool:
        """Whether approving makes an item."""
        return bool(self.preview.proposal["action"] == "create")

    @property
    def may_withdraw(self) -> bool:
        """Whether the caller may take it back."""
        return self.is_pending and self.preview.own

    @property
    def can_be_approved(self) -> bool:
        """Whether it fits, whoever may approve it."""
        if self.batch:
            return any(entry.blocked is None for entry in self.batch)
        return self.preview.blocked is None and not self.preview.conflicts

    @property
    def chooses(self) -> bool:
        """Whether the caller may leave out items of a batch."""
        return self.is_pending and not self.locked and self.preview.may_approve

    @property
    def unfit(self) -> int:
        """How many items of a batch do not fit now."""
        return sum(entry.blocked is not None for entry in self.batch)

    @property
    def hidden(self) -> int:
        """How many characters of the new texts nobody sees."""
        return self.matter.hidden + sum(entry.hidden for entry in self.batch)

    @property
    def changes_nothing(self) -> bool:
        """Whether all of it stands already."""
        nothing = self.matter.is_empty and not self.batch
        return self.is_pending and self.can_be_approved and nothing

    @property
    def decided_at(self) -> datetime | None:
        """When it was decided."""
        moment = self.preview.decision.get("decidedAt")
        return datetime.fromisoformat(str(moment)) if moment else None

    @property
    def conflict_fields(self) -> str:
        """The fields that both sides changed, in a row."""
        return several_fields(each.field for each in self.preview.conflicts)

    @property
    def clashes(self) -> int:
        """How many paragraphs and other fields were changed on both sides."""
        return sum(each.clash.count if each.clash else 1 for each in self.conflicts)


def look_at(
    frame: ProjectFrame,
    public_id: str,
    wanted: Wanted,
    view: View,
    *,
    left_out: Collection[int] = (),
) -> Review:
    """The proposal of this project, beside what it is based on and what stands.

    Texts are compared as the `view` shows them. `left_out` are the items of a batch that the
    reviewer has ticked so far.

    Raises:
        NotFound: there is none here that the caller may see.
    """
    row = proposal_here(frame, public_id)
    preview = preview_of(frame.caller, row.ref)
    kind, locked = kind_of(row.kind), is_locked(row)
    old, new = _sides(row, preview)
    version = preview.current_version
    torn = {conflict.field for conflict in preview.conflicts}
    linker = linker_of(frame.caller, frame.project_id)
    return Review(
        public_id=public_id,
        preview=preview,
        kind=row.kind,
        kind_word=kind_word(row.kind),
        what=what_word(row.action, row.kind, row.count),
        number=row.item.number if row.item is not None else None,
        title=() if locked else pieces_of(heading_word(row.title, row.kind, row.count)),
        state=row.state,
        state_word=str(STATES[row.state]),
        state_icon=STATE_ICONS[row.state],
        locked=locked,
        erased=row.erased_at is not None,
        created=row.created,
        base_version=row.base_version,
        left=_left(preview, row.base_version),
        right=_("Proposed, merged") if preview.merged else _("Proposed"),
        matter=Matter()
        if locked
        else matter_of(kind, old, new, torn=torn, compares=comparing(view), linker=linker),
        conflicts=() if locked else conflicts_of(kind, preview.conflicts),
        merged=several_fields(preview.merged),
        dropped=several_fields(_dropped(preview)),
        reason=pieces_of(preview.reason),
        decision_reason=pieces_of(str(preview.decision.get("decisionReason") or "")),
        approve_word=approve_word(row.action, row.kind, version),
        place=place_of(frame, wanted, row),
        batch=entries_of(kind, preview.entries, left_out),
    )


def what_changed(refusal: Refused) -> list[str]:
    """Who changed which fields since the reviewer looked, a sentence each."""
    changes = refusal.details.get("changed")
    return [_said(each) for each in changes if isinstance(each, dict)] if changes else []


def record_word(standing: Standing) -> str:
    """How somebody's proposals in the project have fared."""
    said = ngettext("%(count)d approved", "%(count)d approved", standing.approved)
    approved = said % {"count": standing.approved}
    said = ngettext("%(count)d rejected", "%(count)d rejected", standing.rejected)
    return f"{approved}, {said % {'count': standing.rejected}}"


def _sides(row: Any, preview: Preview) -> tuple[JsonObject, JsonObject]:
    """The two states that are compared."""
    if is_locked(row):
        return {}, {}
    if preview.result is not None:
        return preview.current or {}, preview.result
    old = preview.base if row.state == PENDING else _base(row)
    proposed = dict(preview.proposed)
    if row.action in ("archive", "restore"):
        archived: JsonObject = {"archived": True}
        return ({}, archived) if row.action == "archive" else (archived, {})
    names = {conflict.field for conflict in preview.conflicts}
    new = {name: value for name, value in proposed.items() if name not in names}
    return old or {}, {**(old or {}), **new}


def _dropped(preview: Preview) -> list[str]:
    """The proposed fields that do not come of it, though the others do."""
    if preview.result is None:
        return []
    made, before = preview.result, preview.current or {}
    return [
        name
        for name, value in preview.proposed.items()
        if name not in preview.merged
        and (value or None) != (made.get(name) or None)
        and (before.get(name) or None) == (made.get(name) or None)
    ]


def _base(row: Any) -> JsonObject:
    """What it was worked out from, of one that has been decided; empty where it is gone."""
    if row.item is None or row.base_version is None:
        return {}
    states = row.item.events.filter(version=row.base_version).values_list("state", flat=True)
    return states.first() or {}


def _left(preview: Preview, base: int | None) -> str:
    version = preview.current_version if preview.result is not None else base
    return _("Version %(version)s") % {"version": version} if version else _("Nothing yet")


def _said(change: JsonObject) -> str:
    fields = change.get("fields")
    names: Sequence[str] = fields if isinstance(fields, list) else []
    return _("Version %(version)s by %(name)s: %(fields)s") % {
        "version": change.get("version"),
        "name": change.get("agent") or change.get("by"),
        "fields": several_fields(names) or in_sentence(field_word(str(change.get("event")))),
    }
