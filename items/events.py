"""The one way into an item's history, and the check of versions against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from conderis.accounts.models import Agent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid
from conderis.common.json import JsonObject, without_nulls
from items.access import subject_of
from items.crediting import doer_of
from items.models import Item, ItemEvent
from items.state import full_state

NAMED_CHANGES = 10


@dataclass(frozen=True, slots=True)
class Signature:
    """Whose a change is: its author and who approved it, each with the agent if one did it."""

    person_id: int
    agent_id: int | None = None
    approver_id: int | None = None
    approver_agent_id: int | None = None


def signed_by(caller: Caller) -> Signature:
    """The signature of what a caller does in its own name."""
    return Signature(caller.person_id, caller.agent_id)


def proposer_of(signature: Signature | None) -> JsonObject:
    """What the audit log keeps of who proposed what another approved: references alone."""
    if signature is None or signature.approver_id is None:
        return {}
    author = Person.objects.only("public_id").get(pk=signature.person_id)
    if signature.agent_id is None:
        return {"author": author.ref}
    agent = Agent.objects.only("public_id").get(pk=signature.agent_id)
    return {"author": author.ref, "authorAgent": agent.ref}


def record_event(
    caller: Caller,
    item: Item,
    *,
    event: str,
    at: datetime,
    changed: Sequence[str] = (),
    reason: str = "",
    signature: Signature | None = None,
) -> None:
    """Append what happened, with the item's full state as it now stands.

    It is the caller's, unless a `signature` says whose.
    """
    sign_event(
        item,
        event=event,
        at=at,
        changed=changed,
        reason=reason,
        signature=signature or signed_by(caller),
    )


def sign_event(
    item: Item,
    *,
    event: str,
    at: datetime,
    signature: Signature,
    changed: Sequence[str] = (),
    reason: str = "",
) -> None:
    """Append what happened in the name of whose signature it is, with the item's full state."""
    event_of(item, event=event, at=at, signature=signature, changed=changed, reason=reason).save()


def event_of(
    item: Item,
    *,
    event: str,
    at: datetime,
    signature: Signature,
    changed: Sequence[str] = (),
    reason: str = "",
) -> ItemEvent:
    """What happened, as `sign_event` appends it, to be written with others."""
    return ItemEvent(
        item=item,
        event=event,
        version=item.version,
        at=at,
        author_id=signature.person_id,
        author_agent_id=signature.agent_id,
        approver_id=signature.approver_id,
        approver_agent_id=signature.approver_agent_id,
        reason=reason,
        changed=list(changed),
        state=full_state(item),
    )


def check_version(item: Item, version: int | None) -> None:
    """Go on only if the change is based on the item as it now stands.

    Raises:
        Invalid: no version was sent; the refusal gives the current one.
        Conflict: it is not the current one; the refusal says what changed since.
    """
    if version == item.version:
        return
    if version is None:
        raise Invalid(
            f"Send the version that you read: {subject_of(item)} is now at version "
            f'{item.version}. If you have read it as it now stands, send "version": '
            f"{item.version}.",
            field="version",
            allowed=[item.version],
            currentVersion=item.version,
        )
    if version > item.version:
        raise Invalid(
            f"{subject_of(item)} has no version {version}; the current one is {item.version}.",
            field="version",
            allowed=[item.version],
            currentVersion=item.version,
        )
    raise Conflict(
        f"{subject_of(item)} has changed since version {version}. Read it again, then send "
        f'your change with "version": {item.version}.',
        current_version=item.version,
        changed=changes_since(item, version),
    )


def changes_since(item: Item, version: int) -> list[JsonObject]:
    """Who changed which fields since a version, newest first, at most ten entries."""
    events = (
        item.events.filter(version__gt=version)
        .select_related("author", "author_agent")
        .defer("state")
        .order_by("-version")[:NAMED_CHANGES]
    )
    changes: list[JsonObject] = []
    for event in events:
        names = doer_of(event)
        by = {"by": names.person, "agent": names.agent, "importedBy": names.imported_by}
        change = {"version": event.version, **without_nulls(by)}
        changes.append(change | {"event": event.event, "fields": event.changed})
    return changes


def last_event(item: Item, names: Sequence[str]) -> ItemEvent | None:
    """The newest of the item's events with one of these names."""
    return (
        item.events.filter(event__in=names)
        .select_related("author", "author_agent")
        .defer("state")
        .order_by("-id")
        .first()
    )


def made_by(event: ItemEvent | None, caller: Caller) -> bool:
    """Whether the caller (this person, or this very agent) made the event."""
    return (
        event is not None
        and event.author_id == caller.person_id
        and event.author_agent_id == caller.agent_id
    )
