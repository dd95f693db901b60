"""Reading a project for an export, line by line, whatever its size.

Rows are read some dozens at a time, each time through the door anew, so that a long export
holds neither memory nor a transaction: on SQLite one that stays open keeps the log from
being cleared, which an erasure waits for. What is exported and where it stands is of one
moment (`outline`); each item is as it stood when it was read, with its history up to
that version. What is locked, erased or hidden meanwhile is a tombstone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.standing import refuse_ended
from conderis.common.caller import Caller
from conderis.common.errors import Denied
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from exchange.exporting import layout
from exchange.exporting.outline import Outline, read_outline
from exchange.exporting.rows import event_line, item_line, proposal_line, tombstone_line
from items.access import Place, whole
from items.kinds.relations import INVERSE
from items.models import Item, ItemEvent, Relation
from projects.access import ProjectAccess, access_project
from projects.capabilities import Use
from projects.models import Project
from proposals.access import visible_proposals
from proposals.access import whole as whole_proposals
from proposals.models import Proposal

CHUNK = 50  # rows that are read at once

_Each = TypeVar("_Each")


class Private(StrEnum):
    """Whether the caller's own private memories are exported; those of others never are."""

    OWN = "own"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Export:
    """An export that has begun: what it will hold is fixed."""

    caller: Caller
    project: Project
    outline: Outline
    private: Private
    began: datetime


def begin_export(caller: Caller, project_id: str, *, private: Private, written_as: str) -> Export:
    """An export of what the caller may read of the project, noted in the audit log.

    Raises:
        Denied: nobody has signed in, or the key has not the scope `read`.
        NotFound: there is no such project that the caller may read.
    """
    if caller.is_nobody:
        raise Denied("Sign in to export a project.", missing="account")
    access = access_project(caller, project_id, use=Use.READ)
    project = access.project
    with transaction.atomic():
        audit.record(
            caller,
            action="project.exported",
            subject=project.ref,
            project_id=project.pk,
            organization_id=project.owner_organization_id,
            format=written_as,
        )
    outline = read_outline(Place(caller, access), with_private=private is Private.OWN)
    return Export(caller, project, outline, private, timezone.now())


def lines_of(export: Export) -> Iterator[JsonObject]:
    """The lines of the export: the header, items with their histories, outcomes, counts.

    Raises:
        NotFound, Denied: the right to read was lost meanwhile, or the key was revoked; the last
            line is not there then.
    """
    counts: Counter[str] = Counter()
    yield _header(export)
    for line in _counted(_items(export), counts):
        yield line
    for line in _counted(_proposals(export), counts):
        yield line
    yield {"type": layout.END, **{name: counts[kind] for kind, name in layout.COUNTED.items()}}


def _counted(lines: Iterator[JsonObject], counts: Counter[str]) -> Iterator[JsonObject]:
    for line in lines:
        counts[line["type"]] += 1
        yield line


def _header(export: Export) -> JsonObject:
    project, caller = export.project, export.caller
    by = {"name": caller.person_name, "agent": caller.agent_name}
    about = {
        "id": project.public_id,
        "name": project.full_name,
        "description": project.description or None,
    }
    return {
        "type": layout.HEADER,
        "format": layout.FORMAT,
        "version": layout.VERSION,
        "project": without_nulls(about),
        "exported": iso(export.began),
        "by": without_nulls(by),
    }


def _items(export: Export) -> Iterator[JsonObject]:
    outline = export.outline
    for ids in _parted(iter(list(outline.nodes)), CHUNK):
        place = Place(export.caller, _access(export))
        shown = [pk for pk in ids if not outline.nodes[pk].hidden]
        rows = {row.pk: row for row in whole(place.items().filter(pk__in=ids))}
        live = [pk for pk in shown if pk in rows and rows[pk].locked_at is None]
        relations = _relations(outline, live)
        history = _Histories({pk: rows[pk] for pk in live})
        for pk in ids:
            node, item = outline.nodes[pk], rows.get(pk)
            if item is None or pk not in relations:
                yield tombstone_line(node, item)
                continue
            parent = outline.number_of(node.parent)
            yield item_line(item, node, parent=parent, relations=relations[pk])
            yield from history.of(item)


def _access(export: Export) -> ProjectAccess:
    """The project, looked up anew: who has lost the right to read it reads no further."""
    refuse_ended(export.caller)
    return access_project(export.caller, export.project.public_id, use=Use.READ)


def _parted(values: Iterator[_Each], size: int) -> Iterator[list[_Each]]:
    while part := list(islice(values, size)):
        yield part


def _relations(outline: Outline, live: Sequence[int]) -> dict[int, list[JsonObject]]:
    """For each of the items those relations that stand in its line, in one query."""
    turned = [name for name, inverse in INVERSE.items() if name == inverse]
    rows = Relation.objects.filter(
        Q(source__in=live) | Q(target__in=live, relation__in=turned)
    ).values_list("source_id", "target_id", "relation")
    found: dict[int, list[JsonObject]] = {pk: [] for pk in live}
    for source, target, name in rows:
        ends = [outline.nodes[pk] for pk in (source, target) if pk in outline.nodes]
        if len(ends) < 2 or any(end.hidden for end in ends):
            continue
        if name in turned:
            ends.sort(key=lambda end: end.number or 0)
        if ends[0].pk in found:
            found[ends[0].pk].append({"relation": name, "number": ends[1].number})
    for lines in found.values():
        lines.sort(key=lambda line: (line["relation"], line["number"]))
    return found


class _Histories:
    """The events of some items, each item's in turn, some dozens in memory at once."""

    def __init__(self, items: dict[int, Item]) -> None:
        self.ids: dict[int, list[int]] = {pk: [] for pk in items}
        rows = ItemEvent.objects.filter(item__in=items).order_by("pk")
        for pk, item in rows.values_list("pk", "item_id"):
            self.ids[item].append(pk)
        self.waiting = [pk for of_item in self.ids.values() for pk in of_item]
        self.read: dict[int, ItemEvent] = {}

    def of(self, item: Item) -> Iterator[JsonObject]:
        """The lines of the item's history, up to the version that it has."""
        newer = False
        for pk in self.ids[item.pk]:
            event = self._taken(pk)
            newer = newer or event is None or (event.version or 0) > item.version
            if event is not None and not newer:
                yield event_line(item, event)

    def _taken(self, pk: int) -> ItemEvent | None:
        if self.waiting and pk == self.waiting[0]:
            part, self.waiting = self.waiting[:CHUNK], self.waiting[CHUNK:]
            rows = ItemEvent.objects.filter(pk__in=part)
            self.read = rows.select_related(
                "author", "author_agent", "approver", "approver_agent"
            ).in_bulk()
        return self.read.pop(pk, None)


def _proposals(export: Export) -> Iterator[JsonObject]:
    """What became of the proposals that the caller may see and that have been decided."""
    after = 0
    while True:
        access = _access(export)
        rows = visible_proposals(export.caller, access).exclude(state=Proposal.State.PENDING)
        rows = whole_proposals(rows.filter(pk__gt=after)).defer("fields").order_by("pk")
        found = list(rows[:CHUNK])
        for proposal in found:
            yield proposal_line(proposal)
            after = proposal.pk
        if len(found) < CHUNK:
            return
