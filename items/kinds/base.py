"""What a kind is: plain data that every surface asks (no Django here).

A new kind is one module beside this one and one row in `registry`. Its fields live in
the columns named by `Field.column`, or in `Item.data` where it names none, so that a
new kind needs no migration.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from items.kinds.values import ValueType

# A kind's whole content as Python values by field name.
State = Mapping[str, Any]


class Review(StrEnum):
    """Who may publish a change of this kind directly."""

    NEVER = "never"  # everyone with `write`
    MODERATORS = "moderators"
    OWNERS = "owners"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a kind, as callers send and read it.

    `column` is the attribute of `Item` that holds it (None: `Item.data`). `hint` stands
    in parentheses in the tool description. `structure` fields move an item: changed
    alone they need no version and add none. `historic` ones are kept in the history, and
    `restored` ones come back when an earlier version is restored. `searched` ones are
    looked into by search.
    """

    name: str
    type: ValueType
    column: str | None = None
    hint: str = ""
    required: bool = False
    clearable: bool = True
    default: Any = None
    structure: bool = False
    historic: bool = True
    restored: bool = True
    searched: bool = False

    @property
    def in_description(self) -> str:
        """The field as the tool description lists it."""
        return f"{self.name} ({self.hint})" if self.hint else self.name


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of `item_list`; how it selects is in `items.filters` by its name."""

    name: str
    type: ValueType
    hint: str = ""

    @property
    def in_description(self) -> str:
        """The filter as the tool description lists it."""
        return f"{self.name} ({self.hint})" if self.hint else self.name


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action that a kind allows; how it acts is in `items.acting` by its name."""

    name: str
    fields: tuple[Field, ...] = ()

    @property
    def in_description(self) -> str:
        """The action as the tool description lists it."""
        names = ", ".join(each.name for each in self.fields)
        return f"{self.name} (fields: {names})" if names else self.name


@dataclass(frozen=True, slots=True)
class Status:
    """A status of a kind; an active one keeps the item among the work to do."""

    name: str
    active: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item. The order of `sorts` puts the default first.

    `check` refuses states that cannot be (it gets the state as it would be, and the one
    before, or None for a new item). `max_depth` is how many levels deep items of this
    kind may be nested, 1 meaning that they have no parents; `entry` names the fields
    that a list entry shows beside number, title, version and age. Items whose type is
    `aging` expire some days after their last version, unless they say when. Storing one of a
    `compared` kind answers with those that say nearly the same (`items.similar`). Those of a
    batch that need review are proposed where the kind is `proposed_in_batches`, else refused.
    """

    name: str
    plural: str
    fields: tuple[Field, ...]
    filters: tuple[Filter, ...] = ()
    actions: tuple[ActionRow, ...] = ()
    sorts: tuple[str, ...] = ("updated", "created", "title")
    entry: tuple[str, ...] = ()
    numbered: bool = True
    listed: bool = True
    personal: bool = False
    review: Review = Review.NEVER
    unreviewed_setting: str | None = None
    max_depth: int = 1
    unique_sibling_titles: bool = False
    archived_with_parent: bool = True
    related: bool = True
    compared: bool = False
    proposed_in_batches: bool = False
    statuses: tuple[Status, ...] = ()
    aging: tuple[str, ...] = ()
    check: Callable[[State, State | None], None] | None = None
    by_name: dict[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {each.name: each for each in self.fields})

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of what can be done with items of this kind."""
        return tuple(row.name for row in self.actions)

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The names of the filters of its lists."""
        return tuple(each.name for each in self.filters)

    @property
    def active_statuses(self) -> tuple[str, ...]:
        """The statuses that count as work to do."""
        return tuple(each.name for each in self.statuses if each.active)

    @property
    def has_title(self) -> bool:
        """Whether its items have a title (the instructions have none)."""
        return "title" in self.by_name


RELATE = ActionRow("relate")
UNRELATE = ActionRow("unrelate")
ARCHIVE = ActionRow("archive")
RESTORE = ActionRow("restore")
