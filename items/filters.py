"""What the filters of lists select, by their names.

Kinds name the filters that they have and what values these take (`items.kinds`); a
filter that a later kind names works for it as it stands here.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from conderis.common.prepared import Value
from items.access import items_of_project, named_items
from items.expiry import SESSION_DAYS, Aging, aging_types, can_expire, expired_since, oldest_of
from items.kinds.base import Field, Kind
from items.kinds.registry import active_statuses, kind_of
from items.kinds.relations import BLOCKS
from items.kinds.values import Choice
from items.models import Item, ItemTag, Relation
from items.overdue import day_ended_q
from projects.models import Project


@dataclass(frozen=True, slots=True)
class Listed:
    """What is listed, for whom and when.

    `project` is None for personal items, and for those `across` all projects.
    """

    caller: Caller
    kind: Kind
    project: Project | None
    now: datetime
    across: bool = False

    @property
    def session_days(self) -> int:
        """How long items of aging types last here."""
        return self.project.session_days if self.project is not None else SESSION_DAYS


@dataclass(frozen=True, slots=True)
class Standing:
    """What is listed before any other filter: active, live, and never locked.

    Of a project or (not `in_project`) of the caller's own. It holds no values, so that
    prepared statements are kept by it; they take those of `values`.
    """

    kind: str
    in_project: bool
    statuses: tuple[str, ...]  # none: all of them
    archived: bool
    expiring: bool
    aging: Aging

    @classmethod
    def of(cls, listed: Listed, filters: Mapping[str, Any]) -> "Standing":
        """What is listed of a kind, more of it where the filters include more."""
        kind = listed.kind
        expiring = can_expire(kind) and not filters.get("includeExpired")
        return cls(
            kind=kind.name,
            in_project=listed.project is not None,
            statuses=() if filters.get("includeClosed") else kind.active_statuses,
            archived=bool(filters.get("includeArchived")),
            expiring=expiring,
            aging=aging_types() if expiring else (),
        )

    @property
    def with_gone(self) -> bool:
        """Whether some of what is archived or closed is listed, too."""
        return self.archived or self.statuses != kind_of(self.kind).active_statuses

    @property
    def whole(self) -> bool:
        """Whether a search's scopes hold nothing else than what is listed."""
        return not self.expiring and (not self.with_gone or (self.archived and not self.statuses))

    def values(self, listed: Listed) -> dict[str, Value]:
        """The values of a list."""
        values: dict[str, Value] = {"person": listed.caller.person_id}
        if listed.project is not None:
            values["project"] = listed.project.pk
        if self.expiring:
            values["now"] = listed.now
        if self.aging:
            values["oldest"] = oldest_of(listed.now, listed.session_days)
        return values

    @property
    def parameters(self) -> dict[str, type]:
        """The types of `values`."""
        types: dict[str, type] = {"person": int}
        if self.in_project:
            types["project"] = int
        if self.expiring:
            types["now"] = datetime
        if self.aging:
            types["oldest"] = datetime
        return types

    def rows(
        self, *, person: int, project: int | None = None, named: bool = False, **moments: Any
    ) -> QuerySet[Item]:
        """The rows, for a person who may read them; `named` ones are looked up by their keys."""
        if project is None:
            readable = items_of_person(person)
        else:
            readable = (named_items if named else items_of_project)(project, person)
        return readable.filter(self.kept(**moments))

    def kept(self, now: datetime | None = None, oldest: datetime | None = None) -> Q:
        """What of the readable rows is listed."""
        kept = Q(kind=self.kind, locked_at__isnull=True)
        if not self.archived:
            kept &= Q(archived_at__isnull=True)
        if self.statuses:
            kept &= Q(status__in=self.statuses)
        if self.expiring and now is not None:
            kept &= ~expired_since(now, oldest or now, self.aging)
        return kept


def items_of_person(person: int) -> QuerySet[Item]:
    """A person's own items outside projects."""
    return Item.objects.filter(project__isnull=True, organization__isnull=True, author=person)


Selector = Callable[[Listed, Any], Q]
# Filters that include more of what is listed; all others leave something out.
INCLUDING = frozenset({"includeArchived", "includeClosed", "includeExpired"})


