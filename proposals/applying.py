"""What approving a proposal would do to what now stands, worked out; nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from conderis.common.caller import Caller, Surface
from conderis.common.errors import Conflict, DomainError, Locked
from conderis.common.json import JsonObject
from items.access import Place, refuse_locked, subject_of
from items.access import whole as whole_items
from items.acting import Doing
from items.archiving import refuse_to_restore
from items.change import Change, Together, publishing_use
from items.changes import join
from items.differences import TEXT_FIELDS, work_out
from items.events import Signature
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.kinds.values import SourceState, Text
from items.models import Item
from items.patches import read_patch
from items.requests import ActRequest, Address
from items.state import shown_fields, state_of
from proposals.access import ProposalAccess, is_locked
from proposals.merging import FieldConflict, Merge, merge_fields
from proposals.models import Proposal

NOTHING = Merge({})


@dataclass(slots=True)
class Outlook:
    """What approving would do: a change or an action, or why there is none.

    `base` is what the proposal was worked out from and `current` what stands, as answers
    show fields; None where there is none or it is locked. `refusal` says why it cannot be
    approved now, beside the merge's conflicts.
    """

    item: Item | None = None
    base: JsonObject | None = None
    current: JsonObject | None = None
    merge: Merge = NOTHING
    doing: Change | Doing | None = None
    refusal: DomainError | None = None
    result: JsonObject | None = None
    base_erased: bool = False

    @property
    def current_version(self) -> int | None:
        """The version that stands; None where approving creates the item."""
        return self.item.version if self.item is not None else None


@dataclass(slots=True)
class _Look:
    """One look at a proposal: what it is of and where, and the outlook as far as known."""

    access: ProposalAccess
    proposal: Proposal
    place: Place
    kind: Kind
    outlook: Outlook = field(default_factory=Outlook)

    @property
    def shows_whole_texts(self) -> bool:
        """Whether whoever approves sees the proposed text whole beside the current one."""
        caller = self.access.caller
        return caller.surface is Surface.WEB and not caller.is_agent

    @property
    def signature(self) -> Signature:
        """The proposer's, with the caller as who approves."""
        return signature_of(self.proposal, self.access.caller)


def signature_of(proposal: Proposal, caller: Caller) -> Signature:
    """Whose what comes of it is: the proposer's, with the caller as who approves."""
    return Signature(
        proposal.proposer_id,
        proposal.proposer_agent_id,
        approver_id=caller.person_id,
        approver_agent_id=caller.agent_id,
    )


def look_ahead(access: ProposalAccess) -> Outlook:
    """What approving this pending proposal would do now; it may not be possible.

    Whether the caller may approve is not asked. To approve, the project must be locked.
    """
    proposal = access.proposal
    place = Place(access.caller, access.place_access)
    look = _Look(access, proposal, place, kind_of(proposal.kind))
    outlook = look.outlook
    outlook.item = _target(look)
    try:
        _refuse_locked(look)
        if outlook.item is not None:
            outlook.current = state_shown(look.kind, state_of(outlook.item), outlook.item)
            outlook.base = _base(proposal, outlook.item)
        _ACTIONS[Proposal.Action(proposal.action)](look)
    except Locked as refusal:
        outlook.refusal = refusal
    except DomainError as refusal:
        outlook.refusal = Conflict(
            f"{proposal.ref} cannot be approved as things stand: {refusal.message}",
            current_version=outlook.current_version,
            field=refusal.details.get("field"),
            number=refusal.details.get("number"),
        )
    return outlook


def change_to(
    place: Place,
    item: Item,
    fields: JsonObject,
    *,
    reason: str,
    signature: Signature | None = None,
    together: Together | None = None,
) -> Change:
    """The change that gives a standing or a new item these fields, checked whole.

    Nobody's right to it is asked, nor its base: who calls has done both. The texts count as
    read to their end. `together` says which others a new item is made with, if any.

    Raises:
        Invalid, TooLarge, NotFound, Conflict, Locked: it may not be so.
    """
    kind = kind_of(item.kind)
    patch = read_patch(kind, fields | ({"complete": True} if "content" in kind.by_name else {}))
    before = None if item.is_new else state_of(item)
    standing = {
        each.name: each.type.empty if each.default is None else each.default for each in kind.fields
    }
    change = Change(
        place=place,
        kind=kind,
        item=item,
        before=before,
        after={**(before or standing), **patch.values},
        use=publishing_use(kind, place, item.visibility),
        now=timezone.now(),
        patch=patch,
        version=item.version,
        reason=reason,
        signature=signature,
    )
    if together is not None:
        join(change, together)
    work_out(change, standing=item.content)
    if change.creates:
        item.parent = change.parent
    return change


def state_shown(kind: Kind, state: Mapping[str, Any], item: Item | None = None) -> JsonObject:
    """The fields as answers show them, with the parent, and whether the item is archived."""
    answer = shown_fields(kind, state, tuple(kind.by_name))
    return answer | ({"archived": True} if item and item.archived_at is not None else {})


