"""A change of an item as a value: what it is of, what will differ, what it needs."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from items.access import Place
from items.events import Signature
from items.kinds.base import Kind, Review
from items.kinds.task import Work
from items.mates import Mates
from items.models import Item
from items.patches import Patch
from projects.capabilities import Use

MADE_NOW = "made now"  # stands for a parent that is made together with the item


@dataclass(slots=True)
class Change:
    """A change with everything checked and nothing written.

    Dependencies alone are checked as they are written: each must see those before it. Those
    of a new item are the `blockers`, checked with the rest: nothing waits for it yet.

    `content` and `structure` name the fields that will differ; `use` is what publishing
    it directly needs; `version` is the one that it says it is based on; `work` is the
    task's state after it, where the kind has statuses; `signature` says whose it is, where
    it is not the caller's. `parent` and `blockers` may be items that are made with it and are
    not stored yet: its `mates` know of them.
    """

    place: Place
    kind: Kind
    item: Item
    before: dict[str, Any] | None
    after: dict[str, Any]
    use: Use
    now: datetime
    patch: Patch
    version: int | None = None
    reason: str = ""
    content: tuple[str, ...] = ()
    structure: tuple[str, ...] = ()
    work: Work | None = None
    parent: Item | None = None
    blockers: list[Item] = field(default_factory=list)
    mates: Mates = field(default_factory=Mates)
    signature: Signature | None = None
    screened: bool = False  # for secrets, by whoever makes it
    warnings: list[str] = field(default_factory=list)

    @property
    def creates(self) -> bool:
        """Whether the item is new."""
        return self.before is None

    @property
    def reviewed(self) -> bool:
        """Whether it can be a proposal."""
        return can_be_proposed(self.kind, self.use)

    @property
    def changes_nothing(self) -> bool:
        """Whether all of it already stands."""
        return not self.creates and not self.content and not self.structure


@dataclass(frozen=True, slots=True)
class Together:
    """What a new item has of others that are made with it: its parent and what blocks it.

    `screened`: whoever makes them looks through their texts for secrets.
    """

    mates: Mates
    parent: Item | None = None
    blockers: tuple[Item, ...] = ()
    screened: bool = False


def can_be_proposed(kind: Kind, use: Use) -> bool:
    """Whether such a change is one that can wait for a person's review."""
    return kind.review is not Review.NEVER and use is not Use.STORE_PRIVATE


def publishing_use(kind: Kind, place: Place, visibility: str) -> Use:
    """What publishing a change of such an item directly needs here."""
    if kind.review is Review.OWNERS:
        return Use.PUBLISH_INSTRUCTIONS
    if kind.review is Review.NEVER:
        return Use.WORK
    if visibility == "private" or place.project is None:
        return Use.STORE_PRIVATE
    setting = kind.unreviewed_setting
    if setting is not None and getattr(place.project, setting):
        return Use.WORK
    return Use.PUBLISH
