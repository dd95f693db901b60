"""Filling an item's row from a change: its fields, and a task's state."""

from conderis.accounts.models import Agent, Person
from items.assignees import row_of
from items.change import Change
from items.kinds.task import Work
from items.kinds.values import Assignee, ItemReference, Numbers, Position
from items.models import Item
from items.state import holder_of, set_value

WORK_COLUMNS = (
    "status",
    "assignee_person",
    "assignee_agent",
    "held_since",
    "blocked_reason",
    "status_before",
)


def fill_row(change: Change) -> None:
    """Set the columns of the fields that the change sets; structure is set where it is placed."""
    for field in change.kind.fields:
        if isinstance(field.type, Assignee | ItemReference | Numbers | Position):
            continue
        if change.creates or field.name in change.content:
            set_value(change.item, field, change.after[field.name])
    if change.work is not None:
        fill_work(change.item, change.work, change.mates.rows)


def fill_work(item: Item, work: Work, known: dict[str, Person | Agent] | None = None) -> None:
    """Set the columns of a task's state. `known` keeps the rows of who holds tasks."""
    item.status = work.status
    item.held_since = work.held_since
    item.blocked_reason = work.blocked_reason
    item.status_before = work.status_before
    if work.assignee != holder_of(item):
        row = row_of(work.assignee, known if known is not None else {})
        item.assignee_person = row if isinstance(row, Person) else None
        item.assignee_agent = row if isinstance(row, Agent) else None
