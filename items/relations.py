"""Relations between two items of one project, and what waits for what.

Directed ones are stored from the item acted on to its target; the other side shows
them by their inverse name, which is accepted too. They need no version and add none.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from django.db.models import Count, OuterRef, Q, QuerySet

from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.json import JsonObject
from conderis.common.prepared import Prepared, PreparedByKey
from items.access import Place, nothing_at, refuse_locked
from items.kinds.registry import all_kinds, kind_of
from items.kinds.relations import ALLOWED, BLOCKS, INVERSE, read_relation
from items.mates import Mates
from items.models import Item, Relation
from items.places import without_texts

MAX_RELATIONS = 200


def ends_of(item: Item, target: Item, name: str) -> tuple[Item, Item, str]:
    """Source, target and stored name of a relation as `item` names it."""
    relation, turned = read_relation(name)
    source, end = (target, item) if turned else (item, target)
    if INVERSE[relation] == relation and source.pk > end.pk:
        source, end = end, source
    return source, end, relation


def related_item(place: Place, number: int | None) -> Item:
    """The other item of a relation: in this project, readable.

    Raises:
        NotFound: there is none.
    """
    item = without_texts(place.items().filter(number=number)).first() if number else None
    if item is None:
        raise NotFound(nothing_at(f"#{number}").message, field="target")
    refuse_locked(item)
    return item


def add_relation(item: Item, target: Item, name: str) -> bool:
    """Relate two items; False when they already are.

    Raises:
        Invalid: the two are one, or of kinds that this does not join, or would wait
            for each other in a circle.
    """
    if item.pk == target.pk:
        raise Invalid("An item cannot be related to itself.", field="target")
    source, end, relation = ends_of(item, target, name)
    _check_kinds(source, end, relation)
    if Relation.objects.filter(source=source, target=end, relation=relation).exists():
        return False
    if relation == BLOCKS and _reaches(end.pk, source.pk):
        raise Invalid(
            f"#{source.number} cannot block #{end.number}: #{end.number} already blocks "
            f"#{source.number}, directly or through others.",
            field="target",
        )
    _refuse_many(item, target)
    Relation.objects.create(source=source, target=end, relation=relation)
    return True


def _refuse_many(item: Item, target: Item) -> None:
    """Refuse a relation more than an item may have.

    Relations to private items count for their author alone: to everybody else they do
    not exist.

    Raises:
        Conflict: one of the two has 200.
    """
    authors = {end.author_id for end in (item, target) if end.visibility == "private"}
    for end in (item, target):
        _refuse_full(end, _relations_of(end, authors))


def _relations_of(end: Item, authors: Collection[int]) -> int:
    seen = Q(author__in=authors) if authors else ~Q(visibility="private")
    ends = Item.objects.filter(seen)
    both = Q(source=end, target__in=ends) | Q(target=end, source__in=ends)
    return Relation.objects.filter(both).count()


def _refuse_full(end: Item, count: int) -> None:
    if count >= MAX_RELATIONS:
        raise Conflict(f"#{end.number} has {MAX_RELATIONS} relations; no more are taken.")


def remove_relation(item: Item, target: Item, name: str) -> bool:
    """Take a relation away; False when there is none."""
    source, end, relation = ends_of(item, target, name)
    removed, _ = Relation.objects.filter(source=source, target=end, relation=relation).delete()
    return removed > 0


def _check_kinds(source: Item, target: Item, relation: str) -> None:
    for end in (source, target):
        _refuse_kind(end, relation, field="relation")


def _refuse_kind(end: Item, relation: str, *, field: str) -> None:
    kind = kind_of(end.kind)
    if not kind.related:
        place = "target" if field == "relation" else field
        raise Invalid(f"The {kind.plural} have no relations.", field=place)
    if relation == BLOCKS and not kind.statuses:
        names = [each.name for each in all_kinds() if each.statuses]
        others = [name for name in ALLOWED if name not in (BLOCKS, INVERSE[BLOCKS])]
        raise Invalid(
            f"{relation} joins only: {', '.join(names)}. #{end.number} is a {kind.name}.",
            field=field,
            allowed=others if field == "relation" else None,
        )


def _reaches(start: int, goal: int) -> bool:
    """Whether `start` blocks `goal`, directly or through others."""
    seen = {start}
    front = {start}
    while front:
        if goal in front:
            return True
        following = set(
            Relation.objects.filter(relation=BLOCKS, source__in=front).values_list(
                "target_id", flat=True
            )
        )
        front = following - seen
        seen |= front
    return False


def _of_item(item: int) -> QuerySet[Relation, tuple[Any, ...]]:
    return (
        Relation.objects.filter(Q(source=item) | Q(target=item))
        .order_by("relation", "id")
        .values_list(
            "relation",
            *(f"source__{column}" for column in _END_COLUMNS),
            *(f"target__{column}" for column in _END_COLUMNS),
        )
    )


_END_COLUMNS = ("pk", "number", "title", "locked_at", "visibility", "author_id")
_RELATIONS: Final = PreparedByKey[tuple[Any, ...]](_of_item, item=int)


def relations_shown(place: Place, item: Item) -> list[JsonObject]:
    """The item's relations as short entries; only those whose other end may be read."""
    rows = _RELATIONS.rows(item=item.pk)
    shown: list[JsonObject] = []
    for relation, *ends in rows:
        outgoing = ends[0] == item.pk
        _pk, number, title, locked_at, visibility, author = ends[6:] if outgoing else ends[:6]
        if visibility == "private" and author != place.caller.person_id:
            continue
        name = relation if outgoing else INVERSE[relation]
        entry: JsonObject = {"relation": name, "number": number}
        shown.append(entry | ({"locked": True} if locked_at else {"title": title}))
    return shown


