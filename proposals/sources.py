"""What other answers say of proposals: recall, project_get and item_get."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window

from conderis.common.json import JsonObject
from conderis.common.prepared import Prepared
from items.access import MARKS
from items.kinds.base import Review
from items.kinds.registry import all_kinds, kind_of
from items.project_view import add_count
from items.reading import SECTIONS, Reading
from items.recall.asking import Asking
from items.recall.entries import Entry, one_line
from items.recall.filling import SHORTEST_LINE, enough, fetched
from items.recall.listing import Listing
from items.recall.registry import add_source
from items.recall.slots import PROPOSALS, Section
from projects.access import ProjectAccess
from projects.capabilities import Capability
from proposals.access import with_locks
from proposals.models import Proposal

_COLUMNS = (
    "public_id",
    "action",
    "kind",
    "title",
    "base_version",
    "item__number",
    "proposer__display_name",
    "proposer_agent__name",
    "content_locked",
    "total",
)

WAITS = "waits_for_review"  # the mark of an item that somebody has proposed a change of


class Row(NamedTuple):
    """What is loaded of a pending proposal; `total` says how many there are."""

    public_id: str
    action: str
    kind: str
    title: str
    base_version: int | None
    number: int | None
    person: str
    agent: str | None
    locked: bool
    total: int

    @property
    def length(self) -> int:
        """Characters that its line has at least."""
        return SHORTEST_LINE + len(self.title)


def register() -> None:
    """Have the answers of the apps below say what there is of proposals."""
    add_source("proposals", read_pending)
    add_count("pendingProposals", count_pending)
    MARKS[WAITS] = lambda: Exists(
        Proposal.objects.filter(item=OuterRef("pk"), state=Proposal.State.PENDING)
    )
    if pending_shown not in SECTIONS:
        SECTIONS.append(pending_shown)


def count_pending(access: ProjectAccess) -> int:
    """How many pending ones in the project the caller may see."""
    return _all(_seen_by(access), _owners_kinds()).count(**_values(access))


def pending_shown(reading: Reading) -> JsonObject:
    """`pendingProposals`: how many of the item the caller may see, where there are some."""
    access, item = reading.place.access, reading.item
    if access is None or item.visibility == "private":
        return {}
    if kind_of(item.kind).review is Review.NEVER or not vars(item).get(WAITS, True):
        return {}
    found = _of_item(_seen_by(access), _owners_kinds()).count(item=item.pk, **_values(access))
    return {"pendingProposals": found} if found else {}


def read_pending(asking: Asking) -> Sequence[Section]:
    """The section of those that wait, for who may approve them; none for others."""
    access = asking.access
    if access is None or Capability.MODERATE not in access.capabilities:
        return []
    prepared = _pending(_seen_by(access), _owners_kinds())

    def fetch(limit: int) -> list[Row]:
        return [Row(*row) for row in prepared.rows(limit=limit, **_values(access))]

    rows = enough(fetched(asking, fetch), asking.max_chars)
    if not rows:
        return []
    rest = asking.call("item_list kind=proposal")
    entries = [_entry(row) for row in rows]
    return [Section(PROPOSALS, Listing("Pending proposals", entries, rows[0].total, rest))]


def _entry(row: Row) -> Entry:
    what = [row.action, row.kind]
    if row.number is not None:
        what.append(f"#{row.number}")
    if row.base_version is not None:
        what.append(f"v{row.base_version}")
    by = one_line(f"by {row.agent or row.person}")
    return Entry(
        head=f"- proposal:{row.public_id}",
        title="(locked)" if row.locked else one_line(row.title or row.kind),
        marks=(" ".join(what), by),
    )


def _owners_kinds() -> tuple[str, ...]:
    return tuple(kind.name for kind in all_kinds() if kind.review is Review.OWNERS)


def _seen_by(access: ProjectAccess) -> Capability:
    """The strongest of the capabilities that proposals are seen by."""
    for each in (Capability.MANAGE, Capability.MODERATE):
        if each in access.capabilities:
            return each
    return Capability.READ


def _values(access: ProjectAccess) -> dict[str, int]:
    """What the prepared statements take: an owner sees all, whoever it is."""
    values = {"project": access.project.pk}
    if _seen_by(access) is not Capability.MANAGE:
        values["person"] = access.caller.person_id
    return values


def _types(seen_by: Capability) -> dict[str, type]:
    return {"project": int} if seen_by is Capability.MANAGE else {"project": int, "person": int}


def _waiting(
    seen_by: Capability, owners: tuple[str, ...], *, project: int, person: int | None = None
) -> QuerySet[Proposal]:
    """The pending ones as `visible_proposals` has them, with values that can be prepared."""
    rows = Proposal.objects.filter(project=project, state=Proposal.State.PENDING)
    if seen_by is Capability.MANAGE:
        return rows
    own = Q(proposer=person)
    return rows.filter(own | ~Q(kind__in=owners) if seen_by is Capability.MODERATE else own)


@cache
def _all(seen_by: Capability, owners: tuple[str, ...]) -> Prepared[Proposal]:
    def build(**values: int) -> QuerySet[Proposal]:
        return _waiting(seen_by, owners, **values).only("pk")

    return Prepared(build, **_types(seen_by))


@cache
def _of_item(seen_by: Capability, owners: tuple[str, ...]) -> Prepared[Proposal]:
    def build(item: int, **values: int) -> QuerySet[Proposal]:
        return _waiting(seen_by, owners, **values).filter(item=item).only("pk")

    return Prepared(build, item=int, **_types(seen_by))


@cache
def _pending(seen_by: Capability, owners: tuple[str, ...]) -> Prepared[tuple[Any, ...]]:
    def build(limit: int, **values: int) -> QuerySet[Proposal, tuple[Any, ...]]:
        rows = with_locks(_waiting(seen_by, owners, **values))
        return (
            rows.annotate(total=Window(Count("pk")))
            .order_by(F("created").desc(), "public_id")
            .values_list(*_COLUMNS)[:limit]
        )

    return Prepared(build, limit=int, **_types(seen_by))
