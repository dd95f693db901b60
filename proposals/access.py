"""The doors to proposals: the only way from a caller to one.

A proposal is there for its proposer (the person, with all agents of theirs) and for those
whose role could approve it. For everybody else it does not exist: it shows in no count, no
list and no refusal.
"""

import re
from dataclasses import dataclass

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied, NotFound
from items.access import nothing_at
from items.kinds.base import Review
from items.kinds.registry import all_kinds, kind_of
from items.models import Item, ItemEvent
from projects.access import (
    ProjectAccess,
    access_project,
    projects_with,
    require_scope,
    visible_projects,
)
from projects.assignees import people_who_manage, people_who_moderate
from projects.capabilities import NEEDS, Capability, Use
from proposals.models import Proposal, ProposedItem

_REF = re.compile(r"proposal:(?P<id>[0-9a-z]{1,20})\Z")
# What a proposal is read with in one query; of the item no texts.
RELATED = ("project", "item", "proposer", "proposer_agent", "decided_by", "decided_by_agent")
_UNREAD = tuple(
    f"item__{column}"
    for column in ("content", "summary", "tags", "data", "verified_against", "commits")
)


@dataclass(frozen=True, slots=True)
class ProposalAccess:
    """A proposal that the caller may see, with what the caller may do with it."""

    proposal: Proposal
    place_access: ProjectAccess
    caller: Caller

    @property
    def is_own(self) -> bool:
        """Whether the caller's person, or an agent of that person, has proposed it."""
        return self.proposal.proposer_id == self.caller.person_id

    @property
    def review_use(self) -> Use:
        """What approving or rejecting it is, by its kind."""
        return _review_use(self.proposal.kind)

    @property
    def may_review(self) -> bool:
        """Whether the caller may approve it. Costs a query where it is the caller's own."""
        return self.cannot_review_because is None

    @property
    def cannot_review_because(self) -> str | None:
        """Why the caller may not approve it, as one sentence; None where it may.

        Only the right is looked at: not whether it is still pending, nor whether it fits.
        """
        refusal = self._review_refusal()
        return refusal.message if refusal is not None else None

    def require_review(self) -> None:
        """Go on only if the caller may approve it.

        Raises:
            Denied: the key lacks the scope `review`, the role the capability, it is the
                caller's own proposal and somebody else could approve it (`another person`;
                `person` where only the person may, in the browser), or an agent asks where
                agents' changes are always reviewed (`person`).
        """
        refusal = self._review_refusal()
        if refusal is not None:
            raise refusal

    def _review_refusal(self) -> Denied | None:
        try:
            self.place_access.require(self.review_use)
        except Denied as refusal:
            return refusal
        if self.caller.is_agent and self.place_access.always_reviewed:
            # Else two agents, one proposing and one approving, would publish without a person.
            return Denied(
                "A person reviews what agents change here, so agents neither approve nor reject.",
                missing="person",
            )
        if not self.is_own:
            return None
        if self._others().exists():
            return Denied(
                "This proposal is your own or one of your agents'; somebody else decides it. "
                "To take it back use withdraw.",
                missing="another person",
            )
        if self.caller.is_agent or self.caller.surface is not Surface.WEB:
            return Denied(
                "This proposal is of your own person, who alone could approve it, and does so in "
                "the browser only.",
                missing="person",
            )
        return None

    def _others(self) -> QuerySet[Person]:
        """The people beside the caller's who could approve it."""
        instructions = self.review_use is Use.REVIEW_INSTRUCTIONS
        people = people_who_manage if instructions else people_who_moderate
        return people(self.place_access.project).exclude(pk=self.caller.person_id)


def visible_proposals(caller: Caller, place_access: ProjectAccess | None) -> QuerySet[Proposal]:
    """The proposals in a project, or (None) in all that the caller may read, that it may see.

    Locked ones are among them; their content is not to be shown (`is_locked`).
    """
    own = Q(proposer=caller.person_id)
    owners = [kind.name for kind in all_kinds() if kind.review is Review.OWNERS]
    if place_access is not None:
        rows = Proposal.objects.filter(project=place_access.project)
        if Capability.MANAGE in place_access.capabilities:
            return rows
        if Capability.MODERATE in place_access.capabilities:
            return rows.filter(own | ~Q(kind__in=owners))
        return rows.filter(own)
    managed = projects_with(caller, Capability.MANAGE).values("pk")
    moderated = projects_with(caller, Capability.MODERATE).values("pk")
    readable = visible_projects(caller).values("pk")
    return Proposal.objects.filter(
        Q(own, project__in=readable)
        | Q(project__in=managed)
        | (Q(project__in=moderated) & ~Q(kind__in=owners))
    )


