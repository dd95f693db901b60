"""What has happened to a project's items, newest first: from the audit log and the histories.

The audit log knows every deed, moves and relations too; the version that it names leads to
the history, which knows whose it is where a proposal was approved. Events of what the
reader may not read, and of what is locked or erased, are left out before anything is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db.models import (
    Case,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Substr

from conderis.accounts.models import Agent, AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.cursors import read_cursor, write_cursor
from conderis.common.paging import Binding, read_limit
from conderis.common.prepared import Prepared
from items.access import visible_items
from items.kinds.registry import all_kinds, kind_named
from items.models import Item, ItemEvent
from projects.access import ProjectAccess, access_project

DEEDS: Final = (
    "item.created",
    "item.changed",
    "item.moved",
    "item.claim",
    "item.complete",
    "item.block",
    "item.unblock",
    "item.archive",
    "item.restore",
    "item.relate",
    "item.unrelate",
)
RECENT: Final = 500
"""Events that are looked through for the people to choose among."""
WINDOW: Final = 10_000
"""Events of the log that one page looks through, however few of them are shown.

It counts those too that the reader may not read: that there are so many is all it tells.
"""
_ORDER: Final = ("-id",)


class By(StrEnum):
    """Who did it."""

    PEOPLE = "people"
    AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What narrows the list: a kind, a person (`person:<id>`), people alone or agents alone."""

    kind: str | None = None
    person: str | None = None
    by: By | None = None


ALL: Final = Wanted()


@dataclass(frozen=True, slots=True)
class Doer:
    """A person as others see them: the immutable reference and the display name."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of an item that the reader may read.

    `event` is a word of the history (`created`, `completed`) or of the log (`moved`,
    `relate`). `number` is None of an item without one, which is known by its `ref`; `version`
    is None where none was made. `target` is the other end of a relation. `credited` is the
    author by name of what was imported; `by` is then who imported it.
    """

    id: int
    at: datetime
    event: str
    kind: str
    number: int | None
    ref: str | None
    title: str
    by: Doer | None
    agent: str | None
    approver: str | None
    version: int | None
    fields: tuple[str, ...]
    relation: str | None
    target: int | None
    credited: str | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    """Some events, newest first. `next_cursor` leads on, or is None.

    `is_partial`: so much of the log was looked through that the rest is left to the next
    page, which may be the first to hold anything.
    """

    items: list[Happening]
    next_cursor: str | None
    is_partial: bool = False


def project_activity(
    caller: Caller,
    project_id: str,
    *,
    wanted: Wanted = ALL,
    cursor: str | None = None,
    limit: int | None = None,
) -> Activity:
    """What has happened to the items of the project that the caller may read, newest first.

    20 events where no limit is given, at most 100; a page may hold fewer, where a version of
    an item is locked, or where 10,000 events of the log held no more. Seven queries at most
    beside that of the door.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: the limit, the kind or the cursor is none.
        Denied: the key has not the scope to read.
    """
    access = access_project(caller, project_id)
    size = read_limit(limit)
    binding = _binding(access, wanted)
    log = _log(access)
    if cursor is not None:
        (last,) = read_cursor(binding, cursor, order=_ORDER)
        log = log.filter(pk__lt=last)
    end = _end_of_window(log)
    if end is not None:
        log = log.filter(pk__gte=end)
    rows = _narrowed(_told(access, log, wanted.kind), wanted)
    found = list(rows.order_by("-pk")[: size + 1])
    shown = found[:size]
    after = shown[-1].pk if len(found) > size else end
    return Activity(
        _happenings(access, shown),
        write_cursor(binding, [after], order=_ORDER) if after is not None else None,
        is_partial=len(found) < size and end is not None,
    )


def recent_doers(caller: Caller, project_id: str) -> list[Doer]:
    """The people of the latest 500 events that the caller may read, by name.

    They are looked for among the latest 10,000 events of the log. Four queries.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the key has not the scope to read.
    """
    access = access_project(caller, project_id)
    log = _log(access)
    end = _end_of_window(log)
    if end is not None:
        log = log.filter(pk__gte=end)
    rows = _told(access, log, None).order_by("-pk").values("person_id", "detail__author")[:RECENT]
    keys = {row["person_id"] for row in rows if row["detail__author"] is None}
    ids = {str(row["detail__author"]).removeprefix("person:") for row in rows}
    people = Person.objects.filter(Q(pk__in=keys - {None}) | Q(public_id__in=ids))
    return [_doer(person) for person in people.order_by("display_name", "pk")]


def _binding(access: ProjectAccess, wanted: Wanted) -> Binding:
    by = wanted.by.value if wanted.by is not None else None
    narrowed = {"kind": wanted.kind, "person": wanted.person, "by": by}
    return Binding(access.caller, "activity", {"projectId": access.project.public_id, **narrowed})


def _log(access: ProjectAccess) -> QuerySet[AuditEvent]:
    """All that the log has of the project, in the order of its index."""
    return AuditEvent.objects.filter(project_id=access.project.pk)


def _end_of_window(log: QuerySet[AuditEvent]) -> int | None:
    """The oldest event that is looked at, or None where the log does not go beyond it."""
    keys = log.order_by("-pk").values_list("pk", flat=True)
    ends = list(keys[WINDOW - 1 : WINDOW + 1])
    return ends[0] if len(ends) > 1 else None


