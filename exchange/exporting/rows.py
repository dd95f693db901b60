"""Rows as the lines of an export: JSON objects, without a word of what is locked or erased.

People stand there by the names that they show, or that an import brought, never by an address.
"""

from collections.abc import Sequence

from conderis.accounts.models import Agent, Person
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from exchange.exporting.layout import ERASED, EVENT, ITEM, NOT_EXPORTED, PROPOSAL, TOMBSTONE
from exchange.exporting.outline import Node
from items.crediting import author_of, doer_of
from items.kinds.registry import kind_of
from items.models import Item, ItemEvent
from items.state import shown, value_of
from proposals.access import is_locked
from proposals.entries import item_reference, title_of
from proposals.models import Proposal


def item_line(
    item: Item, node: Node, *, parent: int | None, relations: Sequence[JsonObject]
) -> JsonObject:
    """The item as it stands; its history follows in lines of its own.

    `relations` are those that go out from it; those that have no direction stand with the
    item of the lower number.
    """
    kind = kind_of(item.kind)
    fields = {each.name: shown(each, value_of(item, each)) for each in kind.fields if each.historic}
    author = author_of(item)
    line: JsonObject = {
        "type": ITEM,
        "id": item.public_id,
        "kind": item.kind,
        "number": item.number,
        "version": item.version,
        "fields": without_nulls(fields),
        "blockedReason": item.blocked_reason or None,
        "heldSince": iso(item.held_since) if item.held_since else None,
        "parent": parent,
        "position": node.position,
        "relations": list(relations) or None,
        "author": _credit(author.person, author.agent),
        "created": iso(item.created),
        "changed": iso(item.changed),
        "archived": iso(item.archived_at) if item.archived_at else None,
    }
    return without_nulls(line)


def event_line(item: Item, event: ItemEvent) -> JsonObject:
    """An entry of the item's history, with the whole state where it made a version."""
    readable = not event.locked_by
    by = doer_of(event, with_approver=True)
    line: JsonObject = {
        "type": EVENT,
        "item": item.public_id,
        "event": event.event,
        "version": event.version,
        "at": iso(event.at),
        "by": _credit(by.person, by.agent),
        "approver": _credit(by.approver, by.approver_agent) if by.approver else None,
        "reason": event.reason or None if readable else None,
        "changed": event.changed or None,
        "state": _ordered(item.kind, event.state) if readable and event.state else None,
        "locked": True if event.locked_by else None,
        "erased": True if readable and event.version and event.state is None else None,
    }
    return without_nulls(line)


def tombstone_line(node: Node, item: Item | None) -> JsonObject:
    """A number, or the instructions, without anything of it.

    Of an erased one the line says when and by whom it was decided.
    """
    line: JsonObject = {"type": TOMBSTONE, "kind": node.kind, "why": NOT_EXPORTED}
    line |= {"number": node.number} if node.number is not None else {"ref": node.kind}
    if item is not None and item.absent:  # an import brought it; nobody knows which kind it was
        return {"type": TOMBSTONE, "why": item.absent, "number": item.number}
    if item is None or item.erased_at is None:
        return line
    by = item.erased_by.display_name if item.erased_by else None
    return line | without_nulls({"why": ERASED, "at": iso(item.erased_at), "by": by})


def proposal_line(proposal: Proposal) -> JsonObject:
    """What became of a proposal that was decided or withdrawn; never what it would change."""
    readable = not is_locked(proposal)
    decider = proposal.decided_by
    line: JsonObject = {
        "type": PROPOSAL,
        "id": proposal.public_id,
        "kind": proposal.kind,
        "action": proposal.action,
        **item_reference(proposal),
        "title": title_of(proposal),
        "count": proposal.count,
        "state": proposal.state,
        "by": _named(proposal.proposer, proposal.proposer_agent),
        "created": iso(proposal.created),
        "reason": proposal.reason or None if readable else None,
        "decidedBy": _named(decider, proposal.decided_by_agent) if decider else None,
        "decided": iso(proposal.decided_at) if proposal.decided_at else None,
        "decisionReason": proposal.decision_reason or None if readable else None,
        "version": proposal.result_version,
    }
    return without_nulls(line)


def _named(person: Person, agent: Agent | None) -> JsonObject:
    """Who it was, by name."""
    return _credit(person.display_name, agent.name if agent is not None else None)


def _credit(name: str, agent: str | None) -> JsonObject:
    return without_nulls({"name": name, "agent": agent})


def _ordered(kind: str, state: JsonObject) -> JsonObject:
    """A stored state in the order of the kind's fields: databases keep another one."""
    names = [*kind_of(kind).by_name, "archived", "blockedReason"]
    known = {name: state[name] for name in names if name in state}
    return known | {name: state[name] for name in sorted(state) if name not in known}
