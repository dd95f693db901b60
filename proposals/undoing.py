"""Undoing all that an agent did in a span of time: for moderators, in the browser.

Nothing is taken out of any history: what is undone is a new version, by who undoes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.models import AuditEvent
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, DomainError, Invalid
from conderis.common.json import JsonObject
from conderis.common.times import iso
from items import acting
from items.access import Place, reference_of
from items.access import whole as whole_items
from items.acting import Doing
from items.change import Change
from items.kinds.registry import kind_of
from items.kinds.task import MAX_REASON
from items.models import Item
from items.patches import read_reason
from items.places import ancestors
from items.publishing import publish
from items.requests import ActRequest, Address
from items.screening import screen_texts
from projects.access import ProjectAccess, access_project
from projects.capabilities import Use
from proposals.applying import change_to
from proposals.models import Proposal
from proposals.runs import (
    Run,
    RunItem,
    Span,
    Step,
    Undo,
    agent_of,
    named,
    pending_of,
    run_of,
)
from proposals.settling import settle
from proposals.undo_plans import CANCELED, change_back, plan

__all__ = ["Run", "RunItem", "Undo", "agent_run", "undo_run"]

TAKEN_BACK = "Undone together with all that this agent did."


def agent_run(
    caller: Caller, project_id: str, *, agent_ref: str, since: datetime, until: datetime
) -> Run:
    """What an agent did in a project from `since` to `until`, and what undoing it would do.

    Costs some queries per item. Other people's private memories are not in it.

    Raises:
        Denied: an agent asks (`person`), or the role lacks `moderate`.
        NotFound: there is no such project that the caller may read, or no such agent in it.
        Invalid: the span is none, or the agent changed more than 200 items in it.
    """
    access, span = _asked(caller, project_id, agent_ref, (since, until), lock=False)
    return run_of(access, span, plan(access, span))


def undo_run(
    caller: Caller,
    project_id: str,
    *,
    agent_ref: str,
    since: datetime,
    until: datetime,
    seen: str,
    reason: str | None = None,
) -> JsonObject:
    """Undo what `agent_run` lists, all in one transaction; `seen` is that list's digest.

    The answer has `undone` items with their new versions, those `left` with why, and the
    `proposals` taken back (withdrawn where they are the caller's own person's, rejected
    else). Moves, relations and deletion requests stay. Repeated it is `unchanged`, and also
    where there is nothing to undo.

    Raises:
        Denied, NotFound, Invalid: as for `agent_run`; or the reason cannot be stored.
        Conflict: the list is not what was seen any more; look again.
    """
    said = read_reason(reason, limit=MAX_REASON)
    with transaction.atomic():
        access, span = _asked(caller, project_id, agent_ref, (since, until), lock=True)
        warnings = screen_texts(access.project, [("reason", said)] if said else [])
        if _is_undone(access, span, seen):
            return {"outcome": "unchanged"}
        steps = plan(access, span)
        run = run_of(access, span, steps)
        if run.digest != seen:
            raise Conflict(
                "Something has changed since this list was shown. Look at it again, then undo."
            )
        undoing = _Undoing(Place(caller, access), said)
        undoing.run(steps)
        taken_back = [_take_back(access, each, said) for each in pending_of(access, span)]
        if not undoing.undone and not taken_back:
            return {"outcome": "unchanged", "left": undoing.left}
        audit.record(
            caller,
            action="run.undone",
            subject=span.agent.ref,
            project_id=access.project.pk,
            since=iso(span.since),
            until=iso(span.until),
            seen=seen,
            # The log is read by others: no private memory shows in it.
            items=[named(step) for step in undoing.undone if step.item.visibility != "private"],
            left=len(undoing.left),
            proposals=taken_back,
        )
    answer: JsonObject = {
        "outcome": "done",
        "undone": [{**reference_of(step.item), "version": step.item.version}
                   for step in undoing.undone],
        "left": undoing.left,
        "proposals": taken_back,
    }  # fmt: skip
    return answer | ({"warnings": warnings} if warnings else {})


def _asked(
    caller: Caller,
    project_id: str,
    agent_ref: str,
    times: tuple[datetime, datetime],
    *,
    lock: bool,
) -> tuple[ProjectAccess, Span]:
    if caller.is_agent:
        raise Denied("Only people undo what an agent did, in the browser.", missing="person")
    access = access_project(caller, project_id, use=Use.PUBLISH, lock=lock)
    since, until = times
    if timezone.is_naive(since) or timezone.is_naive(until) or since > until:
        raise Invalid("since must come before until, both with a time zone.", field="since")
    return access, Span(agent_of(access, agent_ref), since, until)


def _is_undone(access: ProjectAccess, span: Span, seen: str) -> bool:
    """Whether this very list has been undone by this very person."""
    return AuditEvent.objects.filter(
        action="run.undone",
        project_id=access.project.pk,
        person_id=access.caller.person_id,
        subject=span.agent.ref,
        detail__seen=seen,
    ).exists()


@dataclass(slots=True)
class _Undoing:
    """One undoing: where, why, and what has come of it so far."""

    place: Place
    reason: str
    undone: list[Step] = field(default_factory=list)
    left: list[JsonObject] = field(default_factory=list)

    def run(self, steps: Sequence[Step]) -> None:
        """Undo each item on its own; what is refused to the end is left as it is."""
        for step in steps:
            if step.undo is Undo.LEAVE:
                self._leave(step, step.because or "")
        todo = sorted((step for step in steps if step.undo is not Undo.LEAVE), key=_order)
        while refused := self._tried(todo):
            if len(refused) == len(todo):
                for step, refusal in refused:
                    self._leave(step, refusal.message)
                break
            todo = [step for step, _ in refused]  # what went back may have freed a title
        for step in self.undone:
            step.item.refresh_from_db(fields=["version"])

    def _tried(self, steps: Sequence[Step]) -> list[tuple[Step, DomainError]]:
        """Undo each item; those that were refused, and why."""
        refused: list[tuple[Step, DomainError]] = []
        for step in steps:
            version = step.item.version
            try:
                with transaction.atomic():
                    self._undo(step)
            except DomainError as refusal:
                refused.append((step, refusal))
                continue
            if step.item.version != version:
                self.undone.append(step)
        return refused

    def _leave(self, step: Step, because: str) -> None:
        self.left.append({**reference_of(step.item), "because": because})

    def _undo(self, step: Step) -> None:
        step.item = item = self._standing(step.item)
        if step.undo is Undo.ARCHIVE:
            self._archive(item)
        elif step.undo is Undo.CANCEL:
            publish(self._change(item, {"status": CANCELED}))
        else:
            archived = bool((step.before or {}).get("archived"))
            if item.archived_at is not None and not archived:
                self._act(item, "restore")
            publish(change_back(self.place, step, reason=self.reason))
            if item.archived_at is None and archived:
                self._archive(item)

    def _standing(self, item: Item) -> Item:
        """The row as it now stands: undoing another item may have changed it."""
        row = whole_items(Item.objects.filter(pk=item.pk)).get()
        row.project = self.place.project
        return row

    def _change(self, item: Item, fields: JsonObject) -> Change:
        return change_to(self.place, item, fields, reason=self.reason)

    def _archive(self, item: Item) -> None:
        """Archive it, unless it has gone along already."""
        if item.archived_at is None:
            self._act(item, "archive")

    def _act(self, item: Item, action: str) -> None:
        doing = Doing(
            place=self.place,
            kind=kind_of(item.kind),
            item=item,
            request=ActRequest(Address(), action=action, version=item.version),
            reason=self.reason,
            fields={},
            now=timezone.now(),
        )
        acting.run(doing)


def _order(step: Step) -> tuple[bool, int]:
    """Parents first: what goes along with them comes back with them."""
    return step.item.archived_with_id is not None, len(ancestors(step.item))


def _take_back(access: ProjectAccess, proposal: Proposal, reason: str) -> str:
    """Have a pending proposal wait no more; answers its reference."""
    own = proposal.proposer_id == access.caller.person_id
    state = Proposal.State.WITHDRAWN if own else Proposal.State.REJECTED
    settle(access.caller, proposal, state, reason=reason or TAKEN_BACK)
    return proposal.ref