def whole(rows: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """The rows with all that showing them takes, in one query; `is_locked` needs it."""
    return with_locks(rows).select_related(*RELATED).defer(*_UNREAD)


def with_locks(rows: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """The rows, each with `content_locked`: whether its content may not be shown.

    So it is while a deletion request locks it, or its item, or the version that it was worked
    out from or that came of it: most of the text is the same; a batch while any item that came
    of it is. Erased ones stay so.
    """
    versions = ItemEvent.objects.filter(
        Q(version=OuterRef("base_version")) | Q(version=OuterRef("result_version")),
        item=OuterRef("item"),
    )
    locked_item = Item.objects.filter(pk=OuterRef("item"), locked_at__isnull=False)
    of_batch = ProposedItem.objects.filter(proposal=OuterRef("pk"), erased_at__isnull=True)
    first = ItemEvent.objects.filter(item=OuterRef("item"), version=1).exclude(locked_by="")
    locked_in_batch = of_batch.filter(Q(item__locked_at__isnull=False) | Exists(first))
    return rows.annotate(
        content_locked=Case(
            When(~Q(locked_by="") | Q(erased_at__isnull=False), then=Value(value=True)),
            When(Exists(locked_item), then=Value(value=True)),
            When(Exists(versions.exclude(locked_by="")), then=Value(value=True)),
            When(Exists(locked_in_batch), action=Proposal.Action.BATCH, then=Value(value=True)),
            default=Value(value=False),
            output_field=BooleanField(),
        )
    )


def is_locked(proposal: Proposal) -> bool:
    """Whether nothing of its content may be shown now, of a row that `whole` has loaded."""
    return bool(vars(proposal)["content_locked"])


def proposal_id(ref: object) -> str | None:
    """The id in `proposal:<id>`; None where it is no reference of a proposal."""
    found = _REF.match(ref.strip()) if isinstance(ref, str) else None
    return found["id"] if found else None


def access_proposal(
    caller: Caller, ref: str, *, lock: bool = False, use: Use = Use.READ
) -> ProposalAccess:
    """The proposal of this reference, if the caller may see it.

    `use` REVIEW asks for what approving it needs, by its kind, but not whether it is the
    caller's own (`require_review` does); any other use needs its scope of the key, and that
    the project can be read. `lock` takes the project's row and then the proposal's until the
    transaction ends.

    Raises:
        NotFound: there is none that the caller may see, or the reference is none.
        Denied: the key lacks the scope, or the role what reviewing needs.
    """
    require_scope(caller, NEEDS[use].scope)
    found = _seen(caller, ref)
    try:
        place_access = access_project(caller, found.project.public_id, lock=lock)
    except NotFound:  # gone since the row was read
        raise _nothing(ref) from None
    if lock:
        Proposal.objects.select_for_update(no_key=True).only("pk").get(pk=found.pk)
        found = _seen(caller, ref)
    found.project = place_access.project
    if use in (Use.REVIEW, Use.REVIEW_INSTRUCTIONS):
        place_access.require(_review_use(found.kind))
    return ProposalAccess(found, place_access, caller)


def _seen(caller: Caller, ref: str) -> Proposal:
    public_id = proposal_id(ref)
    rows = whole(visible_proposals(caller, None))
    found = rows.filter(public_id=public_id).first() if public_id is not None else None
    if found is None:
        raise _nothing(ref)
    return found


def _review_use(kind: str) -> Use:
    owners = kind_of(kind).review is Review.OWNERS
    return Use.REVIEW_INSTRUCTIONS if owners else Use.REVIEW


def _nothing(ref: str) -> NotFound:
    public_id = proposal_id(ref)
    return nothing_at(f"proposal:{public_id}" if public_id is not None else "such proposal")
