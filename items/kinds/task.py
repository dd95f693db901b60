"""Tasks: what is to be done, and the rules by which their state changes.

The state machine is plain data: `Work` is a task's state, the functions below answer
the next one or refuse. Setting `status` does what the action does (spec, section 2).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from conderis.common.errors import Conflict, Invalid
from items.kinds.base import RELATE, UNRELATE, ActionRow, Field, Filter, Kind, Status
from items.kinds.values import (
    Assignee,
    Choice,
    Commits,
    Day,
    Due,
    ItemReference,
    Line,
    Numbers,
    ParentFilter,
    Switch,
    Tags,
    Text,
)

STATUSES = (
    Status("open", active=True),
    Status("in_progress", active=True),
    Status("blocked", active=True),
    Status("done", active=False),
    Status("canceled", active=False),
)
PRIORITIES = ("urgent", "high", "normal", "low")
CLOSED = frozenset(status.name for status in STATUSES if not status.active)
MAX_REASON = 2000

TASK = Kind(
    name="task",
    plural="tasks",
    fields=(
        Field("title", Line(200), "title", required=True, clearable=False, searched=True),
        Field("content", Text(100_000), "content", searched=True),
        Field("tags", Tags(), "tags", searched=True),
        Field(
            "status",
            Choice(tuple(status.name for status in STATUSES)),
            "status",
            ", ".join(status.name for status in STATUSES),
            clearable=False,
            default="open",
            restored=False,
        ),
        Field(
            "priority",
            Choice(PRIORITIES, ranked=True),
            "priority",
            ", ".join(PRIORITIES),
            clearable=False,
            default="normal",
        ),
        Field("assignee", Assignee(), "assignee", restored=False),
        Field("due", Day(), "due", "date"),
        Field("parent", ItemReference(), "parent", structure=True, historic=False),
        Field("dependsOn", Numbers(), "depends_on", structure=True, historic=False),
        Field("commits", Commits(), "commits", "full SHAs"),
    ),
    filters=(
        Filter("priority", Choice(PRIORITIES, ranked=True)),
        Filter("assignee", Assignee(none=True)),
        Filter("parent", ParentFilter()),
        Filter("tags", Tags()),
        Filter("due", Due(), "overdue, none"),
        Filter("ready", Switch(), "open, free, nothing before it"),
        Filter("includeClosed", Switch()),
    ),
    actions=(
        ActionRow("claim"),
        ActionRow("complete", (Field("summary", Text(MAX_REASON)),)),
        ActionRow("block"),
        ActionRow("unblock"),
        RELATE,
        UNRELATE,
    ),
    sorts=("priority", "due", "updated", "created", "title"),
    entry=("status", "priority", "assignee", "due", "tags", "parent"),
    max_depth=5,
    archived_with_parent=False,
    statuses=STATUSES,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who a task is assigned to: `ref` is `person:<id>` or `agent:<id>`.

    `person_ref` is the person behind an agent, or the person.
    """

    ref: str
    person_ref: str
    name: str


@dataclass(frozen=True, slots=True)
class Work:
    """The part of a task that its state machine changes."""

    status: str
    assignee: Holder | None = None
    held_since: datetime | None = None
    blocked_reason: str = ""
    status_before: str = ""


def held_by_other(work: Work, by: Holder) -> bool:
    """Whether another person or another agent holds the task.

    A task assigned to the agent's own person is not held by someone else.
    """
    holder = work.assignee
    if holder is None or holder.ref == by.ref:
        return False
    return holder.ref != by.person_ref


def claim(work: Work, by: Holder, now: datetime) -> Work:
    """Assign the task to the caller and put it in progress.

    Raises:
        Conflict: it is blocked, closed, or held by somebody else.
    """
    refuse_closed(work)
    if work.status == "blocked":
        raise Conflict(
            "This task is blocked. When the reason no longer holds, use the action unblock, "
            "then claim it.",
            blockedReason=work.blocked_reason,
            status=work.status,
        )
    if held_by_other(work, by):
        raise held(work)
    return replace(work, status="in_progress", assignee=by, held_since=now)


def refuse_closed(work: Work) -> None:
    """Refuse to take up a closed task; it must be reopened first.

    Raises:
        Conflict: it is closed.
    """
    if work.status in CLOSED:
        raise Conflict(
            f"This task is {work.status}. To take it up again, reopen it with item_store "
            'fields {"status": "open"}, then claim it.',
            status=work.status,
        )


def held(work: Work) -> Conflict:
    """The refusal that names who holds the task, since when, and how to take it over."""
    holder = work.assignee
    if holder is None:  # asked only for held tasks
        return Conflict("This task is held.")
    return Conflict(
        f"{holder.name} already holds this task. To take it over on purpose, send item_store "
        'fields {"assignee": "me"}, then claim it.',
        holder={"ref": holder.ref, "name": holder.name},
        since=work.held_since,
    )


def complete(work: Work) -> Work:
    """Close the task as done; ends a block.

    Raises:
        Conflict: it is canceled.
    """
    if work.status == "canceled":
        raise Conflict(
            'This task is canceled. Reopen it with item_store fields {"status": "open"} first.',
            status=work.status,
        )
    return replace(work, status="done", blocked_reason="", status_before="")


def block(work: Work, reason: str) -> Work:
    """Block the task, remembering what it was before.

    Raises:
        Invalid: there is no reason.
        Conflict: the task is closed.
    """
    if not reason:
        raise Invalid(
            "To block a task, send reason: what it waits for.", field="reason", allowed=["text"]
        )
    if work.status in CLOSED:
        raise Conflict(
            f"This task is {work.status}; only an active task can be blocked.", status=work.status
        )
    before = work.status_before if work.status == "blocked" else work.status
    return replace(work, status="blocked", blocked_reason=reason, status_before=before)


def unblock(work: Work) -> Work:
    """End the block; the task goes back to the status before it.

    Raises:
        Conflict: it is not blocked.
    """
    if work.status != "blocked":
        raise Conflict(f"This task is not blocked; it is {work.status}.", status=work.status)
    return replace(work, status=work.status_before or "open", blocked_reason="", status_before="")


def set_status(
    work: Work, status: str, *, by: Holder, assigned: bool, reason: str, now: datetime
) -> Work:
    """Bring the task to a status as the action that leads there would.

    `work` already carries the assignee that was sent with the change, if `assigned`.

    Raises:
        Invalid: blocked without a reason.
        Conflict: the way there is closed.
    """
    if status == "blocked":
        return block(work, reason)
    if status == "done":
        return complete(work)
    if status == "canceled":
        return replace(work, status="canceled", blocked_reason="", status_before="")
    free = replace(work, blocked_reason="", status_before="")
    if status == "in_progress":
        refuse_closed(work)
        taker = work.assignee or by
        since = work.held_since if work.assignee else None
        return replace(free, status="in_progress", assignee=taker, held_since=since or now)
    if work.status == "in_progress" and not assigned:  # given back
        return replace(free, status="open", assignee=None, held_since=None)
    return replace(free, status="open")
