"""What approving a proposed batch would make, item by item, and making it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from conderis.common.errors import Conflict, DomainError, Invalid
from conderis.common.json import JsonObject, without_nulls
from items.access import Place, reference_of
from items.batches.preparing import mates_of
from items.change import Change, Together
from items.creating import create_items
from items.events import Signature
from items.kinds.registry import kind_of
from items.models import Item
from items.state import parent_entry, shown_fields
from proposals.applying import change_to
from proposals.models import Proposal, ProposedItem


@dataclass(slots=True)
class EntryOutlook:
    """A proposed item: the change that makes it, or why it cannot be made now.

    `left_out` is what the reviewer leaves out, with all that stands under it.
    """

    entry: ProposedItem
    change: Change | None = None
    refusal: DomainError | None = None
    left_out: bool = False

    @property
    def result(self) -> JsonObject | None:
        """The fields as answers show them; None where nothing can come of it."""
        if self.change is None:
            return None
        shown = shown_fields(self.change.kind, self.change.after, tuple(self.change.kind.by_name))
        if self.entry.under is not None:
            shown.pop("parent", None)
        return shown


def look_at_entries(
    place: Place,
    proposal: Proposal,
    signature: Signature,
    *,
    leave_out: Collection[int] = (),
) -> list[EntryOutlook]:
    """The proposed items in order, each checked as if it were stored now; nothing is written.

    Raises:
        Invalid: there is no item at a place that is to be left out, or none would be left.
    """
    rows = list(proposal.entries.order_by("position"))
    _refuse_places(rows, leave_out)
    kind = kind_of(proposal.kind)
    mates = mates_of(place, kind, [row.fields for row in rows])
    found: list[EntryOutlook] = []
    for row in rows:
        parent = found[row.under] if row.under is not None else None
        gone = row.position in leave_out or (parent is not None and parent.left_out)
        outlook = EntryOutlook(row, left_out=gone)
        found.append(outlook)
        if gone:
            continue
        try:
            outlook.change = change_to(
                place,
                _new(place, proposal, row),
                row.fields,
                reason="",
                signature=signature,
                together=Together(mates, _parent(parent)),
            )
        except DomainError as refusal:
            outlook.refusal = refusal
    if all(each.left_out for each in found):
        raise Invalid("All items would be left out. Reject the proposal then.", field="leaveOut")
    return found


def _new(place: Place, proposal: Proposal, row: ProposedItem) -> Item:
    return Item(
        project=place.project,
        kind=proposal.kind,
        author_id=proposal.proposer_id,
        author_agent_id=proposal.proposer_agent_id,
        visibility=row.fields.get("visibility") or "",
    )


def _refuse_places(rows: Sequence[ProposedItem], leave_out: Collection[int]) -> None:
    places = {row.position for row in rows}
    wrong = next((place for place in leave_out if place not in places), None)
    if wrong is not None:
        raise Invalid(f"The proposal has no item {wrong}.", field="leaveOut",
                      allowed=sorted(places))  # fmt: skip


def _parent(outlook: EntryOutlook | None) -> Item | None:
    if outlook is None:
        return None
    if outlook.change is None:
        kind = kind_of(outlook.entry.proposal.kind)
        raise Conflict(f"The {kind.name} of this batch that it stands under does not fit.",
                       field="parent")  # fmt: skip
    return outlook.change.item


def apply_entries(proposal: Proposal, outlooks: Sequence[EntryOutlook]) -> None:
    """Make the items that are not left out, and note with each what became of it.

    Raises:
        Conflict: some cannot be made as things stand; `items` says which and why.
    """
    refuse_unfit(proposal, outlooks)
    create_items([each.change for each in outlooks if each.change is not None])
    for each in outlooks:
        each.entry.left_out = each.left_out
        each.entry.item = each.change.item if each.change is not None else None
    ProposedItem.objects.bulk_update([each.entry for each in outlooks], ["left_out", "item"])


def refuse_unfit(proposal: Proposal, outlooks: Sequence[EntryOutlook]) -> None:
    """Refuse where an item that is not left out cannot be made.

    Raises:
        Conflict: as `apply_entries` says.
    """
    unfit = [
        {"index": each.entry.position, **each.refusal.as_answer()}
        for each in outlooks
        if each.refusal is not None
    ]
    if unfit:
        raise Conflict(
            f"{proposal.ref} cannot be approved whole as things stand: {len(unfit)} of its items "
            f"do not fit, the first since: {unfit[0]['message']} A person can leave them out, in "
            "the browser.",
            items=unfit,
        )


def made_of(proposal: Proposal) -> JsonObject:
    """What became of an approved batch: its items with their numbers, and what was left out."""
    rows = list(proposal.entries.order_by("position").select_related("item", "item__parent"))
    items = [{"index": row.position, **_standing(row.item)} for row in rows if row.item is not None]
    left_out = [row.position for row in rows if row.left_out]
    return {"items": items} | ({"leftOut": left_out} if left_out else {})


def _standing(item: Item) -> JsonObject:
    if item.locked_at is not None:
        return {**reference_of(item), "locked": True}
    return {**reference_of(item), **without_nulls({"parent": parent_entry(item)})}