def depends_on(item: Item) -> list[int]:
    """The numbers of the tasks that block this one, closed ones included."""
    return [
        number
        for number in Relation.objects.filter(target=item, relation=BLOCKS)
        .order_by("source__number")
        .values_list("source__number", flat=True)
        if number is not None
    ]


def blockers(active: Sequence[str]) -> QuerySet[Relation]:
    """The relations by which tasks of these statuses block the row of the statement around."""
    return Relation.objects.filter(
        target=OuterRef("pk"),
        relation=BLOCKS,
        source__status__in=sorted(active),
        source__number__isnull=False,
    )


@cache
def _blockers(active: frozenset[str]) -> Prepared[tuple[Any, ...]]:
    def build(targets: list[int]) -> QuerySet[Relation, tuple[Any, ...]]:
        return (
            Relation.objects.filter(
                target__in=targets, relation=BLOCKS, source__status__in=sorted(active)
            )
            .order_by("source__number")
            .values_list("target_id", "source__number")
        )

    return Prepared(build, targets=list)


def waits_for(item_ids: Collection[int]) -> dict[int, list[int]]:
    """For each item the numbers of the unfinished tasks before it."""
    if not item_ids:
        return {}
    active = frozenset(status for kind in all_kinds() for status in kind.active_statuses)
    waiting: dict[int, list[int]] = {}
    for target, number in _blockers(active).rows(targets=list(item_ids)):
        if number is not None:
            waiting.setdefault(target, []).append(number)
    return waiting


def blockers_of_new(place: Place, numbers: list[int], mates: Mates) -> list[Item]:
    """The tasks of these numbers, which may block one that is yet to be made.

    Nothing waits for that one, so no circle can come of it.

    Raises:
        NotFound: a number is none that the caller may read.
        Invalid: one is no task.
        Locked, Conflict: one is locked, or has as many relations as it may have.
    """
    look_up_blockers(place, set(numbers) - set(mates.blockers), mates)
    for number in numbers:
        if number not in mates.blockers:
            raise NotFound(nothing_at(f"#{number}").message, field="dependsOn")
        other = mates.blockers[number]
        refuse_locked(other)
        _refuse_kind(other, BLOCKS, field="dependsOn")
        _refuse_full(other, mates.relations[number])
        mates.relations[number] += 1
    return [mates.blockers[number] for number in numbers]


def look_up_blockers(place: Place, numbers: Collection[int], mates: Mates) -> None:
    """Have the mates know the tasks of these numbers, and how many relations each has."""
    if not numbers:
        return
    found = {item.pk: item for item in without_texts(place.items().filter(number__in=numbers))}
    mates.blockers |= {item.number or 0: item for item in found.values()}
    counts: Counter[int] = Counter()
    for end, other in (("source", "target"), ("target", "source")):
        rows = Relation.objects.filter(~Q(**{f"{other}__visibility": "private"}))
        counted = rows.filter(**{f"{end}__in": found}).values_list(end).annotate(Count("pk"))
        counts.update(dict(counted.order_by()))
    mates.relations |= {item.number or 0: counts[pk] for pk, item in found.items()}


def set_dependencies(place: Place, item: Item, numbers: list[int]) -> None:
    """Make exactly these tasks block the item.

    Raises:
        NotFound: a number is none that the caller may read.
        Invalid: one is no task, is the item itself, or waits for it.
    """
    standing = set(depends_on(item))
    wanted = set(numbers)
    for number in sorted(standing - wanted):
        Relation.objects.filter(target=item, relation=BLOCKS, source__number=number).delete()
    rows = without_texts(place.items().filter(number__in=wanted - standing))
    found = {other.number: other for other in rows}
    for number in sorted(wanted - standing):
        if number not in found:
            raise NotFound(nothing_at(f"#{number}").message, field="dependsOn")
        refuse_locked(found[number])
        _depend(item, found[number])


def _depend(item: Item, other: Item) -> None:
    try:
        add_relation(other, item, BLOCKS)
    except Invalid as refusal:
        raise Invalid(refusal.message, field="dependsOn") from refusal
