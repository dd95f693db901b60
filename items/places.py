"""Where items stand: their parents, the depth of trees, the order among siblings."""

from functools import cache
from typing import Any

from django.db.models import Q, QuerySet

from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.prepared import Prepared
from items.access import Place, nothing_at, refuse_locked, subject_of
from items.kinds.base import Kind
from items.mates import Mates, Sibling
from items.models import Item
from projects.models import Project

GAP = 1 << 20  # between neighbours, so that a move touches one row


def find_parent(place: Place, reference: int | str) -> Item:
    """The item that is to become a parent.

    Raises:
        NotFound: there is none that the caller may read.
    """
    if isinstance(reference, int):
        rows = place.items().filter(number=reference) if place.project else None
    else:
        public_id = reference.removeprefix("memory:")
        rows = None if place.project else place.items().filter(public_id=public_id)
    found = without_texts(rows).first() if rows is not None else None
    if found is None:
        what = f"#{reference}" if isinstance(reference, int) else reference
        raise NotFound(nothing_at(what).message, field="parent")
    return found


def check_parent(
    kind: Kind, item: Item, parent: Item, *, known: dict[int, list[int]] | None = None
) -> None:
    """Refuse a parent under which the item cannot stand.

    `known` keeps what is above a parent for the items that follow.

    Raises:
        Invalid: another kind, a circle, too deep, or another visibility.
        Conflict: the parent is archived or closed.
        Locked: it is locked.
    """
    refuse_locked(parent)
    named = "The parent" if parent.is_new else subject_of(parent)
    if parent.kind != kind.name:
        raise Invalid(
            f"{named} is a {parent.kind}; the parent of a {kind.name} must be a {kind.name}.",
            field="parent",
        )
    if parent.archived_at is not None or parent.status not in ("", *kind.active_statuses):
        state = "archived" if parent.archived_at is not None else parent.status
        raise Conflict(f"{subject_of(parent)} is {state}, so it cannot become a parent.",
                       field="parent")  # fmt: skip
    if parent.visibility != item.visibility:
        raise Invalid(
            f"{named} is {parent.visibility}; an item and its parent have the same visibility.",
            field="parent",
        )
    above = _above(parent, known if known is not None else {})
    if not item.is_new and item.pk in [parent.pk, *above]:
        raise Invalid(f"{subject_of(parent)} stands below this item.", field="parent")
    depth = len(above) + 1 + (1 if item.is_new else height(item))
    if depth > kind.max_depth:
        raise Invalid(
            f"{kind.plural.capitalize()} can be {kind.max_depth} levels deep; here it would be "
            f"{depth}.",
            field="parent",
        )


def _above(parent: Item, known: dict[int, list[int]]) -> list[int]:
    """The ids over a parent; 0 for what is made together with it and has none yet."""
    if parent.is_new:
        return [0, *_above(parent.parent, known)] if parent.parent is not None else []
    if parent.pk not in known:
        known[parent.pk] = ancestors(parent)
    return known[parent.pk]


def ancestors(item: Item) -> list[int]:
    """The ids of what the item stands under, nearest first."""
    above: list[int] = []
    parent_id = item.parent_id
    while parent_id is not None:
        above.append(parent_id)
        parent_id = Item.objects.values_list("parent_id", flat=True).get(pk=parent_id)
    return above


def without_texts(rows: QuerySet[Item]) -> QuerySet[Item]:
    """The rows without what may be long: for what only stands beside what is changed."""
    return rows.defer("content", "summary", "data", "tags", "commits", "verified_against")


def levels(item: Item) -> list[list[int]]:
    """The ids of what stands below the item, level by level, archived ones included."""
    below: list[list[int]] = []
    front = [item.pk]
    while front:
        rows = Item.objects.filter(parent__in=front).order_by("rank", "number", "pk")
        front = list(rows.values_list("pk", flat=True))
        if front:
            below.append(front)
    return below


def height(item: Item) -> int:
    """How many levels the item and what stands below it take."""
    return 1 + len(levels(item))


def siblings(item: Item) -> QuerySet[Item]:
    """The active items beside this one (itself left out), in order."""
    rows = _active(item.kind).filter(project=item.project_id, parent=item.parent_id)
    return rows.exclude(pk=item.pk).order_by("rank", "number")


