"""What a source holds, read: records in one shape, whatever file they came from.

An importer turns a source into records and problems, one after the other; `exchange.writing`
turns records into items. Nothing here knows a file format or a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from conderis.common.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Credit:
    """Who did something, by name as the source says it; no account of this server."""

    name: str = ""
    agent: str = ""
    approver: str = ""
    approver_agent: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation to another record of the source: this one `relation` that one."""

    relation: str  # relates, blocks, documents, supersedes, duplicates
    key: str


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An entry of a history that an export of this product brings along."""

    event: str
    at: datetime
    credit: Credit
    version: int | None = None
    reason: str = ""
    changed: Sequence[str] = ()
    state: JsonObject | None = None  # None with a version: it was left out or erased


@dataclass(frozen=True, slots=True)
class Record:
    """An item as a source has it.

    `key` names it in its source for good (a card's id, a file's path): by it a second import
    knows that the item is there. It is kept as a digest alone. `place` says where it stands,
    for the report ("row 12", "tasks/a.md"). `fields` are as `item_store` takes them, without
    `parent`, `dependsOn` and `assignee`: `parent` and `links` name other records by key.

    `number`, `version`, `history`, `assignee` and `rewrites` come from exports of this product
    alone; they come in the order of their numbers. `rewrites`: `#12` in the texts means the
    source's item 12 and becomes its number here, and so does `owner/name#12` where `source` is
    that name; other readers escape such marks (`exchange.importers.texts.escape_numbers`).
    `fields` may hold `blockedReason` beside a status `blocked`.
    """

    key: str
    place: str
    kind: str
    fields: Mapping[str, Json]
    parent: str | None = None
    links: Sequence[Link] = ()
    credit: Credit = Credit()
    created: datetime | None = None
    changed: datetime | None = None
    archived: datetime | None = None
    number: int | None = None
    version: int = 1
    history: Sequence[PastEvent] = ()
    assignee: Mapping[str, str] | None = None  # {"ref", "name"}
    rewrites: bool = False
    source: str = ""  # owner/name of the project that it was exported from
    warnings: Sequence[str] = ()  # what of it could not be kept, each a sentence


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A number of an export of this product whose item is not in it."""

    number: int
    why: str  # "erased" or "not exported"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of a source that no item comes of, and why; or a word of warning.

    `left_out`: a row, card or file that is not imported (counted as such). Otherwise it is a
    warning about the whole source ("the export may be cut off at 1,000 actions").
    """

    place: str
    reason: str
    left_out: bool = True


Found = Record | Tombstone | Problem


@dataclass(slots=True)
class Report:
    """What an import did, or would do: the same words for both.

    `made` counts new items by kind, `known` those that were there before from the same source,
    `differing` names the known ones that the source has changed since (they are left as they
    are). `numbers` maps numbers of an export to the numbers here.
    """

    made: dict[str, int] = field(default_factory=dict)
    known: int = 0
    differing: list[str] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    more_warnings: int = 0  # beyond those that are named
    numbers: dict[int, int] = field(default_factory=dict)
    tombstones: int = 0
    secrets: int = 0  # how many of those left out look like they hold a secret