def _target(look: _Look) -> Item | None:
    """The item with all that changing it takes; also one that has come to be meanwhile."""
    item: Item | None
    if look.proposal.item_id is not None:
        item = whole_items(Item.objects.filter(pk=look.proposal.item_id)).get()
    elif not look.kind.numbered:
        item = whole_items(look.place.items().filter(kind=look.kind.name)).first()
    else:
        return None
    if item is not None:
        item.project = look.place.project
    return item


def _refuse_locked(look: _Look) -> None:
    if look.outlook.item is not None:
        refuse_locked(look.outlook.item)
    if is_locked(look.proposal):
        raise Locked(
            f"{look.proposal.ref}, or the version that it is based on, is locked by a deletion "
            "request until a person has decided it."
        )


def _base(proposal: Proposal, item: Item) -> JsonObject | None:
    """What it was worked out from; None where that has been erased."""
    if proposal.base_version is None:
        return {}
    state: JsonObject | None = (
        item.events.filter(version=proposal.base_version).values_list("state", flat=True).first()
    )
    return state


def _create(look: _Look) -> None:
    if look.outlook.item is not None:  # the instructions, which somebody else wrote first
        _change(look)
        return
    proposal = look.proposal
    item = Item(
        project=look.place.project,
        kind=look.kind.name,
        author_id=proposal.proposer_id,
        author_agent_id=proposal.proposer_agent_id,
        visibility=proposal.fields.get("visibility") or "",
    )
    _work_out(look, item, proposal.fields)


def _change(look: _Look) -> None:
    outlook, proposal = look.outlook, look.proposal
    item = _standing(look)
    base, current = outlook.base, outlook.current or {}
    if base is None:
        if not look.shows_whole_texts:
            raise Conflict(
                f"version {proposal.base_version}, which it was worked out from, has been erased, "
                "so nothing can be merged. A person can approve it as a whole text, in the "
                "browser; else change the item directly, or reject the proposal."
            )
        outlook.base_erased = True
        outlook.merge = Merge(dict(proposal.fields))
    else:
        outlook.merge = _merged(look.kind, proposal, base, current)
    if not outlook.merge.conflicts:
        _work_out(look, item, outlook.merge.fields)


def _merged(kind: Kind, proposal: Proposal, base: JsonObject, current: JsonObject) -> Merge:
    """The content merged with what stands; the place is taken as proposed: last one wins.

    A source state is what the whole text was checked against, so it does not outlive a
    text that was merged, and is not given to a text that was changed meanwhile.
    """
    content: JsonObject = {}
    structure: JsonObject = {}
    # In the kind's order: the database may keep another one.
    for name, each in kind.by_name.items():
        if name in proposal.fields:
            (structure if each.structure else content)[name] = proposal.fields[name]
    checked = next((each.name for each in kind.fields if isinstance(each.type, SourceState)), "")
    rewritten = any(
        current.get(name) not in (base.get(name), content.get(name, base.get(name)))
        for name in TEXT_FIELDS
    )
    conflicts: tuple[FieldConflict, ...] = ()
    if checked in content and TEXT_FIELDS & set(content):
        if rewritten or content[checked] is None:
            del content[checked]
    elif content.get(checked) is not None and rewritten:
        values = (base.get(checked), current.get(checked), content.pop(checked))
        conflicts = (FieldConflict(checked, *values),)
    texts = [each.name for each in kind.fields if isinstance(each.type, Text)]
    merge = merge_fields(base, current, content, texts=texts)
    return Merge(merge.fields | structure, merge.merged, merge.conflicts + conflicts)


def _move(look: _Look) -> None:
    _work_out(look, _standing(look), look.proposal.fields)


def _archive(look: _Look) -> None:
    item = _standing(look)
    _do(look, item)
    look.outlook.result = {**(look.outlook.current or {}), "archived": True}


def _restore(look: _Look) -> None:
    item = look.outlook.item
    if item is None or item.archived_at is None:
        raise Conflict(f"{subject_of(item) if item else 'it'} is not archived any more.")
    refuse_to_restore(item)
    _do(look, item)
    result = dict(look.outlook.current or {})
    look.outlook.result = {name: value for name, value in result.items() if name != "archived"}


def _standing(look: _Look) -> Item:
    """The item, which must be active.

    Raises:
        Conflict: it is archived.
    """
    item = look.outlook.item
    if item is None:
        raise Conflict("there is nothing any more that it would change.")
    if item.archived_at is not None:
        raise Conflict(f"{subject_of(item)} is archived. Restore it first (item_action restore).")
    return item


def _work_out(look: _Look, item: Item, fields: JsonObject) -> None:
    change = change_to(
        look.place, item, fields, reason=look.proposal.reason, signature=look.signature
    )
    look.outlook.doing = change
    look.outlook.result = state_shown(look.kind, change.after)


def _do(look: _Look, item: Item) -> None:
    look.outlook.doing = Doing(
        place=look.place,
        kind=look.kind,
        item=item,
        request=ActRequest(Address(), action=look.proposal.action, version=item.version),
        reason=look.proposal.reason,
        fields={},
        now=timezone.now(),
        signature=look.signature,
    )


_ACTIONS = {
    Proposal.Action.CREATE: _create,
    Proposal.Action.CHANGE: _change,
    Proposal.Action.MOVE: _move,
    Proposal.Action.ARCHIVE: _archive,
    Proposal.Action.RESTORE: _restore,
}
