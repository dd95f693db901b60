"""Writing items that come from elsewhere, with their times, authors by name, and histories.

Their changes have been checked whole (`items.changes`); where they stand has been decided by
whoever imports them. They may stand under archived and closed ones, as they did before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from conderis.accounts import audit
from conderis.accounts.models import AuditEvent
from conderis.common.json import Json, JsonObject
from items.access import Place, subject_of
from items.change import Change
from items.differences import texts_in
from items.filling import fill_row
from items.hygiene.points import note_change
from items.kinds.registry import all_kinds
from items.kinds.relations import INVERSE
from items.kinds.values import Tags
from items.metering import count_new
from items.models import Item, ItemEvent, ItemTag, Relation
from items.numbers import touch_project
from items.search import index_item, index_items
from items.state import full_state
from projects.models import Project


@dataclass(frozen=True, slots=True)
class Past:
    """An event of a history that comes with an item; `credit` says whose it was, by name."""

    event: str
    at: datetime
    version: int | None = None
    reason: str = ""
    changed: Sequence[str] = ()
    state: JsonObject | None = None
    credit: JsonObject | None = None


@dataclass(slots=True)
class Arrival:
    """An item that comes in: the change that makes it, and what no change can say.

    `change.item` has its number; its parent, where it has one, is stored or comes with it.
    Without a `past` its history begins with its creation as version 1.
    """

    change: Change
    created: datetime
    changed: datetime
    credit: JsonObject | None = None
    archived: datetime | None = None
    archived_with: Item | int | None = None
    rank: int = 0
    past: Sequence[Past] = ()


@dataclass(slots=True)
class Writing:
    """What one transaction writes: items, numbers without one, relations, moves."""

    place: Place
    importer: str
    now: datetime
    arrivals: list[Arrival] = field(default_factory=list)
    absent: list[tuple[int, str]] = field(default_factory=list)
    relations: list[tuple[Item | int, Item | int, str]] = field(default_factory=list)
    moves: list[tuple[int, Item | int, int]] = field(default_factory=list)


def write_imported(writing: Writing, *, last_number: int) -> None:
    """Write all of it; `last_number` is the last that the project has then given.

    Must run in the transaction that holds the project's row.

    Raises:
        TooLarge: the project holds no more items.
        RateLimited: the agent has stored too much; nothing of it stands then.
    """
    arrivals = writing.arrivals
    items = [arrival.change.item for arrival in arrivals]
    for arrival in arrivals:
        _fill(arrival)
    for level in _levels(items):
        Item.objects.bulk_create(level)
    Item.objects.bulk_create(_tombstones(writing))
    taken_along = [arrival for arrival in arrivals if arrival.archived_with is not None]
    for arrival in taken_along:
        arrival.change.item.archived_with_id = _key(arrival.archived_with)
    if taken_along:
        Item.objects.bulk_update([each.change.item for each in taken_along], ["archived_with"])
    ItemTag.objects.bulk_create(_tags(arrivals))
    ItemEvent.objects.bulk_create(_events(arrivals))
    _place(writing)
    if items:
        index_items(items)
    audit.record_all(_audit_events(writing))
    _note(writing, last_number)
    if items:
        count_new(writing.place.caller, items, history=sum(map(_length_of_past, arrivals)))


def _length_of_past(arrival: Arrival) -> int:
    """Bytes of the texts of its history, but for what now stands."""
    version = arrival.change.item.version
    return sum(
        len(text.encode())
        for past in arrival.past
        for text in (past.reason, *texts_in(past.state if past.version != version else None))
    )


def _fill(arrival: Arrival) -> None:
    change, item = arrival.change, arrival.change.item
    fill_row(change)
    item.parent = change.parent
    item.credit = arrival.credit
    item.created, item.changed = arrival.created, arrival.changed
    item.archived_at = arrival.archived
    item.rank = arrival.rank
    versions = [past.version for past in arrival.past if past.version is not None]
    item.version = max(versions, default=1)


def _levels(items: Sequence[Item]) -> Iterator[list[Item]]:
    """The items by how deep they stand below each other, so that parents come first."""
    waiting = list(items)
    while waiting:
        yield [item for item in waiting if item.parent is None or not item.parent.is_new]
        waiting = [item for item in waiting if item.is_new]


def _tombstones(writing: Writing) -> Iterator[Item]:
    kind = next(kind for kind in all_kinds() if kind.numbered)  # nobody knows which it was
    caller = writing.place.caller
    for number, why in writing.absent:
        yield Item(
            project=writing.place.project,
            number=number,
            kind=kind.name,
            author_id=caller.person_id,
            author_agent_id=caller.agent_id,
            created=writing.now,
            changed=writing.now,
            locked_at=writing.now,
            erased_at=writing.now,
            absent=why,
        )


def _tags(arrivals: Iterable[Arrival]) -> Iterator[ItemTag]:
    for arrival in arrivals:
        for each in arrival.change.kind.fields:
            if isinstance(each.type, Tags):
                for tag in arrival.change.after[each.name]:
                    yield ItemTag(item=arrival.change.item, tag=tag)


def _events(arrivals: Iterable[Arrival]) -> Iterator[ItemEvent]:
    for arrival in arrivals:
        change, item = arrival.change, arrival.change.item
        past = arrival.past or (
            Past(
                "created",
                arrival.created,
                version=1,
                changed=change.content,
                credit=arrival.credit,
            ),
        )
        for each in past:
            stands = each.version == item.version
            yield ItemEvent(
                item=item,
                event=each.event,
                version=each.version,
                at=each.at,
                author_id=item.author_id,
                author_agent_id=item.author_agent_id,
                credit=each.credit,
                reason=each.reason,
                changed=list(each.changed),
                # What now stands is the last version, whatever a file says of it.
                state=full_state(item) if stands else each.state,
            )


def _place(writing: Writing) -> None:
    """Put what stood at the top under its parent, and relate what belongs together."""
    for child, parent, rank in writing.moves:
        Item.objects.filter(pk=child).update(parent_id=_key(parent), rank=rank)
    Relation.objects.bulk_create(map(_relation, writing.relations), ignore_conflicts=True)


def _relation(ends: tuple[Item | int, Item | int, str]) -> Relation:
    source, target, relation = _key(ends[0]), _key(ends[1]), ends[2]
    if INVERSE[relation] == relation and source > target:
        source, target = target, source
    return Relation(source_id=source, target_id=target, relation=relation)


def _key(item: Item | int | None) -> int:
    if item is None:
        raise AssertionError("what is named has been stored")
    return item if isinstance(item, int) else item.pk


def _audit_events(writing: Writing) -> Iterator[AuditEvent]:
    for arrival in writing.arrivals:
        item = arrival.change.item
        detail: dict[str, Json] = {"imported": writing.importer}
        if not arrival.past:
            detail["version"] = item.version
        if item.visibility == "private":
            detail["private"] = True
        yield audit.event_of(
            writing.place.caller,
            action="item.created",
            subject=subject_of(item),
            project_id=item.project_id,
            **detail,
        )


def _note(writing: Writing, last_number: int) -> None:
    project = writing.place.project
    if project is None:
        raise AssertionError("what is imported comes into a project")
    project.last_number = last_number
    seen = any(each.change.item.visibility != "private" for each in writing.arrivals)
    seen = seen or _shared_among(writing)
    changed: dict[str, Any] = {"changed": writing.now} if seen else {}
    Project.objects.filter(pk=project.pk).update(last_number=last_number, **changed)
    if seen:
        note_change(project.pk)


def _shared_among(writing: Writing) -> bool:
    """Whether something shared was moved or related."""
    ends = [end for source, target, _ in writing.relations for end in (source, target)]
    keys = {_key(end) for end in ends} | {child for child, _, _ in writing.moves}
    return bool(keys) and Item.objects.filter(pk__in=keys).exclude(visibility="private").exists()


def amend_imported(
    item: Item,
    fields: Mapping[str, str],
    states: Mapping[int, Mapping[str, str]],
    *,
    now: datetime,
) -> None:
    """Set texts of an imported item anew, by column, and those of its versions, by field.

    It belongs to the import, and so makes no version. Must run in the transaction that holds
    the project's row.
    """
    if fields:
        for column, text in fields.items():
            setattr(item, column, text)
        item.save(update_fields=list(fields))
        index_item(item)
    rows = list(item.events.filter(version__in=states, state__isnull=False, locked_by=""))
    for event in rows:
        texts = dict(states[event.version or 0])
        event.reason = texts.pop("reason", event.reason)
        event.state = {**(event.state or {}), **texts}
    ItemEvent.objects.bulk_update(rows, ["state", "reason"])
    touch_project(item, now)
