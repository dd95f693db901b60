"""The items of one kind of a batch, each checked whole as if it were stored alone.

A text `parent` or a text in a list of items is the key of an earlier item of the same kind,
else it is read as it always is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conderis.common.errors import DomainError, Invalid
from conderis.common.json import Json, JsonObject
from items.access import Place
from items.batches.reading import Entry
from items.change import Change, Together
from items.changes import prepare_new
from items.kinds.base import Kind
from items.kinds.values import ItemReference, Numbers, read_list, read_number
from items.mates import Mates
from items.models import Item
from items.places import titles_that_stand, without_texts
from items.relations import look_up_blockers

MOST_NAMED = 20  # keys that a refusal lists


@dataclass(slots=True)
class Prepared:
    """An item of a batch with the change that makes it, or why it cannot be made."""

    entry: Entry
    change: Change | None = None
    refusal: DomainError | None = None
    parent: "Prepared | None" = None  # an earlier one of the batch


def prepare_entries(place: Place, entries: Sequence[Entry]) -> list[Prepared]:
    """The items of one kind, in order; what is wrong with one is noted with it.

    An item under one that cannot be stored is refused, too.
    """
    kind = entries[0].kind
    mates = mates_of(place, kind, [entry.fields or {} for entry in entries])
    earlier: dict[str, Prepared] = {}
    found: list[Prepared] = []
    for entry in entries:
        prepared = Prepared(entry, refusal=entry.refusal)
        if entry.refusal is None:
            try:
                _prepare(prepared, place, mates, earlier)
            except DomainError as refusal:
                prepared.refusal = refusal
        if entry.key is not None:
            earlier[entry.key] = prepared
        found.append(prepared)
    return found


def mates_of(place: Place, kind: Kind, fields: Sequence[JsonObject]) -> Mates:
    """What items of these fields share: what they name that stands, read for all at once."""
    mates = Mates()
    for field in kind.fields:
        if place.project is None or not isinstance(field.type, ItemReference | Numbers):
            continue
        numbers = _numbers([each.get(field.name) for each in fields])
        if isinstance(field.type, Numbers):
            look_up_blockers(place, numbers, mates)
        elif numbers:
            rows = without_texts(place.items().filter(number__in=numbers))
            mates.parents |= {row.number or 0: row for row in rows}
    if kind.unique_sibling_titles and place.project is not None:
        line = kind.by_name["title"]
        titles = [_title(line.type.read, each.get("title")) for each in fields]
        known = [title for title in titles if title]
        mates.titles = titles_that_stand(place.project, kind, known)
    return mates


def _numbers(values: Sequence[Json]) -> set[int]:
    """The numbers that values name as they were sent; what names none is refused later."""
    parts = (part for value in values for part in (value if isinstance(value, list) else [value]))
    return {number for part in parts if (number := read_number(part)) is not None}


def _title(read: Callable[[Json, str], str], sent: Json) -> str:
    try:
        return read(sent, "title")
    except DomainError:  # said when the item is read
        return ""


def _prepare(prepared: Prepared, place: Place, mates: Mates, earlier: dict[str, Prepared]) -> None:
    entry = prepared.entry
    fields = dict(entry.fields or {})
    blockers: list[Item] = []
    for field in entry.kind.fields:
        if field.name not in fields:
            continue
        if isinstance(field.type, ItemReference):
            prepared.parent = _parent(fields, field.name, earlier, entry)
        elif isinstance(field.type, Numbers):
            blockers += _blockers(fields, field.name, earlier, entry)
    parent = prepared.parent.change if prepared.parent is not None else None
    together = Together(mates, parent.item if parent is not None else None, tuple(blockers))
    prepared.change = prepare_new(place, entry.kind, fields, reason=entry.reason, together=together)


def _parent(
    fields: JsonObject, name: str, earlier: dict[str, Prepared], entry: Entry
) -> Prepared | None:
    """The earlier item that a parent names, taken out of the fields; None for one that stands."""
    value = fields[name]
    if not isinstance(value, str):
        return None
    key = value.strip()
    if key not in earlier:
        _refuse_other_text(key, name, earlier, entry)
        return None
    del fields[name]
    return _made(earlier[key], name)


def _blockers(
    fields: JsonObject, name: str, earlier: dict[str, Prepared], entry: Entry
) -> list[Item]:
    """The earlier items that a list names, taken out of it."""
    if fields[name] is None:
        return []
    parts = read_list(fields[name], name, shape='[12, "a"]')
    numbers: list[Json] = []
    found: dict[str, Item] = {}
    for part in parts:
        key = part.strip() if isinstance(part, str) else None
        if key is not None and key in earlier:
            change = _made(earlier[key], name).change
            if change is not None:
                found[key] = change.item
            continue
        if key is not None:
            _refuse_other_text(key, name, earlier, entry)
        numbers.append(part)
    fields[name] = numbers
    return list(found.values())


def _refuse_other_text(key: str, name: str, earlier: dict[str, Prepared], entry: Entry) -> None:
    """Refuse a text that is neither a key nor a reference of what stands."""
    if read_number(key) is not None or (
        entry.kind.personal and key.startswith(f"{entry.kind.name}:")
    ):
        return
    raise Invalid(
        f"{name} names neither an earlier {entry.kind.name} of this batch by its key nor one "
        "that stands by its number.",
        field=name,
        allowed=["number", *list(earlier)[:MOST_NAMED]],
    )


def _made(prepared: Prepared, name: str) -> Prepared:
    if prepared.change is None:
        raise Invalid(
            f"{name} names an item of this batch that cannot be stored itself.", field=name
        )
    return prepared
