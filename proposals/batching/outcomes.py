"""What came of a batch, as values and as the answer of the contract (section 9)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from conderis.common.errors import DomainError
from conderis.common.json import JsonObject, without_nulls
from items.batches.reading import Entry
from items.kinds.base import Kind
from proposals.models import Proposal


class Outcome(StrEnum):
    """What came of a kind, or of the whole batch (which alone can be `partly` stored)."""

    STORED = "stored"
    PROPOSED = "proposed"
    PARTLY = "partly"
    FAILED = "failed"


@dataclass(slots=True)
class OfKind:
    """What came of the items of one kind; `items` are the answers' members, in order.

    `refusal` is of the kind as a whole, `refusals` are those of its items by their place.
    """

    kind: Kind
    entries: Sequence[Entry]
    outcome: Outcome
    items: list[JsonObject] = field(default_factory=list)
    proposal: Proposal | None = None
    refusal: DomainError | None = None
    refusals: dict[int, DomainError] = field(default_factory=dict)
    replayed: bool = False
    undone: bool = False

    @property
    def answer(self) -> JsonObject:
        """The member of `kinds`."""
        answer: JsonObject = {"outcome": self.outcome.value, "count": len(self.entries)}
        if self.proposal is not None:
            answer["proposal"] = self.proposal.ref
            if self.proposal.state != Proposal.State.PENDING:
                answer["state"] = self.proposal.state
        if self.refusal is not None:
            answer |= self.refusal.as_answer()
        elif self.refusals:
            first = next(iter(self.refusals.values()))
            answer["error"] = first.code
            answer["message"] = (
                f"{len(self.refusals)} of {len(self.entries)} cannot be stored, so none of "
                f"the {self.kind.plural} was. Mend what items say, and send the batch again."
            )
        elif self.undone:
            answer["message"] = "Not stored, since the batch is atomic and another kind failed."
        return answer

    def items_shown(self) -> dict[int, JsonObject]:
        """The members of `items`, by their place in the batch."""
        shown: dict[int, JsonObject] = {}
        for place, entry in enumerate(self.entries):
            refusal = self.refusals.get(entry.index)
            said = self.items[place] if place < len(self.items) else {}
            more = refusal.as_answer() if refusal is not None else said
            shown[entry.index] = without_nulls({"index": entry.index, "key": entry.key}) | more
        return shown


def failed(kind: Kind, entries: Sequence[Entry], refusal: DomainError) -> OfKind:
    """A kind that was refused as a whole."""
    return OfKind(kind, entries, Outcome.FAILED, refusal=refusal)


def answer_of(results: Sequence[OfKind]) -> JsonObject:
    """The whole answer."""
    items: dict[int, JsonObject] = {}
    for each in results:
        items |= each.items_shown()
    answer: JsonObject = {
        "outcome": _whole(results).value,
        "kinds": {each.kind.name: each.answer for each in results},
        "items": [items[index] for index in sorted(items)],
    }
    replayed = [each.kind.name for each in results if each.replayed]
    return answer | ({"replayed": replayed} if replayed else {})


def _whole(results: Sequence[OfKind]) -> Outcome:
    outcomes = {each.outcome for each in results}
    if outcomes == {Outcome.FAILED}:
        return Outcome.FAILED
    if Outcome.FAILED in outcomes:
        return Outcome.PARTLY
    return Outcome.PROPOSED if Outcome.PROPOSED in outcomes else Outcome.STORED
