"""What has changed lately in a person's projects, and how much work there is in them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.db.models import Count, OuterRef, QuerySet, Subquery

from conderis.common.caller import Caller, Scope
from conderis.common.prepared import Prepared
from items.access import may_read
from items.crediting import doer_of
from items.kinds.registry import active_statuses
from items.models import Item, ItemEvent
from projects.access import require_scope, visible_projects
from projects.mine import RowsOfCaller, own_projects

_SHOWN = (
    "event", "at", "changed", "item__number", "item__kind", "item__title",
    "item__project__path", "item__project__name",
    "author__display_name", "author_agent__name", "approver__display_name", "credit",
)  # fmt: skip


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
    latest: list[int] = [pk for (pk,) in _LATEST.rows(caller, limit=limit)]
    return [_change(event) for event in _last_events().rows(items=latest)] if latest else []


def _latest(caller: Caller, limit: int) -> QuerySet[Item, tuple[Any, ...]]:
    """The ids alone: the texts of all other items would have to be read past."""
    rows = Item.objects.filter(
        may_read(caller), project__in=own_projects(caller).values("pk"), locked_at__isnull=True
    )
    return rows.order_by("-changed", "-pk").values_list("pk")[:limit]


_LATEST: Final = RowsOfCaller(_latest, limit=int)


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
    return dict(_working(active_statuses()).rows(caller, projects=list(projects)))


@cache
def _working(statuses: tuple[str, ...]) -> RowsOfCaller[tuple[Any, ...]]:
    def build(caller: Caller, projects: list[int]) -> QuerySet[Item, tuple[Any, ...]]:
        rows = Item.objects.filter(
            may_read(caller),
            project__in=visible_projects(caller).filter(pk__in=projects).values("pk"),
            status__in=statuses,
            locked_at__isnull=True,
        )
        return rows.order_by().values_list("project").annotate(many=Count("pk"))

    return RowsOfCaller(build, projects=list)
