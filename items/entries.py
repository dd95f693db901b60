"""Entries of lists: what identifies an item, sorts and filters it; never its content."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import Substr

from conderis.accounts.models import Agent, Person
from conderis.common.json import Json, JsonObject
from conderis.common.prepared import Prepared
from conderis.common.text import cut_at_word, without_heading
from conderis.common.times import age
from items.access import all_but, reference_of
from items.expiry import can_expire, is_expired
from items.filters import Listed, Standing
from items.kinds.base import Field
from items.kinds.registry import active_statuses
from items.kinds.values import Assignee, ItemReference, Numbers, Position
from items.models import Item
from items.recall.keys import keys_of, read_keys
from items.relations import blockers
from items.search.excerpts import FIRST, excerpts_of
from items.state import parent_entry, shown, value_of

MAX_BEGINNING = 160  # characters of the content, where there is no summary
_BEGINNING = 4 * MAX_BEGINNING + 4  # that are loaded, since runs of blanks count as one
_UNUSED = (
    "organization",
    "author",
    "author_agent",
    "credit",
    "archived_with",
    "erased_by",
    "held_since",
    "status_before",
    "verified_against",
    "commits",
    "erased_at",
    "locked_by",
    "absent",
)
_SORTED = ("created", "rank")  # by which rows are sorted, and which no entry shows
# Of what stands beside a row, no more than names it.
_UNNAMED = {
    "parent": all_but("parent", Item, "public_id", "number", "title", "locked_at"),
    "assignee_person": all_but("assignee_person", Person, "public_id", "display_name"),
    "assignee_agent": all_but("assignee_agent", Agent, "public_id", "name", "person"),
    "assignee_agent__person": all_but(
        "assignee_agent__person", Person, "public_id", "display_name"
    ),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """What is loaded of rows for their entries: how the content begins, more if `searched`.

    With `active` statuses, the numbers of the tasks that each one waits for, as
    `items.relations.waits_for` has it.
    """

    project: bool
    parent: bool
    assignee: bool
    searched: bool
    active: tuple[str, ...]

    @classmethod
    def of(cls, listed: Listed, *, searched: bool) -> "Columns":
        """Those that the entries of a list take."""
        kind = listed.kind
        return cls(
            project=listed.across,
            parent=kind.max_depth > 1,
            assignee=any(isinstance(field.type, Assignee) for field in kind.fields),
            searched=searched,
            active=active_statuses() if kind.statuses else (),
        )

    def loading(self, rows: QuerySet[Item], *, sorting: bool = False) -> QuerySet[Item]:
        """The rows with these columns, and with those that lists are sorted by."""
        named: list[str] = ["parent"] if self.parent else []
        if self.assignee:
            named += ["assignee_person", "assignee_agent", "assignee_agent__person"]
        related = [*(["project"] if self.project else []), *named]
        if related:
            rows = rows.select_related(*related)
        unused = _UNUSED if sorting else (*_UNUSED, *_SORTED)
        deferred = [*unused, *(column for each in named for column in _UNNAMED[each])]
        length = FIRST if self.searched else _BEGINNING
        rows = rows.annotate(beginning=Substr("content", 1, length))
        if self.active:
            waiting = keys_of(blockers(self.active), "source__number", distinct=False)
            rows = rows.annotate(waiting=waiting)
        return rows.defer("content", *deferred)


def in_order(rows: Iterable[Item], ids: Sequence[int]) -> list[Item]:
    """The rows in the order of their ids; one that is no longer there is left out."""
    by_id = {row.pk: row for row in rows}
    return [by_id[each] for each in ids if each in by_id]


@dataclass(frozen=True, slots=True)
class _Making:
    """What the entries of a list are made of, the same for all of its rows."""

    listed: Listed
    fields: Sequence[Field]
    active: Collection[str]
    expires: bool

    @classmethod
    def of(cls, listed: Listed) -> "_Making":
        kind = listed.kind
        fields = [kind.by_name[name] for name in kind.entry]
        return cls(listed, fields, kind.active_statuses, can_expire(kind))

    def entry(self, row: Item) -> JsonObject:
        """What names the row, and what its fields say."""
        entry = _named(self.listed, row)
        if self.listed.kind.has_title:
            entry["title"] = row.title
        entry["version"] = row.version
        for field in self.fields:
            value = _value(field, row)
            if value is not None:
                entry[field.name] = value
        return entry

    def state(self, row: Item) -> JsonObject:
        """Why it does not go on, whether it is over, and how old it is."""
        state: JsonObject = {}
        if self.active and row.blocked_reason:
            state["blockedReason"] = row.blocked_reason
        if row.archived_at is not None:
            state["archived"] = True
        if self.expires and is_expired(row, self.listed.now):
            state["expired"] = True
        ongoing = row.status in self.active
        shown_age = age(row.changed, self.listed.now, ongoing=ongoing)
        if shown_age:
            state["age"] = shown_age
        return state


def entries_of(
    listed: Listed, rows: Sequence[Item], *, terms: Collection[str] = ()
) -> list[JsonObject]:
    """The entries of these rows. With the `terms` of a search, each says where it matches."""
    making = _Making.of(listed)
    if listed.project is not None and making.expires:
        for row in rows:
            row.project = listed.project  # already here
    ids = [row.pk for row in rows]
    around: dict[int, JsonObject] = {}
    if listed.kind.statuses:
        for row in rows:
            if (numbers := vars(row)["waiting"]) is not None:
                around[row.pk] = {"waitsFor": read_keys(numbers)}
    elif listed.kind.max_depth > 1 and ids:
        counts = _children(listed, ids)
        around = {key: {"children": count} for key, count in counts.items()}
    excerpts: Mapping[int, JsonObject] = {}
    if terms:
        for row in rows:
            row.content = vars(row)["beginning"]  # `excerpts_of` reads on where it has to
        excerpts = excerpts_of(rows, terms)
    return [
        making.entry(row) | around.get(row.pk, {}) | making.state(row) | excerpts.get(row.pk, {})
        for row in rows
    ]


def _children(listed: Listed, ids: list[int]) -> Mapping[int, int]:
    """How many live children the items have, as far as the caller may read them."""
    live = Standing.of(listed, {})
    return dict(_live_children(live).rows(**live.values(listed), parents=ids))


@cache
def _live_children(live: Standing) -> Prepared[tuple[Any, ...]]:
    def build(parents: list[int], **values: Any) -> QuerySet[Item, tuple[Any, ...]]:
        rows = live.rows(**values).filter(parent__in=parents)
        return rows.order_by().values_list("parent").annotate(many=Count("pk"))

    return Prepared(build, **live.parameters, parents=list)


def _named(listed: Listed, row: Item) -> JsonObject:
    """`{number}` or `{ref}`; in a list across projects the long reference."""
    if listed.across and row.project is not None:
        return {"ref": f"{row.project.full_name}#{row.number}"}
    return reference_of(row)


def _value(field: Field, row: Item) -> Json:
    if isinstance(field.type, ItemReference):
        return parent_entry(row)
    if isinstance(field.type, Numbers | Position):
        return None
    value = shown(field, value_of(row, field))
    if value is None and field.name == "summary":
        text = vars(row)["beginning"]
        return cut_at_word(without_heading(text, row.title), MAX_BEGINNING) or None
    return value