def _told(access: ProjectAccess, log: QuerySet[AuditEvent], kind: str | None) -> QuerySet[Any]:
    """Those events of items that the caller may read now, each with its item's key."""
    items = visible_items(access.caller, access.project).filter(locked_at__isnull=True)
    if kind is not None:
        items = items.filter(kind=kind_named(kind).name)
    unnumbered = [each.name for each in all_kinds() if not each.numbered]
    number = Case(
        When(subject__startswith="#", then=Cast(Substr("subject", 2), IntegerField())),
        default=Value(None),
    )
    by_number = items.filter(number=OuterRef("number")).values("pk")[:1]
    by_name = items.filter(number__isnull=True, kind=OuterRef("subject")).values("pk")[:1]
    return (
        log.filter(action__in=DEEDS)
        .annotate(number=number)
        .annotate(
            item=Case(
                When(subject__in=unnumbered, then=Subquery(by_name)),
                default=Subquery(by_number),
            )
        )
        .filter(item__isnull=False)
    )


def _narrowed(rows: QuerySet[Any], wanted: Wanted) -> QuerySet[Any]:
    as_proposed = Q(detail__has_key="author")
    if wanted.person is not None:
        public_id = wanted.person.removeprefix("person:")
        keys = Person.objects.filter(public_id=public_id).values_list("pk", flat=True)
        own = Q(person_id__in=list(keys)) & ~as_proposed
        rows = rows.filter(own | Q(detail__author=wanted.person)) if keys else rows.none()
    if wanted.by is not None:
        by_agent = Q(agent_id__isnull=False) & ~as_proposed
        by_agent |= Q(detail__has_key="authorAgent")
        rows = rows.filter(by_agent if wanted.by is By.AGENTS else ~by_agent)
    return rows


@dataclass(frozen=True, slots=True)
class _Names:
    """The people and agents of some events, each by key and by reference."""

    people: Mapping[int | str, Person]
    agents: Mapping[int | str, Agent]


def _names_of(rows: Sequence[Any]) -> _Names:
    authors = [str(row.detail.get("author")).removeprefix("person:") for row in rows]
    proposing = [str(row.detail.get("authorAgent")).removeprefix("agent:") for row in rows]
    people, agents = Person.objects.all(), Agent.objects.all()
    keys = [row.person_id for row in rows if row.person_id is not None]
    by = people.filter(Q(pk__in=keys) | Q(public_id__in=authors))
    keys = [row.agent_id for row in rows if row.agent_id is not None]
    through = agents.filter(Q(pk__in=keys) | Q(public_id__in=proposing))
    return _Names(
        {name: person for person in by for name in (person.pk, person.ref)},
        {name: agent for agent in through for name in (agent.pk, agent.ref)},
    )


def _happenings(access: ProjectAccess, rows: Sequence[Any]) -> list[Happening]:
    items = Item.objects.only("number", "kind", "title", "credit").in_bulk(
        {row.item for row in rows}
    )
    versions, names = _versions(rows), _names_of(rows)
    targets = _readable_targets(access, rows)
    found = []
    for row in rows:
        target, made = row.detail.get("target"), versions.get((row.item, _made(row)))
        if made is not None and (made.locked_by or not vars(made)["has_state"]):
            continue
        if target is not None and target not in targets:
            continue
        found.append(_happening(row, items[row.item], made, names))
    return found


def _happening(row: Any, item: Item, made: ItemEvent | None, names: _Names) -> Happening:
    detail, doer = row.detail, names.people.get(row.person_id)
    agent = names.agents.get(row.agent_id)
    approver = None
    credit = (item.credit or {}) if row.action == "item.created" else {}
    if "author" in detail:
        approver, doer = doer, names.people.get(detail["author"])
        agent = names.agents.get(detail.get("authorAgent", ""))
    return Happening(
        id=row.pk,
        at=row.at,
        event=made.event if made is not None else row.action.removeprefix("item."),
        kind=item.kind,
        number=item.number,
        ref=None if item.number is not None else row.subject,
        title=item.title,
        by=_doer(doer) if doer is not None else None,
        agent=agent.name if agent is not None else None,
        approver=approver.display_name if approver is not None else None,
        version=_made(row),
        fields=_fields(row, made),
        relation=detail.get("relation"),
        target=detail.get("target"),
        credited=credit.get("name"),
    )


def _fields(row: Any, made: ItemEvent | None) -> tuple[str, ...]:
    """What has changed; of a new item nothing, since all of it is new."""
    if made is not None and made.event == "created":
        return ()
    changed = made.changed if made is not None else row.detail.get("fields", ())
    return (*changed, *row.detail.get("moved", ()))


def _versions(rows: Sequence[Any]) -> Mapping[tuple[int, int | None], ItemEvent]:
    """The events of the history that made the versions, by item and version."""
    wanted = {(row.item, version) for row in rows if (version := _made(row)) is not None}
    if not wanted:
        return {}
    items, versions = (sorted(set(each)) for each in zip(*wanted, strict=True))
    made = _MADE.rows(items=items, versions=versions)
    return {(event.item_id, event.version): event for event in made}


def _of_versions(items: list[int], versions: list[int]) -> QuerySet[ItemEvent]:
    """Of each item all of these versions: a few too many, by one index."""
    return (
        ItemEvent.objects.filter(item__in=items, version__in=versions)
        .annotate(has_state=Q(state__isnull=False))
        .only("item", "version", "event", "changed", "locked_by")
    )


_MADE: Final = Prepared[ItemEvent](_of_versions, items=list, versions=list)


def _made(row: Any) -> int | None:
    version: int | None = row.detail.get("version")
    return version


def _readable_targets(access: ProjectAccess, rows: Sequence[Any]) -> set[int | None]:
    numbers = {row.detail["target"] for row in rows if "target" in row.detail}
    if not numbers:
        return set()
    there = visible_items(access.caller, access.project).filter(locked_at__isnull=True)
    return set(there.filter(number__in=numbers).values_list("number", flat=True))


def _doer(person: Person) -> Doer:
    return Doer(person.ref, person.display_name)
