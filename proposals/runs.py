"""What an agent did in a project in a span of time, and what undoing it would do.

An item that somebody else has changed since is left as it is, and so is one where undoing
would undo another's work or is refused: the list says why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from django.db.models import Q

from conderis.accounts.models import Agent, AuditEvent
from conderis.common.errors import NotFound
from conderis.common.json import JsonObject, compact
from conderis.common.times import iso
from items.access import reference_of, subject_of, visible_items
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.models import Item, ItemEvent
from projects.access import ProjectAccess
from proposals.access import is_locked, visible_proposals
from proposals.access import whole as whole_proposals
from proposals.models import Proposal

MAX_REMAINING = 100
# What the audit log tells of an agent that no version of an item does.
REMAINING = ("item.moved", "item.relate", "item.unrelate", "deletion.requested")


class Undo(StrEnum):
    """What undoing does to an item; each but `leave` is a new version of who undoes."""

    BACK = "back"  # to what it was before: its text and fields, active or archived
    ARCHIVE = "archive"  # what the agent created
    CANCEL = "cancel"  # what it created of a kind that is never archived
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class RunItem:
    """An item that the agent changed: its versions, their fields, and what undoing does.

    `to_version` is the one it goes back to (0: it was empty). `because` says why it is left,
    or what of it is. Of a locked item the title is empty.
    """

    item: JsonObject
    kind: str
    title: str
    versions: tuple[int, ...]
    fields: tuple[str, ...]
    current_version: int
    undo: Undo
    to_version: int | None = None
    because: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What an agent did in a span, oldest item first.

    `proposals` are its pending ones that undoing takes back. `remaining` is what undoing
    does not touch (moves, relations, deletion requests), newest first, at most 100.
    `digest` stands for the list: sent back, it shows that it was this one that was seen.
    """

    agent: JsonObject
    person: str
    since: datetime
    until: datetime
    items: tuple[RunItem, ...]
    proposals: tuple[str, ...]
    remaining: tuple[JsonObject, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Span:
    """Whose doings, from when to when, both included."""

    agent: Agent
    since: datetime
    until: datetime


@dataclass(slots=True)
class Step:
    """An item of the run with its row, and the state that it goes back to."""

    item: Item
    events: list[ItemEvent]
    undo: Undo = Undo.LEAVE
    before: JsonObject | None = None
    to_version: int | None = None
    because: str | None = None
    taken_by: int | None = None  # the number of what has the title that it goes back to

    @property
    def kind(self) -> Kind:
        """The item's kind."""
        return kind_of(self.item.kind)

    def leave(self, because: str) -> None:
        """Have the item stay as it is."""
        self.undo, self.because, self.to_version = Undo.LEAVE, because, None


def agent_of(access: ProjectAccess, agent_ref: str) -> Agent:
    """The agent of this reference, if it has done anything in the project.

    Raises:
        NotFound: there is none, or it has not; both get the same answer.
    """
    agent = Agent.objects.filter(public_id=agent_ref.removeprefix("agent:")).first()
    if agent is not None and agent.ref == agent_ref:
        seen = visible_items(access.caller, access.project)
        if (
            ItemEvent.objects.filter(item__in=seen, author_agent=agent).exists()
            or visible_proposals(access.caller, access).filter(proposer_agent=agent).exists()
        ):
            return agent
    raise NotFound(f"No agent {agent_ref[:40]} has done anything here.", field="agent")


def run_of(access: ProjectAccess, span: Span, steps: Sequence[Step]) -> Run:
    """The plan as it is shown, with its digest."""
    items = tuple(_shown(step) for step in steps)
    proposals = tuple(proposal.ref for proposal in pending_of(access, span))
    said = [
        span.agent.ref,
        iso(span.since),
        iso(span.until),
        [[each.item, each.current_version, each.undo.value, each.to_version] for each in items],
        list(proposals),
    ]
    return Run(
        agent={"ref": span.agent.ref, "name": span.agent.name},
        person=span.agent.person.display_name,
        since=span.since,
        until=span.until,
        items=items,
        proposals=proposals,
        remaining=_remaining(access, span),
        digest=sha256(compact(said).encode()).hexdigest(),
    )


def pending_of(access: ProjectAccess, span: Span) -> list[Proposal]:
    """The agent's pending proposals of the span that the caller may decide; no locked ones."""
    rows = visible_proposals(access.caller, access).filter(
        proposer_agent=span.agent,
        state=Proposal.State.PENDING,
        created__gte=span.since,
        created__lte=span.until,
    )
    return [each for each in whole_proposals(rows).order_by("pk") if not is_locked(each)]


def _shown(step: Step) -> RunItem:
    item = step.item
    names = dict.fromkeys(name for event in step.events for name in event.changed)
    return RunItem(
        item=reference_of(item),
        kind=item.kind,
        title="" if item.locked_at is not None else item.title,
        versions=tuple(event.version or 0 for event in step.events),
        fields=tuple(names),
        current_version=item.version,
        undo=step.undo,
        to_version=step.to_version,
        because=step.because,
    )


def _remaining(access: ProjectAccess, span: Span) -> tuple[JsonObject, ...]:
    """What the agent did beside: action, item and time, without what others may not know."""
    rows: Any = AuditEvent.objects.filter(
        Q(action__in=REMAINING) | Q(detail__has_key="moved"),
        project_id=access.project.pk,
        agent_id=span.agent.pk,
        at__gte=span.since,
        at__lte=span.until,
    )
    own = span.agent.person_id == access.caller.person_id
    newest = rows.order_by("-id").values("action", "subject", "at", "detail")[:MAX_REMAINING]
    return tuple(
        {"action": row["action"], "subject": row["subject"], "at": iso(row["at"])}
        for row in newest
        if own or not row["detail"].get("private")
    )


def named(step: Step) -> str:
    """The item as the audit log names it."""
    return subject_of(step.item)
