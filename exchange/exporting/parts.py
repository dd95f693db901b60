"""Some dozens of items of an export, and what of them may still be read.

An export is taken at the pace of the one who takes it, which may be slow. So what was read
stands for `FRESH_SECONDS` alone, less than it takes to lock anything. After that the door
is asked again before the next line: for the items, for those whose titles or numbers stand
with them, and for the entries of histories that wait in memory.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Final

from django.db.models import Q, QuerySet

from conderis.accounts.standing import refuse_ended
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from exchange.exporting.outline import Node, Outline, readable
from exchange.exporting.rows import event_line, item_line, tombstone_line
from items.access import Place, whole
from items.kinds.relations import INVERSE
from items.models import Item, ItemEvent, Relation
from projects.access import ProjectAccess, access_project
from projects.capabilities import Use
from projects.models import Project

CHUNK: Final = 50  # entries of histories that are read at once
FRESH_SECONDS: Final = 0.02

_TURNED: Final = [name for name, inverse in INVERSE.items() if name == inverse]


def access_anew(caller: Caller, project: Project) -> ProjectAccess:
    """The project, looked up anew: who has lost the right to read it reads no further.

    Raises:
        NotFound, Denied: it is lost, or the key was revoked.
    """
    refuse_ended(caller)
    return access_project(caller, project.public_id, use=Use.READ)


class Part:
    """Some items of an outline; what the door no longer gives is marked hidden in that."""

    def __init__(
        self, caller: Caller, project: Project, outline: Outline, ids: Sequence[int]
    ) -> None:
        self._caller = caller
        self._project = project
        self._nodes = outline.nodes
        self._outline = outline
        self._ids = ids
        self._rows: dict[int, Item] = {}
        self._ends = _relations(outline, ids)
        self._beside = _beside(outline, ids, self._ends)
        self._events: dict[int, ItemEvent] = {}  # those in memory
        self._waiting: list[int] = []  # those to be read
        self._asked = -FRESH_SECONDS

    def lines(self, *, with_histories: bool) -> Iterator[JsonObject]:
        """The lines of the items, each followed by its history; tombstones for what is hidden.

        An item that is locked while its history is read has no more of it.

        Raises:
            NotFound, Denied: the right to read was lost meanwhile.
        """
        self._freshen()
        histories = self._histories() if with_histories else {}
        for pk in self._ids:
            self._freshen()
            node, item = self._nodes[pk], self._rows.get(pk)
            if item is None or node.hidden:
                yield tombstone_line(node, item)
                continue
            node.version = node.version or item.version
            parent = self._outline.number_of(node.parent)
            yield item_line(item, node, parent=parent, relations=self._relations_of(node))
            yield from self._history(item, node, histories.get(pk, []))

    def _freshen(self) -> None:
        """Ask the door, if what it said last is old."""
        if time.monotonic() - self._asked < FRESH_SECONDS:
            return
        place = Place(self._caller, access_anew(self._caller, self._project))
        rows = readable(place, with_private=self._outline.with_private)
        asked = [*self._ids, *self._beside]
        found = rows.filter(pk__in=asked, locked_at=None).values_list("pk", "version", "title")
        live = {pk: (version, title) for pk, version, title in found}
        for pk in asked:
            node = self._nodes[pk]
            node.hidden = node.hidden or pk not in live
            node.title = "" if node.hidden else live[pk][1]
        self._read_rows(rows, {pk: version for pk, (version, _title) in live.items()})
        if self._events:
            self._events = _events(list(self._events))
        self._asked = time.monotonic()

    def _read_rows(self, rows: QuerySet[Item], live: dict[int, int]) -> None:
        """Read the rows that are not there yet or are other versions by now."""
        held = {
            pk: row.version if row.locked_at is None else None for pk, row in self._rows.items()
        }
        stale = [pk for pk in self._ids if pk not in held or held[pk] != live.get(pk)]
        if stale:
            for pk in stale:
                self._rows.pop(pk, None)
            for row in whole(rows.filter(pk__in=stale)):
                self._rows[row.pk] = row
                if row.locked_at is not None:  # since the door was asked
                    self._nodes[row.pk].hidden = True

    def _relations_of(self, node: Node) -> list[JsonObject]:
        found = [
            {"relation": name, "number": target.number}
            for name, target in self._ends[node.pk]
            if not target.hidden
        ]
        return sorted(found, key=lambda line: (line["relation"], line["number"]))

    def _histories(self) -> dict[int, list[int]]:
        """The rows of each item's history, oldest first."""
        found: dict[int, list[int]] = {
            pk: [] for pk in self._ids if pk in self._rows and not self._nodes[pk].hidden
        }
        rows = ItemEvent.objects.filter(item__in=found).order_by("pk")
        for pk, item in rows.values_list("pk", "item_id"):
            found[item].append(pk)
        self._waiting = [pk for of_item in found.values() for pk in of_item]
        return found

    def _history(self, item: Item, node: Node, ids: Sequence[int]) -> Iterator[JsonObject]:
        """The lines of the item's history, up to the version that was exported."""
        for pk in ids:
            self._freshen()
            event = self._taken(pk)
            newer = event is None or (event.version or 0) > (node.version or 0)
            if event is None or newer or node.hidden:
                return
            yield event_line(item, event)

    def _taken(self, pk: int) -> ItemEvent | None:
        if pk not in self._events and pk in self._waiting:
            start = self._waiting.index(pk)  # what stands before it belongs to hidden items
            part = self._waiting[start : start + CHUNK]
            self._waiting = self._waiting[start + CHUNK :]
            self._events = _events(part)
        return self._events.pop(pk, None)


def _events(ids: Sequence[int]) -> dict[int, ItemEvent]:
    related = ("author", "author_agent", "approver", "approver_agent")
    return ItemEvent.objects.filter(pk__in=ids).select_related(*related).in_bulk()


def _relations(outline: Outline, ids: Sequence[int]) -> dict[int, list[tuple[str, Node]]]:
    """For each of the items the relations that stand in its line, in one query."""
    rows = Relation.objects.filter(
        Q(source__in=ids) | Q(target__in=ids, relation__in=_TURNED)
    ).values_list("source_id", "target_id", "relation")
    found: dict[int, list[tuple[str, Node]]] = {pk: [] for pk in ids}
    for source, target, name in rows:
        ends = [outline.nodes[pk] for pk in (source, target) if pk in outline.nodes]
        if len(ends) < 2:
            continue
        if name in _TURNED:
            ends.sort(key=lambda end: end.number or 0)
        if ends[0].pk in found:
            found[ends[0].pk].append((name, ends[1]))
    return found


def _beside(
    outline: Outline, ids: Sequence[int], ends: dict[int, list[tuple[str, Node]]]
) -> set[int]:
    """Other items that the lines or paths of these name: those above, and those related."""
    found = {end.pk for of_item in ends.values() for _name, end in of_item}
    for pk in ids:
        over = outline.nodes[pk].parent
        while over is not None and over in outline.nodes and over not in found:
            found.add(over)
            over = outline.nodes[over].parent
    return found.difference(ids)