def read_filters(kind: Kind, filters: JsonObject) -> dict[str, Any]:
    """The filters sent, as values by name; empty ones are left out.

    Raises:
        Invalid: the kind has no such filter, or it takes no such value.
    """
    known = {each.name: each for each in kind.filters}
    values: dict[str, Any] = {}
    for name, value in filters.items():
        if name not in known:
            raise _unknown(kind, name)
        if not _is_absent(value):
            values[name] = known[name].type.read(value, f"filter.{name}")
    return values


def selected(listed: Listed, values: Mapping[str, Any]) -> Q:
    """The rows that all of the filters select.

    Raises:
        Invalid: a value makes no sense in this list.
    """
    chosen = Q()
    for name, value in values.items():
        if name in SELECTORS:
            chosen &= SELECTORS[name](listed, value)
        elif name in listed.kind.by_name:
            chosen &= _field_is(listed.kind.by_name[name], value)
    return chosen


def _field_is(field: Field, value: Any) -> Q:
    """The rows whose field of that name has the value."""
    if field.column is None:
        return Q((f"data__{field.name}", value))
    if isinstance(field.type, Choice) and field.type.ranked:
        value = field.type.words.index(value)
    return Q((field.column, value))


def _is_absent(value: Json) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in ("", "null"))


def _unknown(kind: Kind, name: str) -> Invalid:
    allowed = list(kind.filter_names)
    if name == "status" and kind.statuses:
        return Invalid(
            f"There is no filter status: {kind.plural} are the active ones "
            f"({', '.join(kind.active_statuses)}), and with includeClosed true the closed ones "
            f"too. Filters: {', '.join(allowed)}.",
            field="filter.status",
            allowed=allowed,
        )
    return Invalid(
        f"{kind.plural.capitalize()} have no filter {name[:40]!r}. "
        f"Filters: {', '.join(allowed) or 'none'}.",
        field="filter",
        allowed=allowed,
    )


_UNASSIGNED = Q(assignee_person__isnull=True, assignee_agent__isnull=True)


def _assignee(listed: Listed, value: str) -> Q:
    if value == "none":
        return _UNASSIGNED
    word, _, public_id = (listed.caller.ref if value == "me" else value).partition(":")
    if word == "agent":
        return Q(assignee_agent__public_id=public_id)
    return Q(assignee_person__public_id=public_id, assignee_agent__isnull=True)


def _parent(listed: Listed, value: int | str) -> Q:
    if value == "none":
        return Q(parent__isnull=True)
    if isinstance(value, str):
        return Q(parent__public_id=value.removeprefix("memory:"), parent__project__isnull=True)
    if listed.project is None:
        raise Invalid(
            "filter.parent takes a number only with projectId; without it, none"
            + (" or memory:<id>." if listed.kind.personal else "."),
            field="filter.parent",
            allowed=["none", "memory:<id>"] if listed.kind.personal else ["none"],
        )
    return Q(parent__number=value, parent__project=listed.project)


def _tags(_listed: Listed, value: list[str]) -> Q:
    if not value:
        return Q()
    having = (
        ItemTag.objects.filter(tag__in=value)
        .values("item")
        .annotate(many=Count("tag"))
        .filter(many=len(value))
    )
    return Q(pk__in=having.values("item"))


def _due(listed: Listed, value: str) -> Q:
    if value == "none":
        return Q(due__isnull=True)
    return day_ended_q(listed.caller, now=listed.now)  # closed work is in the list if asked for


def _ready(listed: Listed, value: bool) -> Q:  # noqa: FBT001 - the value of a filter
    caller = listed.caller
    ready = ready_for(caller.person_id, caller.agent_id, active_statuses())
    return ready if value else ~ready


def ready_for(person: int, agent: int | None, active: Collection[str]) -> Q:
    """Open, not held by somebody else, and nothing unfinished before it."""
    mine = Q(assignee_person=person, assignee_agent__isnull=True)
    if agent is not None:
        mine |= Q(assignee_agent=agent)
    before = Relation.objects.filter(
        target=OuterRef("pk"), relation=BLOCKS, source__status__in=active
    )
    return Q(Q(status="open"), _UNASSIGNED | mine, ~Exists(before))


# A filter with the name of a field compares it; these select otherwise. The switches
# (includeClosed and kin) select nothing: `items.listing` asks for them.
SELECTORS: dict[str, Selector] = {
    "assignee": _assignee,
    "parent": _parent,
    "tags": _tags,
    "due": _due,
    "ready": _ready,
}
