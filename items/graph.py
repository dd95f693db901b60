"""The relations of a project as a graph, and as rows, page after page.

What is archived, has expired, or is locked is in neither, nor are other people's private
memories: an edge is there for those who may read both of its ends.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.cursors import Binding, read_cursor, write_cursor
from conderis.common.prepared import Prepared, Value
from items.access import readable_q
from items.expiry import Aging, aging_types, expired_since, oldest_of
from items.models import Item, Relation
from projects.access import ProjectAccess, access_project

MOST_NODES: Final = 150
MOST_READ: Final = 20_000  # relations that are looked at for the most connected items
PAGE: Final = 50
_ORDER: Final = ("-id",)
_BEHIND_ALL: Final = 2**62  # no relation has such a key
_TYPES: Final[dict[str, type]] = {
    "project": int,
    "person": int,
    "now": datetime,
    "oldest": datetime,
}


@dataclass(frozen=True, slots=True)
class End:
    """An item as an end of a relation; `status` is empty where its kind has none."""

    number: int
    kind: str
    title: str
    status: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from one number to another, by its stored name."""

    source: int
    target: int
    relation: str


@dataclass(frozen=True, slots=True)
class Graph:
    """The most connected items and the relations among them.

    `items` and `relations` say how many have or are one; with `more`, at least so many.
    """

    nodes: tuple[End, ...]
    edges: tuple[Edge, ...]
    items: int
    relations: int
    more: bool


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation with both of its ends."""

    source: End
    target: End
    relation: str


@dataclass(frozen=True, slots=True)
class Relations:
    """Some relations, newest first. `next_cursor` leads on, or is None."""

    items: list[RelationRow]
    next_cursor: str | None


def item_graph(caller: Caller, *, project_id: str, most: int = MOST_NODES) -> Graph:
    """The items with the most relations, at most so many, and the relations among them.

    Ties go to the older. Where a project has more than 20,000 relations, the
    newest of these are looked at. Two queries beside those of the door.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
    """
    standing, values = _standing(access_project(caller, project_id))
    found = _newest(standing).rows(**values, limit=MOST_READ + 1)
    more = len(found) > MOST_READ
    found = found[:MOST_READ]
    degrees = Counter(end for source, target, _ in found for end in (source, target))
    kept = _most_connected(degrees, most)
    ends = {
        pk: End(number, kind, title, status)
        for pk, number, kind, title, status in Item.objects.filter(pk__in=kept).values_list(
            "pk", "number", "kind", "title", "status"
        )
        if number is not None
    }
    edges = [
        Edge(ends[source].number, ends[target].number, relation)
        for source, target, relation in found
        if source in ends and target in ends
    ]
    return Graph(
        nodes=tuple(sorted(ends.values(), key=lambda end: end.number)),
        edges=tuple(sorted(edges, key=lambda each: (each.source, each.target, each.relation))),
        items=len(degrees),
        relations=len(found),
        more=more,
    )


def item_relations(caller: Caller, *, project_id: str, cursor: str | None = None) -> Relations:
    """The relations of the project with their ends, newest first, 50 at a time.

    They are not counted: `item_graph` says how many there are. One query beside that of
    the door.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key may not read this.
        Invalid: the cursor is not one of this list.
    """
    access = access_project(caller, project_id)
    standing, values = _standing(access)
    binding = Binding(caller, "relations", {"projectId": access.project.public_id})
    place: Any = _BEHIND_ALL
    if cursor is not None:
        (place,) = read_cursor(binding, cursor, order=_ORDER)
    found = _before(standing).rows(**values, last=place, limit=PAGE + 1)
    shown = found[:PAGE]
    return Relations(
        [RelationRow(_end(row.source), _end(row.target), row.relation) for row in shown],
        write_cursor(binding, [shown[-1].pk], order=_ORDER) if len(found) > PAGE else None,
    )


def _most_connected(degrees: Counter[int], most: int) -> list[int]:
    return sorted(degrees, key=lambda pk: (-degrees[pk], pk))[:most]


def _standing(access: ProjectAccess) -> tuple[Aging, dict[str, Value]]:
    """What the prepared statements are kept by, and what they take."""
    now = timezone.now()
    return aging_types(), {
        "project": access.project.pk,
        "person": access.caller.person_id,
        "now": now,
        "oldest": oldest_of(now, access.project.session_days),
    }


@cache
def _newest(aging: Aging) -> Prepared[tuple[Any, ...]]:
    def build(limit: int, **values: Any) -> QuerySet[Relation, tuple[Any, ...]]:
        rows = _relations(aging, **values).order_by("-id")
        return rows.values_list("source_id", "target_id", "relation")[:limit]

    return Prepared(build, **_TYPES, limit=int)


@cache
def _before(aging: Aging) -> Prepared[Relation]:
    def build(last: int, limit: int, **values: Any) -> QuerySet[Relation]:
        rows = _relations(aging, **values).select_related("source", "target").only(
            "relation",
            *(f"{end}__{name}" for end in ("source", "target")
              for name in ("number", "kind", "title", "status")),
        )  # fmt: skip
        return rows.filter(pk__lt=last).order_by("-pk")[:limit]

    return Prepared(build, **_TYPES, last=int, limit=int)


def _relations(
    aging: Aging, *, project: int, person: int, now: datetime, oldest: datetime
) -> QuerySet[Relation]:
    """The relations of which a person may read both ends, as they stand at a time."""
    standing = Q(
        readable_q(person),
        ~expired_since(now, oldest, aging),
        project=project,
        archived_at__isnull=True,
        locked_at__isnull=True,
    )
    return Relation.objects.filter(_of("source", standing), _of("target", standing))


def _of(end: str, condition: Q) -> Q:
    """The condition on items, as one on an end of a relation.

    By joins: with two subqueries SQLite tries every item with every other.
    """
    parts: list[Any] = []
    for part in condition.children:
        if isinstance(part, Q):
            parts.append(_of(end, part))
        elif isinstance(part, tuple):
            parts.append((f"{end}__{part[0]}", part[1]))
        else:
            raise TypeError(f"no condition on a field: {part!r}")
    return Q(*parts, _connector=condition.connector, _negated=condition.negated)


def _end(item: Item) -> End:
    return End(item.number or 0, item.kind, item.title, item.status)
