"""What a surface asks of items, as values. Raw JSON members are checked by the services."""

from dataclasses import dataclass, field

from conderis.common.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Address:
    """Where an item is: a project and a number, or a reference (`ref`).

    `number` and `ref` may be an int, `"12"`, `"#12"` or `owner/name#12`; `ref` also
    `instructions`, `memory:<id>`, `proposal:<id>`.
    """

    project_id: str | None = None
    number: int | str | None = None
    ref: int | str | None = None


@dataclass(frozen=True, slots=True)
class StoreRequest:
    """Create an item, or change the one at `address`."""

    address: Address
    kind: str | None = None
    version: int | None = None
    fields: JsonObject = field(default_factory=dict)
    reason: str | None = None
    propose: bool = False


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Many items at once."""

    project_id: str | None
    kind: str | None
    batch: JsonObject


@dataclass(frozen=True, slots=True)
class ActRequest:
    """Act on the item (or proposal) at `address`."""

    address: Address
    action: str
    version: int | None = None
    reason: str | None = None
    target: int | str | None = None
    relation: str | None = None
    fields: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Read one item: now, as it was at `version`, a part of it, or its history.

    `in_full` gives its text whole, however long: for pages, not for answers to agents.
    """

    address: Address
    section: str | None = None
    history: bool = False
    version: int | None = None
    offset: int | None = None
    take: int | None = None
    in_full: bool = False


@dataclass(frozen=True, slots=True)
class ListRequest:
    """List or search one kind. `limit` None means the default of 20."""

    kind: str
    project_id: str | None = None
    query: str | None = None
    filters: JsonObject = field(default_factory=dict)
    sort: str | None = None
    limit: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Recall what a project knows. `max_chars` None means the default of 8,000."""

    project_id: str | None = None
    focus: str | None = None
    max_chars: int | None = None
    guide: bool = False


@dataclass(frozen=True, slots=True)
class DeletionCall:
    """Ask for permanent deletion of what is at `address`, or of one version of it."""

    address: Address
    version: int | None = None
    reason: Json = None