def _active(kind: str) -> QuerySet[Item]:
    return Item.objects.filter(kind=kind, archived_at__isnull=True, erased_at__isnull=True)


def position_of(item: Item) -> int:
    """The place of an item of a project among its active siblings, from 1."""
    before = _before(item.kind, at_top=item.parent_id is None)
    assert item.project_id is not None and item.number is not None  # noqa: S101, PT018
    values = {"project": item.project_id, "rank": item.rank, "number": item.number}
    return 1 + before.count(**values, **({"parent": item.parent_id} if item.parent_id else {}))


@cache
def _before(kind: str, *, at_top: bool) -> Prepared[Any]:
    """The active items before this rank and number, on the top level or under a parent."""

    def build(project: int, rank: int, number: int, parent: int | None = None) -> QuerySet[Item]:
        rows = _active(kind).filter(project=project, parent=parent).order_by()
        return rows.filter(Q(rank__lt=rank) | Q(rank=rank, number__lt=number)).only("pk")

    under = {} if at_top else {"parent": int}
    return Prepared(build, project=int, rank=int, number=int, **under)


def place_at(item: Item, position: int | None) -> None:
    """Give the item the rank of this place among its siblings (None: the last one).

    A place behind the last is the last. Where two neighbours leave no gap, all
    siblings get new ranks in their order.
    """
    others = list(siblings(item).only("pk", "rank"))
    moved = rank_among(others, item, position)
    if moved:
        Item.objects.bulk_update(others, ["rank"])


def rank_among(others: list[Item], item: Item, position: int | None) -> bool:
    """Give the item its rank among these siblings in their order; whether they got new ones."""
    index = len(others) if position is None else min(position - 1, len(others))
    before = others[index - 1].rank if index else (others[0].rank - 2 * GAP if others else 0)
    after = others[index].rank if index < len(others) else before + 2 * GAP
    crowded = after - before < 2
    if crowded:
        for place, other in enumerate(others):
            other.rank = (place + 1) * GAP + (GAP if place >= index else 0)
        before, after = index * GAP, (index + 2) * GAP
    item.rank = (before + after) // 2
    return crowded


def refuse_same_title(item: Item, mates: Mates | None = None) -> None:
    """Refuse a title that an active sibling already has (titles are NFC).

    A locked sibling's title is no one's to learn, so it is not compared. Items that are made
    together are siblings, too.

    Raises:
        Conflict: one has it; the refusal names its number, if it has one.
    """
    parent = item.parent
    if mates is not None:
        mine = (id(parent) if parent is not None else None, item.title)
        if mine in mates.new_titles:
            raise Conflict(
                "An earlier item of this batch has this title in the same place. Send another "
                "title or parent.",
                field="title",
            )
        if item.is_new:
            mates.new_titles.add(mine)
    if parent is not None and parent.is_new:
        return
    if mates is not None and mates.titles is not None:
        clash = mates.titles.get((item.parent_id, item.title))
    else:
        clash = title_taken_by(item)
    if clash is None:
        return
    way = f"Change #{clash}, or send another title or parent."
    if item.archived_at is not None:  # its own title cannot be changed
        way = f"Change the title of #{clash}, then restore this one."
    raise Conflict(
        f"#{clash} already has this title in the same place. {way}", field="title", number=clash
    )


def title_taken_by(item: Item) -> int | None:
    """The number of the active sibling that has the item's title, if one has."""
    return (
        Item.objects.filter(
            project=item.project_id,
            kind=item.kind,
            parent=item.parent_id,
            title=item.title,
            archived_at__isnull=True,
            locked_at__isnull=True,
        )
        .exclude(pk=item.pk)
        .values_list("number", flat=True)
        .first()
    )


def titles_that_stand(project: Project, kind: Kind, titles: list[str]) -> dict[Sibling, int]:
    """The numbers of the active items with one of the titles, by parent and title."""
    rows = Item.objects.filter(
        project=project,
        kind=kind.name,
        title__in=titles,
        archived_at__isnull=True,
        locked_at__isnull=True,
    )
    found = rows.values_list("parent_id", "title", "number")
    return {(parent, title): number or 0 for parent, title, number in found}
