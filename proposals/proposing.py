"""Making a proposal of what has been checked whole and is not to be published.

Nothing of the project changes by it, also not the time of its last change: whoever may
not see the proposal learns nothing of it.
"""

from dataclasses import dataclass, replace
from hashlib import sha256

from conderis.accounts import audit
from conderis.accounts.limits import count_write
from conderis.common.caller import Caller
from conderis.common.json import Json, JsonObject, compact
from items.access import reference_of, subject_of
from items.acting import Doing
from items.archiving import refuse_to_restore
from items.change import Change
from items.events import check_version
from items.kinds.values import Position
from items.models import Item
from items.similar import similar_after
from items.state import shown
from projects.access import ProjectAccess
from proposals.limits import refuse_too_many
from proposals.models import Proposal


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be proposed, before it is known whether it already has been."""

    access: ProjectAccess
    action: Proposal.Action
    kind: str
    item: Item | None
    fields: JsonObject
    title: str
    reason: str
    entries: tuple[JsonObject, ...] = ()  # the items of a batch

    @property
    def base_version(self) -> int | None:
        """The version of the item that it was worked out from."""
        return self.item.version if self.item is not None else None

    @property
    def digest(self) -> str:
        """The same for equal proposals: what they would do, and to which version."""
        said: list[Json] = [
            self.access.project.public_id,
            self.item.public_id if self.item is not None else None,
            self.base_version,
            self.action.value,
            self.kind,
            dict(sorted(self.fields.items())),
        ]
        if self.entries:
            said += [self.title, [dict(sorted(each.items())) for each in self.entries]]
        return sha256(compact(said).encode()).hexdigest()


def propose_change(change: Change, access: ProjectAccess) -> JsonObject:
    """Keep a change as a proposal and answer with it; in the transaction that prepared it.

    The change is one that would be published as it is: its base has been checked.

    Raises:
        Conflict: too many of the caller are pending; it says what to do.
        RateLimited: the caller is no member and has proposed too much in the last hour.
    """
    names = [*change.content, *change.structure]
    action = Proposal.Action.CHANGE if change.content else Proposal.Action.MOVE
    draft = Draft(
        access=access,
        action=Proposal.Action.CREATE if change.creates else action,
        kind=change.kind.name,
        item=None if change.creates else change.item,
        fields={name: proposed_value(change, name) for name in names},
        title=change.after["title"] if change.kind.has_title else "",
        reason=change.reason,
    )
    answer = _kept(change.place.caller, draft)
    answer |= similar_after(replace(change, item=_as_stored(change)))
    if not change.creates:
        answer["changed"] = names
    return answer | ({"warnings": change.warnings} if change.warnings else {})


def propose_action(doing: Doing, access: ProjectAccess) -> JsonObject:
    """Keep an archiving or restoring as a proposal and answer with it.

    The caller has seen to it that it would do something.

    Raises:
        Invalid, Conflict: no or another version was sent; it could not be restored now.
        Conflict, RateLimited: as for a change.
    """
    check_version(doing.item, doing.request.version)
    action = Proposal.Action(doing.request.action)
    if action is Proposal.Action.RESTORE:
        refuse_to_restore(doing.item)
    draft = Draft(
        access=access,
        action=action,
        kind=doing.kind.name,
        item=doing.item,
        fields={},
        title=doing.item.title,
        reason=doing.reason,
    )
    answer = _kept(doing.caller, draft)
    return answer | ({"warnings": list(doing.warnings)} if doing.warnings else {})


def _kept(caller: Caller, draft: Draft) -> JsonObject:
    """The answer with the new proposal, or with the equal one that is pending."""
    proposal, _ = kept_proposal(caller, draft)
    answer: JsonObject = {"outcome": "proposed", "proposal": proposal.ref}
    if draft.item is not None:
        answer |= {**reference_of(draft.item), "baseVersion": proposal.base_version}
    return answer


def kept_proposal(caller: Caller, draft: Draft) -> tuple[Proposal, bool]:
    """The new proposal, or the equal one that is pending, and whether it is new.

    Raises:
        Conflict, RateLimited: as for a change.
    """
    digest = draft.digest
    proposal = Proposal.objects.filter(
        proposer=caller.person_id, digest=digest, state=Proposal.State.PENDING
    ).first()
    if proposal is not None:
        return proposal, False
    refuse_too_many(caller, draft.access, draft.item)
    proposal = Proposal.objects.create(
        project=draft.access.project,
        item=draft.item,
        kind=draft.kind,
        action=draft.action,
        base_version=draft.base_version,
        digest=digest,
        proposer_id=caller.person_id,
        proposer_agent_id=caller.agent_id,
        reason=draft.reason,
        title=draft.title,
        fields=draft.fields,
        count=len(draft.entries) or None,
    )
    audit.record(
        caller,
        action="proposal.created",
        subject=proposal.ref,
        project_id=proposal.project_id,
        kind=proposal.kind,
        proposed=proposal.action,
        item=subject_of(draft.item) if draft.item is not None else None,
    )
    said: list[Json] = [draft.fields, list(draft.entries)]
    count_write(caller, size=len(compact(said).encode()))
    return proposal, True


def _as_stored(change: Change) -> Item:
    """The item as far as others are compared with it; a new one has the key of no row."""
    standing = change.item
    parent = change.parent if "parent" in change.structure else standing.parent
    texts = {name: change.after.get(name, "") for name in ("title", "summary", "content")}
    return Item(pk=standing.pk or 0, kind=standing.kind, parent=parent, **texts)


def proposed_value(change: Change, name: str) -> Json:
    """The value as a caller would send it; None clears."""
    field = change.kind.by_name[name]
    if isinstance(field.type, Position):
        return change.patch.values.get(name)
    return shown(field, change.after[name])
