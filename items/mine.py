"""What has changed lately in a person's projects, and how much work there is in them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from django.db.models import Count, OuterRef, QuerySet, Subquery

from conderis.common.caller import Caller, Scope
from conderis.common.prepared import Prepared
from items.access import may_read
from items.crediting import doer_of
from items.kinds.registry import active_statuses, all_kinds
from items.models import Item, ItemEvent
from projects.access import require_scope, visible_projects
from projects.mine import RowsOfCaller, own_projects
from projects.models import Project

_SHOWN = (
    "event", "at", "changed", "item__number", "item__kind", "item__title",
    "item__project__path", "item__project__name",
    "author__display_name", "author_agent__name", "approver__display_name", "credit",
)  # fmt: skip
_EVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Change:
    """The last thing that happened to an item; `approver` is who let it through.

    With `imported_by` the names are those that an import brought.
    """

    project: str
    number: int | None
    kind: str
    title: str
    event: str
    changed: tuple[str, ...]
    person: str
    agent: str
    approver: str
    at: datetime
    imported_by: str = ""


def recent_changes(caller: Caller, *, limit: int) -> list[Change]:
    """The items of the caller's projects with the latest change, and what it was.

    Each item once, with its last event. Nothing that is locked or erased, and of private
    memories the caller's own.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    require_scope(caller, Scope.READ)
    latest = _latest(caller, limit)
    return [_change(event) for event in _last_events().rows(items=latest)] if latest else []


def _latest(caller: Caller, limit: int) -> list[int]:
    """The ids of the items with the latest change, the newest first.

    In two steps, since the items of all projects are far too many to be sorted: first how
    late something was changed by project and kind, which the index knows, then what is as
    late as that.
    """
    kinds = tuple(kind.name for kind in all_kinds())
    moments = _moments(kinds, limit).rows(caller)
    firsts = sorted((each for row in moments for each in row[1::2] if each), reverse=True)
    full = [each for row in moments for each in row[2::2] if each]
    since = max([*firsts[limit - 1 : limit], *full], default=_EVER)
    projects = [pk for pk, *found in moments if any(each and each >= since for each in found)]
    if not projects:
        return []
    rows = _since(kinds).rows(caller, projects=projects, since=since, limit=limit)
    return [pk for (pk,) in rows]


@cache
def _moments(kinds: tuple[str, ...], limit: int) -> RowsOfCaller[tuple[Any, ...]]:
    """By project, for each kind in turn: the latest change, and that of the last of so many."""

    def build(caller: Caller) -> QuerySet[Project, tuple[Any, ...]]:
        found: dict[str, Subquery] = {}
        for place, kind in enumerate(kinds):
            rows = _readable(caller).filter(project=OuterRef("pk"), kind=kind)
            moments = rows.order_by("-changed").values("changed")
            found[f"first_{place}"] = Subquery(moments[:1])
            found[f"last_{place}"] = Subquery(moments[limit - 1 : limit])
        return own_projects(caller).order_by().annotate(**found).values_list("pk", *found)

    return RowsOfCaller(build)


@cache
def _since(kinds: tuple[str, ...]) -> RowsOfCaller[tuple[Any, ...]]:
    """The ids alone: the texts of all other items would have to be read past."""

    def build(
        caller: Caller, projects: list[int], since: datetime, limit: int
    ) -> QuerySet[Item, tuple[Any, ...]]:
        rows = _readable(caller).filter(project__in=projects, kind__in=kinds, changed__gte=since)
        return rows.order_by("-changed", "-pk").values_list("pk")[:limit]

    return RowsOfCaller(build, projects=list, since=datetime, limit=int)


def _readable(caller: Caller) -> QuerySet[Item]:
    return Item.objects.filter(may_read(caller), locked_at__isnull=True)


@cache
def _last_events() -> Prepared[ItemEvent]:
    """The last event of each of some items, the newest first."""

    def build(items: list[int]) -> QuerySet[ItemEvent]:
        newest = ItemEvent.objects.filter(item=OuterRef("pk")).order_by("-id").values("pk")[:1]
        last = Item.objects.filter(pk__in=items).annotate(last=Subquery(newest)).values("last")
        events = ItemEvent.objects.filter(pk__in=last).order_by("-at", "-id")
        related = ("item__project", "author", "author_agent", "approver")
        return events.select_related(*related).only(*_SHOWN)

    return Prepared(build, items=list)


def _change(event: ItemEvent) -> Change:
    item, project = event.item, event.item.project
    names = doer_of(event)
    approver = event.approver.display_name if event.approver is not None else names.approver
    return Change(
        project=project.full_name if project is not None else "",
        number=item.number,
        kind=item.kind,
        title=item.title,
        event=event.event,
        changed=tuple(event.changed),
        person=names.person,
        agent=names.agent or "",
        approver=approver or "",
        at=event.at,
        imported_by=names.imported_by or "",
    )


def active_work(caller: Caller, projects: Collection[int]) -> dict[int, int]:
    """How many items of these projects count as work to do, by the id of the project.

    Only of projects that the caller may read.
    """
    if not projects:
        return {}
    kinds = tuple(kind.name for kind in all_kinds() if kind.statuses)
    return dict(_working(kinds, active_statuses()).rows(caller, projects=list(projects)))


@cache
def _working(kinds: tuple[str, ...], statuses: tuple[str, ...]) -> RowsOfCaller[tuple[Any, ...]]:
    def build(caller: Caller, projects: list[int]) -> QuerySet[Item, tuple[Any, ...]]:
        rows = Item.objects.filter(
            may_read(caller),
            project__in=visible_projects(caller).filter(pk__in=projects).values("pk"),
            kind__in=kinds,  # not needed to say, but the index begins with it
            status__in=statuses,
            locked_at__isnull=True,
        )
        return rows.order_by().values_list("project").annotate(many=Count("pk"))

    return RowsOfCaller(build, projects=list)
