"""Reading a project for an export, line by line, whatever its size.

Rows are read some dozens at a time, each time through the door anew, so that a long export
holds neither memory nor a transaction: on SQLite one that stays open keeps the log from
being cleared, which an erasure waits for. What is exported and where it stands is of one
moment (`outline`); each item is as it stood when it was read, with its history up to
that version. What is locked, erased or hidden meanwhile is a tombstone (`parts`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.common.caller import Caller
from conderis.common.errors import Denied
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from exchange.exporting import layout
from exchange.exporting.outline import Outline, read_outline
from exchange.exporting.parts import Part, access_anew
from exchange.exporting.rows import proposal_line
from items.access import Place
from projects.access import access_project
from projects.capabilities import Use
from projects.models import Project
from proposals.access import visible_proposals
from proposals.access import whole as whole_proposals
from proposals.models import Proposal

CHUNK = 50  # rows that are read at once


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
    yield header_of(export)
    for line in _counted(item_lines(export, with_histories=True), counts):
        yield line
    for line in _counted(_proposals(export), counts):
        yield line
    yield {"type": layout.END, **{name: counts[kind] for kind, name in layout.COUNTED.items()}}


def _counted(lines: Iterator[JsonObject], counts: Counter[str]) -> Iterator[JsonObject]:
    for line in lines:
        counts[line["type"]] += 1
        yield line


def header_of(export: Export) -> JsonObject:
    """The first line: what is exported, when and by whom."""
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


def item_lines(export: Export, *, with_histories: bool = False) -> Iterator[JsonObject]:
    """The items alone, or with their histories; tombstones for what is hidden.

    Called again it gives the same items: what was hidden once stays so, and histories end at
    the versions that were given first.

    Raises:
        NotFound, Denied: as `lines_of`.
    """
    for ids in _parted(iter(list(export.outline.nodes)), CHUNK):
        part = Part(export.caller, export.project, export.outline, ids)
        yield from part.lines(with_histories=with_histories)


def _parted(values: Iterator[int], size: int) -> Iterator[list[int]]:
    while part := list(islice(values, size)):
        yield part


def _proposals(export: Export) -> Iterator[JsonObject]:
    """What became of the proposals that the caller may see and that have been decided."""
    after = 0
    while True:
        access = access_anew(export.caller, export.project)
        rows = visible_proposals(export.caller, access).exclude(state=Proposal.State.PENDING)
        rows = whole_proposals(rows.filter(pk__gt=after)).defer("fields").order_by("pk")
        found = list(rows[:CHUNK])
        for proposal in found:
            yield proposal_line(proposal)
            after = proposal.pk
        if len(found) < CHUNK:
            return
